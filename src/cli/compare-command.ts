// Compares two runs, or the branches of one with what they branched off: `compare A B`, `compare A`
import { basename, resolve } from "node:path"
import { parseArgs } from "node:util"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { fold } from "../run/fold.ts"
import type { BranchStart } from "../run/model/branches.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import { type BranchRow, branchRows, pointWords } from "../run/select/branch-tree.ts"
import { type Account, accountOf, pathsOf } from "../run/select/compare.ts"
import { divergencesOf, type Side } from "../run/select/first-divergence.ts"
import { readLines } from "../transport/file-reader.ts"
import { decodeLine } from "../transport/message.ts"
import { describeFileError, recordingPath, sessionDirectoryOf } from "../transport/recording-path.ts"
import { clip, count, duration, pad, width } from "../ui/text-width.ts"
import { standardOutput } from "./command-output.ts"
import { decodeRest } from "./fold-command.ts"

export const compareUsage = `compare A [B]
  Two recordings or session directories side by side: outcome, time, tokens, retries, errors, the states that each went
  through, and the first turn of each session that differs, with what was asked or said there; what differs is marked.
  Of A alone: its branches as a tree, and each beside what it branched off.
  Exit code 0 where they are the same, 1 where they differ, 2 where something is wrong.`

/** Columns of one run at most: what says more is cut. */
const WIDEST = 40
const LABEL = 14
/** Sessions whose partings are told. */
const PARTINGS = 20

/** What is laid beside another, and its name, which may be shown. */
interface Named extends Side {
  readonly name: string
}

/** A recording: the whole run, and the stretches of it from one branch's start to the next one's. */
interface Recorded extends Named {
  readonly trunk: Run
  /** By the raw id of the branch. */
  readonly stretches: ReadonlyMap<string, Run>
}

/** Gives the exit code. */
export async function compareCommand(args: readonly string[]): Promise<number> {
  const wanted = readWanted(args)
  if (typeof wanted === "string") return complain(wanted)
  const [a, b] = wanted
  const one = await readRecorded(a)
  if (typeof one === "string") return complain(one)
  const output = standardOutput()
  if (b !== undefined) {
    const other = await readRecorded(b)
    if (typeof other === "string") return complain(other)
    const { lines, same } = compared(one, other)
    await output.write(`${lines.join("\n")}\n`)
    return same ? 0 : 1
  }
  const rows = branchRows(one.run)
  if (rows.length === 0) return complain(`${sanitizeLine(a)} has no branches: name another to compare it with`)
  await output.write(`${treeLines(one, rows).join("\n")}\n`)
  let isSame = true
  for (const row of rows) {
    if (row.start === null) continue
    const { lines, same } = compared(...sidesOf(one, row.start))
    isSame &&= same
    await output.write(`\n${lines.join("\n")}\n`)
  }
  return isSame ? 0 : 1
}

/** A recording, folded; else what is wrong. */
async function readRecorded(path: string): Promise<Recorded | string> {
  const found = recordingPath(path)
  if ("error" in found) return found.error
  const name = sanitizeLine(basename(resolve(sessionDirectoryOf(found.path) ?? found.path)))
  let run: Run = emptyRun
  let id: string | null = null
  let stretch: Run = emptyRun
  let trunk: Run | null = null
  const stretches = new Map<string, Run>()
  const end = (): void => {
    if (id === null) trunk = stretch
    else stretches.set(id, stretch)
  }
  try {
    for await (const { lines, remainder } of readLines(found.path)) {
      const frames = lines.map(decodeLine)
      if (remainder !== null && remainder !== "") frames.push(decodeRest(remainder))
      let from = 0
      for (const [i, frame] of frames.entries()) {
        if (frame.kind !== "debug" || frame.branch === null) continue
        const { branches } = run
        run = fold(run, frames.slice(from, i + 1))
        stretch = fold(stretch, frames.slice(from, i))
        from = i + 1
        if (run.branches === branches) continue
        end()
        id = frame.branch.sessionId
        stretch = fold(emptyRun, [frame])
      }
      run = fold(run, frames.slice(from))
      stretch = fold(stretch, frames.slice(from))
    }
  } catch (error) {
    return `${sanitizeLine(path)}: ${describeFileError(error)}`
  }
  end()
  return { name, ...whole(run), trunk: trunk ?? run, stretches }
}

function whole(run: Run): Side {
  return { run, sessions: [...run.sessions.keys()] }
}

/**
 * What a branch branched off, and itself: the sessions that have these ids; where there are none, as the ids are those of
 * runs, what the recording holds from the start of each to the next branch's.
 */
function sidesOf(
  { run, trunk, stretches, name }: Recorded,
  { branch, sessionId }: BranchStart,
): readonly [Named, Named] {
  const own = sanitizeLine(sessionId)
  const parent = branch.parent === null ? name : sanitizeLine(branch.parent)
  const sessionsOf = (id: string | null) => [...run.sessions.keys()].filter(i => run.sessions[i]?.sessionId === id)
  const [left, right] = [sessionsOf(branch.parent), sessionsOf(sessionId)]
  if (left.length > 0 && right.length > 0) {
    return [
      { name: parent, run, sessions: left },
      { name: own, run, sessions: right },
    ]
  }
  const before = branch.parent === null ? undefined : stretches.get(branch.parent)
  return [
    before === undefined ? { name, ...whole(trunk) } : { name: parent, ...whole(before) },
    { name: own, ...whole(stretches.get(sessionId) ?? emptyRun) },
  ]
}

/** Each branch below what it branched off, with the turn that it runs again. */
function treeLines({ name }: Recorded, rows: readonly BranchRow[]): readonly string[] {
  const lines = rows.map(({ depth, start, sessionId }) => {
    if (start === null) return sanitizeLine(sessionId ?? "the run")
    const point = pointWords(start.branch)
    const at = point === "" ? "" : `  at ${point},`
    return `${"  ".repeat(depth - 1)}└ ${sanitizeLine(start.sessionId)}${at} from frame ${count(start.frame)} on`
  })
  return [name, ...lines]
}

function compared(one: Named, other: Named): { readonly lines: readonly string[]; readonly same: boolean } {
  const [a, b] = [accountOf(one), accountOf(other)]
  const rows: (readonly [mark: string, label: string, a: string, b: string])[] = [["", "", one.name, other.name]]
  for (const [label, words] of FIGURES) rows.push([words(a) === words(b) ? "" : "!", label, words(a), words(b)])
  let isApart = false
  for (const [i, pair] of pathsOf(a, b).entries()) {
    const words = (step: typeof pair.a) => (step === null ? "–" : `${step.state}  ${duration(step.took)}`)
    const first = pair.apart && !isApart
    isApart ||= pair.apart
    rows.push([first ? "≠" : "", i === 0 ? "states" : "", words(pair.a), words(pair.b)])
  }
  const partings = divergencesOf(one, other)
  for (const [i, { who, turn, what, a, b }] of partings.slice(0, PARTINGS).entries()) {
    const part = turn === null ? "" : what === "turn" ? `turn ${turn}: ` : `turn ${turn} ${what}: `
    const words = (text: string | null) => (text === null ? "–" : clip(`${part}${text}`, WIDEST))
    rows.push([i === 0 ? "≠" : "!", who, words(a), words(b)])
  }
  const widest = Math.min(WIDEST, Math.max(...rows.map(([, , left]) => width(left))))
  const left = partings.length - PARTINGS
  const more = left > 0 ? [`  and ${count(left)} more sessions that differ`] : []
  const lines = rows.map(([mark, label, left, right]) => {
    const about = mark === "≠" ? "  first divergence" : ""
    return `${pad(mark, 2)}${pad(label, LABEL)}${pad(left, widest)}  ${right}${about}`.trimEnd()
  })
  return { lines: [...lines, ...more], same: rows.every(([mark]) => mark === "") }
}

const FIGURES: readonly (readonly [label: string, words: (account: Account) => string])[] = [
  ["outcome", ({ outcome }) => outcome],
  ["time", ({ time }) => (time === null ? "–" : duration(time))],
  ["output tokens", ({ tokens }) => count(tokens)],
  ["sessions", ({ sessions }) => count(sessions)],
  ["turns", ({ turns }) => count(turns)],
  ["retries", ({ retries }) => count(retries)],
  ["errors", ({ errors }) => count(errors)],
]

function complain(why: string): number {
  process.stderr.write(`opentui-sidecar compare: ${why}\n`)
  return 2
}

function readWanted(args: readonly string[]): readonly [string, string?] | string {
  try {
    const { positionals } = parseArgs({ args: [...args], allowPositionals: true, options: {} })
    const [a, b, ...more] = positionals
    if (a === undefined) return "which runs?"
    if (more.length > 0) return `one argument too many: ${sanitizeLine(more[0] ?? "")}`
    return b === undefined ? [a] : [a, b]
  } catch (error) {
    return sanitizeLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
  }
}
