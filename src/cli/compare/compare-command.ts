// Compares two runs, or more, or each branch of a run with its parent: `compare A B`, `compare A B C`, `compare A`.
import { tmpdir } from "node:os"
import { basename, resolve } from "node:path"
import { InputError, sessionDirectoryOf } from "../../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { BranchStart } from "../../run/model/branches.ts"
import { type Account, noAccount } from "../../run/model/ledger.ts"
import { emptyRun, type FoldOptions } from "../../run/model/run.ts"
import { type BranchRow, branchPointWords, branchRows } from "../../run/select/branch-tree.ts"
import { type ComparedRun, divergences, pairedSteps, type RunSummary, runSummary } from "../../run/select/compare.ts"
import { type RunTexts, textsInMemory } from "../../run/select/run-texts.ts"
import { WholeRun } from "../../timeline/whole-run.ts"
import { LEDGER_COLUMNS, type LedgerColumn, ledgerCell, moneyDecimals } from "../../ui/ledger-columns.ts"
import { clip, count, duration, pad, width } from "../../ui/text-width.ts"
import { parseSubjects } from "../command-arguments.ts"
import { standardOutput } from "../command-output.ts"
import { readFrameBatches } from "../fold-command.ts"
import { type OpenedRecording, readEach } from "../open-recording.ts"
import { type Environment, PRICES_OPTION } from "../option-table.ts"
import { readPrices } from "../option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "../subjects.ts"
import { manyLines, type NamedSummary } from "./compare-many.ts"

export const COMPARE_OPTIONS = { ...SUBJECT_OPTIONS, ...PRICES_OPTION }

/** Columns of one run at most; longer texts are clipped. */
const WIDEST = 40
const LABEL = 14
/** Columns of a longer label, of a state or a model: beside its figures 80 columns hold no more. */
const MOST_LABEL = 18
const MOST_DIVERGENCES = 20

/** One side of a comparison, with a name that is safe to print. */
interface NamedSide extends ComparedRun {
  readonly name: string
}

/** A recording: the whole run, and one run per span from a branch's start to the next branch's start. */
interface ComparedRecording extends NamedSide {
  readonly trunk: RunTexts
  readonly spans: ReadonlyMap<string, RunTexts>
}

/** Runs `compare`. Returns the exit code: 0 if there is no difference, 1 if there is one, 2 if a run can't be read. */
export async function compareCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: named } = parseSubjects(args, COMPARE_OPTIONS, "the recordings to compare")
  const given = { prices: readPrices(values.prices) }
  const found = await subjectsOf(named, values, env)
  const isTable = found.isList || found.subjects.length > 2
  const isBranched = !isTable && found.subjects.length === 1
  const runs: NamedSummary[] = []
  const sides: ComparedRecording[] = []
  using held = new DisposableStack()
  const isComplete = await readEach("compare", found, undefined, async (opened, subject) => {
    using passing = new DisposableStack()
    const recorded = await readRecorded(opened, given, isBranched, isTable ? passing : held)
    if (isTable) runs.push({ name: found.isList ? subject.name : recorded.name, summary: runSummary(recorded) })
    else sides.push(recorded)
  })
  const [one, other] = sides
  if (isTable && (isComplete || found.isList)) await standardOutput().write(sanitize(`${manyLines(runs).join("\n")}\n`))
  if (!isComplete) return 2
  if (one === undefined) return 0
  if (other === undefined) return await compareBranches(one, found.subjects[0]?.name ?? "")
  const { lines, same } = compared(one, other)
  await standardOutput().write(sanitize(`${lines.join("\n")}\n`))
  return same ? 0 : 1
}

/** Prints each branch of a run beside its parent. Returns the exit code. */
async function compareBranches(one: ComparedRecording, name: string): Promise<number> {
  const output = standardOutput()
  const rows = branchRows(one.run)
  if (rows.length === 0) throw new InputError(`${name} has no branches. Give a second run to compare with`)
  await output.write(sanitize(`${treeLines(one, rows).join("\n")}\n`))
  let isSame = true
  for (const row of rows) {
    if (row.start === null) continue
    const { lines, same } = compared(...sidesOf(one, row.start))
    isSame &&= same
    await output.write(sanitize(`\n${lines.join("\n")}\n`))
  }
  return isSame ? 0 : 1
}

/**
 * Folds a recording; if `branched`, also each branch, which takes as much again. Its texts are in files for as long as
 * `held` is.
 */
async function readRecorded(
  { path, subject }: OpenedRecording,
  given: Partial<FoldOptions>,
  branched: boolean,
  held: DisposableStack,
): Promise<ComparedRecording> {
  const name = sanitizeLine(basename(resolve(sessionDirectoryOf(subject) ?? subject)))
  const begun = (): WholeRun => held.use(new WholeRun(given, tmpdir()))
  const whole = begun()
  const trunk = branched ? begun() : whole
  const spans = new Map<string, WholeRun>()
  let span = trunk
  for await (const frames of readFrameBatches(path)) {
    if (!branched) {
      whole.add(frames)
      continue
    }
    let from = 0
    for (const [i, frame] of frames.entries()) {
      const id = frame.kind === "debug" ? (frame.branch?.sessionId ?? null) : null
      if (id === null) continue
      const earlier = frames.slice(from, i)
      whole.add(earlier)
      span.add(earlier)
      const { branches } = whole.run.facts
      whole.add([frame])
      if (whole.run.facts.branches !== branches) {
        span = begun()
        spans.set(id, span)
      }
      span.add([frame])
      from = i + 1
    }
    whole.add(frames.slice(from))
    span.add(frames.slice(from))
  }
  return { name, ...allSessions(whole), trunk, spans }
}

function allSessions(texts: RunTexts): ComparedRun {
  const { run } = texts
  return { run, entries: (session, from, to) => texts.entries(session, from, to), sessions: [...run.sessions.keys()] }
}

/** A branch's parent and the branch: sessions with these ids, else the spans of the recording with the runs' ids. */
function sidesOf(
  { run, entries, trunk, spans, name }: ComparedRecording,
  { branch, sessionId }: BranchStart,
): readonly [NamedSide, NamedSide] {
  const own = sanitizeLine(sessionId)
  const parent = branch.parent === null ? name : sanitizeLine(branch.parent)
  const sessionsOf = (id: string | null) => [...run.sessions.keys()].filter(i => run.sessions[i]?.sessionId === id)
  const [left, right] = [sessionsOf(branch.parent), sessionsOf(sessionId)]
  if (left.length > 0 && right.length > 0) {
    const both = { run, entries }
    return [
      { name: parent, ...both, sessions: left },
      { name: own, ...both, sessions: right },
    ]
  }
  const before = branch.parent === null ? undefined : spans.get(branch.parent)
  return [
    before === undefined ? { name, ...allSessions(trunk) } : { name: parent, ...allSessions(before) },
    { name: own, ...allSessions(spans.get(sessionId) ?? textsInMemory(emptyRun)) },
  ]
}

function treeLines({ name }: ComparedRecording, rows: readonly BranchRow[]): readonly string[] {
  const lines = rows.map(({ depth, start, sessionId }) => {
    if (start === null) return sanitizeLine(sessionId ?? "the run")
    const point = branchPointWords(start.branch)
    const at = point === "" ? "" : `  at ${point},`
    return `${"  ".repeat(depth - 1)}└ ${sanitizeLine(start.sessionId)}${at} from frame ${count(start.frame)}`
  })
  return [name, ...lines]
}

type ComparedRow = readonly [mark: string, label: string, a: string, b: string]

/** The columns of the ledger that stand beside each state and model: with both runs they fit into 80. */
const PART_COLUMNS = ["input", "output", "cost"] as const

/** What each state or model used in both runs; nothing if there are not two of them. */
function partRows(kind: "state" | "model", a: RunSummary, b: RunSummary): readonly ComparedRow[] {
  const decimals = Math.max(moneyDecimals(a.account), moneyDecimals(b.account))
  const cells = (account: Account = noAccount): string =>
    PART_COLUMNS.map(id => pad(ledgerCell(id, account, decimals) ?? "–", LEDGER_COLUMNS[id].width, "right")).join("")
  const empty = cells()
  const [ofA, ofB] = [a[`${kind}s`], b[`${kind}s`]]
  const found = [...new Set([...ofA.keys(), ...ofB.keys()])].flatMap((name): readonly ComparedRow[] => {
    const [left, right] = [cells(ofA.get(name)), cells(ofB.get(name))]
    if (left === empty && right === empty) return []
    return [[left === right ? "" : "!", sanitizeLine(name) || `(no ${kind})`, left, right]]
  })
  const heads = PART_COLUMNS.map(id => pad(LEDGER_COLUMNS[id].title, LEDGER_COLUMNS[id].width, "right")).join("")
  return found.length < 2 ? [] : [["", `by ${kind}`, heads, heads], ...found]
}

function compared(one: NamedSide, other: NamedSide): { readonly lines: readonly string[]; readonly same: boolean } {
  const [a, b] = [runSummary(one), runSummary(other)]
  const rows: ComparedRow[] = [["", "", one.name, other.name]]
  for (const [label, words] of FIGURES) rows.push([words(a) === words(b) ? "" : "!", label, words(a), words(b)])
  for (const id of USED) {
    const { title, words } = LEDGER_COLUMNS[id]
    const [left, right] = [words(a.account), words(b.account)]
    if (left !== null || right !== null) rows.push([left === right ? "" : "!", title, left ?? "–", right ?? "–"])
  }
  rows.push(...partRows("state", a, b), ...partRows("model", a, b))
  let hasDiverged = false
  for (const [i, pair] of pairedSteps(a, b).entries()) {
    const words = (step: typeof pair.a) => (step === null ? "–" : `${step.state}  ${duration(step.took)}`)
    const isFirst = pair.diverged && !hasDiverged
    hasDiverged ||= pair.diverged
    rows.push([isFirst ? "≠" : "", i === 0 ? "states" : "", words(pair.a), words(pair.b)])
  }
  const found = divergences(one, other)
  for (const [i, { who, turn, what, a, b }] of found.slice(0, MOST_DIVERGENCES).entries()) {
    const part = turn === null ? "" : what === "turn" ? `turn ${turn}: ` : `turn ${turn} ${what}: `
    const words = (text: string | null) => (text === null ? "–" : clip(`${part}${text}`, WIDEST))
    rows.push([i === 0 ? "≠" : "!", who, words(a), words(b)])
  }
  const label = Math.max(LABEL, ...rows.map(([, label]) => Math.min(MOST_LABEL, width(label) + 1)))
  const widest = Math.min(WIDEST, Math.max(...rows.map(([, , left]) => width(left))))
  const left = found.length - MOST_DIVERGENCES
  const more = left > 0 ? [`  and ${count(left)} more ${left === 1 ? "session differs" : "sessions differ"}`] : []
  const lines = rows.map(([mark, name, left, right]) => {
    const about = mark === "≠" ? "  first divergence" : ""
    return `${pad(mark, 2)}${pad(name, label)}${pad(left, widest)}  ${right}${about}`.trimEnd()
  })
  return { lines: [...lines, ...more], same: rows.every(([mark]) => mark === "") }
}

const FIGURES: readonly (readonly [label: string, words: (account: RunSummary) => string])[] = [
  ["outcome", ({ outcome }) => outcome],
  ["time", ({ time }) => (time === null ? "–" : duration(time))],
  ["output tokens", ({ tokens }) => count(tokens)],
  ["sessions", ({ sessions }) => count(sessions)],
  ["turns", ({ turns }) => count(turns)],
  ["retries", ({ retries }) => count(retries)],
  ["errors", ({ errors }) => count(errors)],
]

const USED: readonly LedgerColumn[] = [
  ...(["cost", "requests", "input", "cached", "reasoning", "first"] as const),
  ...(["calls", "failed", "models", "tools", "people"] as const),
]
