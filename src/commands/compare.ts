// Compares two runs, or the branches of one with what they branched off: `compare A B`, `compare A`
import { basename, resolve } from "node:path"
import { parseArgs } from "node:util"
import type { Branch } from "../protocol/frame.ts"
import { inertLine } from "../protocol/inert.ts"
import { type Account, accountOf, pathsOf } from "../store/compare.ts"
import { fold } from "../store/fold.ts"
import { emptyRun, type Run } from "../store/run.ts"
import { count, duration, pad, width } from "../ui/text.ts"
import { decodeLine } from "../wire/message.ts"
import { readLines } from "../wire/reader.ts"
import { directoryOf, fileWords, recordingPath } from "../wire/recording.ts"
import { decodeRest } from "./fold.ts"
import { standardOutput } from "./output.ts"

export const compareUsage = `compare A [B]
  Two recordings or session directories side by side: outcome, time, tokens, retries, errors, and the states that
  each went through; what differs is marked. Of A alone: its branches as a tree, and each beside what it branched off.
  Exit code 0 where they are the same, 1 where they differ, 2 where something is wrong.`

/** Columns of one run at most: what says more is cut. */
const WIDEST = 40
const LABEL = 14
/** Branches of one recording that are told apart; what follows belongs to the last. */
const BRANCHES = 256

/** A run, or the part of a recording that belongs to one branch. */
interface Part {
  readonly name: string
  readonly branch: Branch | null
  readonly run: Run
}

/** Gives the exit code. */
export async function compareCommand(args: readonly string[]): Promise<number> {
  const wanted = readWanted(args)
  if (typeof wanted === "string") return complain(wanted)
  const [a, b] = wanted
  const left = await partsOf(a)
  if (typeof left === "string") return complain(left)
  const output = standardOutput()
  if (b !== undefined) {
    const right = await partsOf(b)
    if (typeof right === "string") return complain(right)
    const [one, other] = [left[0], right[0]]
    if (one === undefined || other === undefined) return complain("nothing to compare")
    const { lines, same } = compared(one, other)
    await output.write(`${lines.join("\n")}\n`)
    return same ? 0 : 1
  }
  const [trunk, ...branches] = left
  if (trunk === undefined || branches.length === 0)
    return complain(`${inertLine(a)} has no branches: name another to compare it with`)
  await output.write(`${treeOf(trunk, branches).join("\n")}\n`)
  let isSame = true
  for (const part of branches) {
    const { lines, same } = compared(parentOf(part, branches) ?? trunk, part)
    isSame &&= same
    await output.write(`\n${lines.join("\n")}\n`)
  }
  return isSame ? 0 : 1
}

/** The recording up to its first branch, and each of its branches; else what is wrong. */
async function partsOf(path: string): Promise<readonly Part[] | string> {
  const found = recordingPath(path)
  if ("error" in found) return found.error
  const name = inertLine(basename(resolve(directoryOf(found.path) ?? found.path)))
  const parts: Part[] = [{ name, branch: null, run: emptyRun }]
  try {
    for await (const { lines, rest } of readLines(found.path)) {
      const frames = lines.map(decodeLine)
      if (rest !== null && rest !== "") frames.push(decodeRest(rest))
      let from = 0
      frames.forEach((frame, i) => {
        const branch = frame.kind === "debug" ? frame.branch : null
        if (branch === null || parts.length > BRANCHES) return
        if (parts.some(one => one.branch?.sessionId === branch.sessionId)) return
        goOn(parts, frames.slice(from, i))
        parts.push({ name: inertLine(branch.sessionId ?? "a branch"), branch, run: emptyRun })
        from = i
      })
      goOn(parts, frames.slice(from))
    }
  } catch (error) {
    return `${inertLine(path)}: ${fileWords(error)}`
  }
  return parts
}

function goOn(parts: Part[], frames: Parameters<typeof fold>[1]): void {
  const last = parts.pop()
  if (last !== undefined) parts.push({ ...last, run: fold(last.run, frames) })
}

/** Each branch below what it branched off, with the turn. */
function treeOf(trunk: Part, branches: readonly Part[]): readonly string[] {
  const under = (parent: Part | null, depth: number): readonly string[] =>
    branches
      .filter(one => parentOf(one, branches) === parent)
      .flatMap(one => {
        const { nodeId, turn } = one.branch?.point ?? { nodeId: null, turn: null }
        const point = nodeId === null ? "" : `  at ${inertLine(nodeId)}${turn === null ? "" : `, turn ${turn + 1}`}`
        return [`${"  ".repeat(depth)}└ ${one.name}${point}`, ...under(one, depth + 1)]
      })
  return [trunk.name, ...under(null, 0)]
}

/** Null where it branched off the trunk. Only an earlier branch can be a parent, so that no two are each other's. */
function parentOf(part: Part, branches: readonly Part[]): Part | null {
  const earlier = branches.slice(0, branches.indexOf(part))
  return earlier.find(one => one.branch?.sessionId === part.branch?.parent) ?? null
}

function compared(one: Part, other: Part): { readonly lines: readonly string[]; readonly same: boolean } {
  const [a, b] = [accountOf(one.run), accountOf(other.run)]
  const rows: (readonly [mark: string, label: string, a: string, b: string])[] = [["", "", one.name, other.name]]
  for (const [label, words] of FIGURES) rows.push([words(a) === words(b) ? "" : "!", label, words(a), words(b)])
  let isApart = false
  for (const [i, pair] of pathsOf(a, b).entries()) {
    const words = (step: typeof pair.a) => (step === null ? "–" : `${step.state}  ${duration(step.took)}`)
    const first = pair.apart && !isApart
    isApart ||= pair.apart
    rows.push([first ? "≠" : "", i === 0 ? "states" : "", words(pair.a), words(pair.b)])
  }
  const widest = Math.min(WIDEST, Math.max(...rows.map(([, , left]) => width(left))))
  const lines = rows.map(([mark, label, left, right]) => {
    const about = mark === "≠" ? "  first divergence" : ""
    return `${pad(mark, 2)}${pad(label, LABEL)}${pad(left, widest)}  ${right}${about}`.trimEnd()
  })
  return { lines, same: rows.every(([mark]) => mark === "") }
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
    if (more.length > 0) return `one argument too many: ${inertLine(more[0] ?? "")}`
    return b === undefined ? [a] : [a, b]
  } catch (error) {
    return inertLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
  }
}
