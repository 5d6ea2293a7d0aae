// Compares two runs: the figures of each, and where their paths through the chart diverge.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { at, chunksOf, firstIndexWhere, itemAt, itemsOf, slice } from "../model/chunked-list.ts"
import { type Account, type Accounts, noAccount, sumOfAccounts } from "../model/ledger.ts"
import { eventTypeOf } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"
import { accountOfSession, ledgerOf } from "../open-replies.ts"
import { elapsed, reasonOf, sessionName, sessionTime, usageOf } from "./figures.ts"
import { counted } from "./row-words.ts"
import type { RunTexts } from "./run-texts.ts"
import { reportedParts, type TurnParts } from "./turn-parts.ts"

export interface RunSummary {
  readonly outcome: string
  readonly time: number | null
  readonly tokens: number
  readonly account: Account
  /** By name of the state and of the model; empty for some sessions of a run. */
  readonly states: Accounts
  readonly models: Accounts
  readonly sessions: number
  readonly turns: number
  readonly retries: number
  readonly errors: number
  readonly path: readonly ChartStep[]
}

/** A state and the time until the next one, in ms. May be shown. */
export interface ChartStep {
  readonly state: string
  readonly took: number
}

/** One step of both paths, null if a path has ended. `diverged` from the first difference on. */
export interface StepPair {
  readonly a: ChartStep | null
  readonly b: ChartStep | null
  readonly diverged: boolean
}

/** Costs a pass over the run's log, or two. */
export function runSummary({ run, sessions }: Pick<ComparedRun, "run" | "sessions">): RunSummary {
  return sessions.length === run.sessions.length ? summaryOfRun(run) : summaryOfSessions(run, sessions)
}

function summaryOfRun(run: Run): RunSummary {
  const ledger = ledgerOf(run)
  const steps = slice(run.facts.stateEntries, 0, run.facts.stateEntries.length)
  return {
    outcome: run.reason === null ? run.status : `${run.status}: ${run.reason}`,
    time: elapsed(run),
    tokens: run.facts.tokens,
    account: ledger.total,
    states: ledger.states,
    models: ledger.models,
    sessions: run.sessions.length,
    turns: run.sessions.reduce((sum, session) => sum + session.turns, 0),
    retries: countOfRows(run, isRetry),
    errors: run.log.errors,
    path: steps.map(({ ids, ts }, i) => {
      const until = at(run.facts.stateEntries, i + 1)?.ts ?? run.lastTs ?? ts
      return { state: ids.join(" "), took: Math.max(0, until - ts) }
    }),
  }
}

/** The figures of some sessions of a run; the path through the chart belongs to the run and is left out. */
function summaryOfSessions(run: Run, sessions: readonly number[]): RunSummary {
  const all = sessions.flatMap(index => {
    const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
    return session === undefined || buffer === undefined ? [] : [{ session, buffer }]
  })
  const own = new Set<number | null>(sessions)
  const isOwn = ({ session }: Row): boolean => session !== null && own.has(session)
  const outcomes = all.map(({ session, buffer }) => {
    const reason = reasonOf(session)
    return reason === null ? buffer.turn.status : `${buffer.turn.status}: ${sanitizeLine(reason)}`
  })
  const times = all.flatMap(({ session, buffer }) => sessionTime(session, buffer, null) ?? [])
  return {
    outcome: [...new Set(outcomes)].join(", "),
    time: times.length === 0 ? null : Math.max(...times),
    tokens: all.reduce((sum, { session, buffer }) => sum + (usageOf(session, buffer).output ?? 0), 0),
    account: sessions.reduce((sum, index) => sumOfAccounts(sum, accountOfSession(run, index)), noAccount),
    states: new Map(),
    models: new Map(),
    sessions: all.length,
    turns: all.reduce((sum, { session }) => sum + session.turns, 0),
    retries: countOfRows(run, row => isOwn(row) && isRetry(row)),
    errors: countOfRows(run, row => isOwn(row) && row.level === "error"),
    path: [],
  }
}

/** Makes the rows of one chunk at a time. */
function countOfRows({ log }: Run, test: (row: Row) => boolean): number {
  let count = 0
  for (let chunk = 0; chunk < chunksOf(log.rows); chunk++) {
    for (const row of itemsOf(log.rows, chunk)) if (test(row)) count++
  }
  return count
}

function isRetry(row: Row): boolean {
  return eventTypeOf(row) === "llm/retry"
}

/** The paths of two runs side by side, marked from where they diverge. */
export function pairedSteps(a: RunSummary, b: RunSummary): readonly StepPair[] {
  let diverged = false
  return Array.from({ length: Math.max(a.path.length, b.path.length) }, (_, i) => {
    const [left, right] = [a.path[i] ?? null, b.path[i] ?? null]
    diverged ||= left?.state !== right?.state
    return { a: left, b: right, diverged }
  })
}

export interface ComparedRun extends RunTexts {
  readonly sessions: readonly number[]
}

/** The first turn in which two sessions differ. All texts may be shown. */
export interface Divergence {
  readonly who: string
  /** From 1; null if one run lacks the session. */
  readonly turn: number | null
  readonly what: keyof Pick<TurnParts, "system" | "messages" | "reply"> | "turn" | "session"
  /** The text on each side, from just before the first difference; null if there is none. */
  readonly a: string | null
  readonly b: string | null
  /** When that turn began, in ms since the run began; null if unknown. */
  readonly time: number | null
}

const PARTS = ["system", "messages", "reply"] as const
/** UTF-16 units shown before the first difference, and from there on. */
const BEFORE = 12
const SHOWN = 120

/** The first divergence of each pair of sessions (by invokeid and order), earliest first. Costs the texts up to it. */
export function divergences(a: ComparedRun, b: ComparedRun): readonly Divergence[] {
  return pairSessions(a, b)
    .flatMap(([one, other]) => divergenceOf(a, one, b, other) ?? [])
    .toSorted((x, y) => (x.time ?? Infinity) - (y.time ?? Infinity))
}

function pairSessions(a: ComparedRun, b: ComparedRun): readonly (readonly [number | null, number | null])[] {
  const left = sessionsByKey(a)
  const right = sessionsByKey(b)
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].map(key => [left.get(key) ?? null, right.get(key) ?? null])
}

/** Each session by its invokeid and its number under it. */
function sessionsByKey({ run, sessions }: ComparedRun): ReadonlyMap<string, number> {
  const counts = new Map<string | null, number>()
  const byKey = new Map<string, number>()
  for (const index of sessions) {
    const invokeid = itemAt(run.invocations, run.sessions[index]?.invocation)?.invokeid ?? null
    const count = counts.get(invokeid) ?? 0
    counts.set(invokeid, count + 1)
    byKey.set(JSON.stringify([invokeid, count]), index)
  }
  return byKey
}

function divergenceOf(textsA: RunTexts, a: number | null, textsB: RunTexts, b: number | null): Divergence | null {
  const [runA, runB] = [textsA.run, textsB.run]
  const [one, other] = [a === null ? undefined : runA.sessions[a], b === null ? undefined : runB.sessions[b]]
  if (a === null || b === null || one === undefined || other === undefined) {
    const [run, index] = a === null ? [runB, b] : [runA, a]
    const turns = (session: Session | undefined) => (session === undefined ? null : counted(session.turns, "turn"))
    const who = (index === null ? null : sessionName(run, index)) ?? ""
    return { who, turn: null, what: "session", a: turns(one), b: turns(other), time: turnStart(run, index, 1) }
  }
  const who = sessionName(runA, a) ?? ""
  const most = Math.max(one.turns, other.turns)
  const before = (texts: RunTexts, session: number) => reportedParts(texts, { session, turn: 0 }).system ?? ""
  let [systemA, systemB] = [before(textsA, a), before(textsB, b)]
  for (let turn = Math.min(1, most); turn <= most; turn++) {
    const time = turnStart(runA, a, turn) ?? turnStart(runB, b, turn)
    if (turn > one.turns || turn > other.turns) {
      const [left, right] = [counted(one.turns, "turn"), counted(other.turns, "turn")]
      return { who, turn, what: "turn", a: left, b: right, time }
    }
    const reported = [reportedParts(textsA, { session: a, turn }), reportedParts(textsB, { session: b, turn })] as const
    systemA = reported[0].system ?? systemA
    systemB = reported[1].system ?? systemB
    const left = { ...reported[0], system: systemA }
    const right = { ...reported[1], system: systemB }
    const what = PARTS.find(part => left[part] !== right[part])
    if (what !== undefined) return { who, turn, what, ...excerptsAt(left[what], right[what]), time }
  }
  return null
}

/** Both texts from just before their first difference; null for an empty one. */
export function excerptsAt(a: string, b: string): { readonly a: string | null; readonly b: string | null } {
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  const from = Math.max(0, i - BEFORE)
  const shown = (text: string): string | null => {
    if (text === "") return null
    const line = sanitizeLine(
      text
        .slice(from, from + BEFORE + SHOWN)
        .toWellFormed()
        .replace(/\s+/g, " "),
    ).trim()
    return `${from > 0 ? "…" : ""}${line}`
  }
  return { a: shown(a), b: shown(b) }
}

function turnStart(run: Run, index: number | null, turn: number): number | null {
  const stages = index === null ? undefined : run.sessions[index]?.stages
  if (stages === undefined || run.firstTs === null) return null
  const stage = at(
    stages,
    firstIndexWhere(stages, one => one.turn >= turn),
  )
  return stage === undefined ? null : stage.ts - run.firstTs
}
