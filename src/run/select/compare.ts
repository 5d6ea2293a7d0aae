// Compares two runs: the figures of each, and where their paths through the chart diverge.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { at, firstIndexWhere, slice } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"
import { ledgerOf } from "../open-replies.ts"
import { elapsed, sessionName } from "./figures.ts"
import { counted } from "./row-words.ts"
import type { RunTexts } from "./run-texts.ts"
import { reportedParts, type TurnParts } from "./turn-parts.ts"

export type RunSummary = Readonly<ReturnType<typeof runSummary>>

/** A state and the time until the next one, in ms. May be shown. */
export interface ChartStep {
  readonly state: string
  readonly took: number
}

/** The figures of a run. Costs its states. */
export function runSummary(now: Run) {
  const { reason, status, facts, sessions, log, lastTs } = now
  const { total, states, models } = ledgerOf(now)
  const steps = slice(facts.stateEntries, 0, facts.stateEntries.length)
  return {
    outcome: reason === null ? status : `${status}: ${reason}`,
    time: elapsed(now),
    tokens: facts.tokens,
    account: total,
    /** By name of the state and of the model. */
    states,
    models,
    sessions: sessions.length,
    turns: sessions.reduce((sum, { turns }) => sum + turns, 0),
    retries: total.retries,
    errors: log.errors,
    path: steps.map(({ ids, ts }, i): ChartStep => {
      const until = steps[i + 1]?.ts ?? lastTs ?? ts
      return { state: ids.join(" "), took: Math.max(0, until - ts) }
    }),
  }
}

/** The paths of two runs side by side, null where one has ended; `diverged` from the first difference on. */
export function pairedSteps(a: RunSummary, b: RunSummary) {
  let diverged = false
  return Array.from({ length: Math.max(a.path.length, b.path.length) }, (_, i) => {
    const [left, right] = [a.path[i] ?? null, b.path[i] ?? null]
    diverged ||= left?.state !== right?.state
    return { a: left, b: right, diverged }
  })
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
export function divergences(a: RunTexts, b: RunTexts): readonly Divergence[] {
  return pairSessions(a, b)
    .flatMap(([one, other]) => divergenceOf(a, one, b, other) ?? [])
    .toSorted((x, y) => (x.time ?? Infinity) - (y.time ?? Infinity))
}

function pairSessions(a: RunTexts, b: RunTexts): readonly (readonly [number | null, number | null])[] {
  const left = sessionsByKey(a)
  const right = sessionsByKey(b)
  const keys = new Set([...left.keys(), ...right.keys()])
  return [...keys].map(key => [left.get(key) ?? null, right.get(key) ?? null])
}

/** Each session by its invokeid and its number under it. */
function sessionsByKey({ run }: RunTexts): ReadonlyMap<string, number> {
  const counts = new Map<string | null, number>()
  const byKey = new Map<string, number>()
  for (const [index, { invocation }] of run.sessions.entries()) {
    const invokeid = run.invocations[invocation]?.invokeid ?? null
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
  const first = firstIndexWhere(stages, one => one.turn >= turn)
  const stage = at(stages, first)
  return stage === undefined ? null : stage.ts - run.firstTs
}
