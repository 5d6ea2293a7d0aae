// Finds the causes of a turn or of a change of states: the request, the rows in between, the event, the waits, and the
// first difference to a good visit.
import type { EventBody } from "../../../packages/wire/src/event-body.ts"
import { printJson } from "../../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { rowIdOf, turnIdOf } from "../identity/find-by-id.ts"
import { type Recalled, recalledRowAt, withRecalledFrame } from "../memory/recalled-frames.ts"
import { itemAt } from "../model/chunked-list.ts"
import type { RowId, TurnPlace, TurnRef } from "../model/id.ts"
import { eventTypeOf } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import type { CapturedRun } from "./captures.ts"
import { excerptsAt } from "./compare.ts"
import { sessionName } from "./figures.ts"
import { turnFacts } from "./turn-facts.ts"
import { type TurnParts, turnParts } from "./turn-parts.ts"
import {
  answeredAfter,
  isFailedTool,
  isTransition,
  isWrong,
  latestRows,
  refsIn,
  rowsBefore,
  rowsOfTurn,
  speakerBefore,
  type ToldRow,
} from "./turn-rows.ts"
import { stageName, waterfallTurnOf } from "./waterfall.ts"

/** One thing that led to a turn or a change of states. All texts may be shown. */
export type Cause =
  | { readonly type: "row"; readonly label: string; readonly row: RowId }
  /** A fact of the turn before, or of a good visit, beside the same fact here. */
  | {
      readonly type: "compared"
      readonly label: string
      readonly before: string | null
      readonly here: string | null
      readonly to: CauseTarget
    }

/** The place that shows more: a row of the log, both turns, or a tab at the turn. */
export type CauseTarget =
  | { readonly type: "row"; readonly row: RowId }
  | { readonly type: "turns"; readonly before: TurnRef; readonly after: TurnRef }
  | { readonly type: "tab"; readonly tab: "context" | "waterfall"; readonly turn: TurnRef }

export interface Causes {
  readonly title: string
  readonly list: readonly Cause[]
}

/** First turns that are compared with a good visit, and the number of them whose captures are read. */
const COMPARED_TURNS = 64
const READ_TURNS = 16

/** The captures of a turn, of the turn before it, and of the turns that are compared with a good visit. */
export function refsOfTurn(run: Run, place: TurnPlace): readonly string[] {
  const good = goodVisit(run, place)
  const first = good === null ? [] : Array.from({ length: Math.min(READ_TURNS, place.turn) }, (_, i) => i + 1)
  const turns = [...new Set([...first, Math.max(1, place.turn - 1), place.turn])]
  const places = [place.session, ...(good === null ? [] : [good])].flatMap(session =>
    turns.map(turn => ({ session, turn })),
  )
  return [...new Set(places.flatMap(one => refsIn(run, one)))]
}

/** The causes of a turn and of its failure. */
export function causesOfTurn(known: CapturedRun, place: TurnPlace): Causes {
  const { run } = known
  const session = run.sessions[place.session]
  if (session === undefined) return { title: "", list: [] }
  const rows = rowsOfTurn(run, place, session)
  const before: TurnPlace = { session: place.session, turn: place.turn - 1 }
  const good = goodVisit(run, place)
  return {
    title: `${sessionName(run, place.session) ?? ""} turn ${place.turn}`,
    list: [
      ...ofTold(run, latestRows(rows.own.filter(isWrong)), () => "what failed"),
      ...(before.turn > 0 ? compared(known, "turn before", before, place) : []),
      ...ofTold(run, latestRows(rows.between), row => betweenLabel(run, row)),
      ...(rows.transition === null ? [] : [ofRow(run, "transition", rows.transition)]),
      ...waits(run, place),
      ...(good === null ? [] : ofGoodVisit(known, good, place)),
    ],
  }
}

/** The causes of a row without a session, such as a change of states or an error of the run. */
export function causesOfRow(known: CapturedRun & { readonly recalled: Recalled }, index: number): Causes {
  const { run, recalled } = known
  const row = recalledRowAt({ present: run, recalled }, index)
  if (row === undefined) return { title: "", list: [] }
  const step = stepOf(row)
  const { transitions, story } = rowsBefore(run, index)
  const earlier = transitions.map(one => withRecalledFrame(one, recalled))
  const labelOf = (one: Row): string => {
    if (!isTransition(one)) return betweenLabel(run, one)
    return step === null && one === transitions[0] ? "transition" : "state before"
  }
  return {
    title: step?.entered.join(", ") || "this row",
    list: [
      ofRow(run, step === null ? "what happened" : "transition", row),
      ...(step === null ? [] : [...ofVisits(run, row, step, earlier), ...ofSpeaker(known, index)]),
      ...ofTold(run, story, labelOf),
    ],
  }
}

/** The captures that are compared with a good visit of the session that led to a row. */
export function refsOfRow(run: Run, index: number): readonly string[] {
  const place = speakerBefore(run, index)
  return place === null ? [] : refsOfTurn(run, place)
}

function ofSpeaker(known: CapturedRun, index: number): readonly Cause[] {
  const place = speakerBefore(known.run, index)
  const good = place === null ? null : goodVisit(known.run, place)
  return place === null || good === null ? [] : ofGoodVisit(known, good, place)
}

type Step = EventBody<"runner/event-processed">

/** By which event, and after how long, the states of a step were left before it; `earlier` has the newest first. */
function ofVisits(run: Run, row: Row, step: Step, earlier: readonly Row[]): readonly Cause[] {
  const leaves = (one: Row): boolean => step.exited.some(id => stepOf(one)?.exited.includes(id))
  const place = earlier.findIndex(leaves)
  const before = earlier[place]
  const spent = (left: Row, rows: readonly Row[]): string | null => {
    const from = rows.find(one => step.exited.some(id => stepOf(one)?.entered.includes(id)))?.ts ?? null
    return from === null || left.ts === null ? null : `${((left.ts - from) / 1000).toFixed(1)}s`
  }
  const now = spent(row, earlier)
  const then = before === undefined ? null : spent(before, earlier.slice(place + 1))
  const to = { type: "row", row: rowIdOf(run, before ?? row) } as const
  const compared = (label: string, one: string | null, here: string | null): readonly Cause[] =>
    here === null ? [] : [{ type: "compared", label, before: one, here, to }]
  return [
    ...(before === undefined ? [] : compared("left before, and now", stepWords(before), stepWords(row))),
    ...compared(`time in ${step.exited.join(", ")}`, then, now),
  ]
}

function stepOf({ what }: Row): EventBody<"runner/event-processed"> | null {
  return what.kind === "event" && what.body.type === "runner/event-processed" ? what.body : null
}

/** A change of states with the data of its event, which decides between two of them. */
function stepWords(row: Row): string | null {
  const step = stepOf(row)
  if (step === null || row.what.kind !== "event") return null
  const data = row.what.data["event-data"]
  const words = [step.eventName, data == null ? null : printJson(data), `→ ${step.entered.join(", ")}`]
  return sanitizeLine(words.filter(word => word !== null).join(" "))
}

function betweenLabel(run: Run, row: Row): string {
  switch (eventTypeOf(row)) {
    case "llm/tool-result":
      return isFailedTool(row) ? "failed tool" : "tool result"
    case "human-input/answer":
      return `answer${answeredAfter(run, row)}`
    case "llm/user-message":
      return "message"
    case "llm/response":
      return "reply"
    default:
      return "error"
  }
}

function ofTold(run: Run, rows: readonly ToldRow[], labelOf: (row: Row) => string): readonly Cause[] {
  return rows.map(({ row, left }) => ofRow(run, left > 0 ? `and ${left} more` : labelOf(row), row))
}

function ofRow(run: Run, label: string, row: Row): Cause {
  return { type: "row", label, row: rowIdOf(run, row) }
}

const COMPARED: readonly (readonly [part: keyof Omit<TurnParts, "isWhole">, words: string])[] = [
  ["model", "model"],
  ["system", "system prompt"],
  ["tools", "tools"],
  ["parameters", "parameters"],
  ["messages", "messages"],
]

/** The parts of two turns: from the captures if both were read, else from events. */
function partsOf(known: CapturedRun, a: TurnPlace, b: TurnPlace): readonly [TurnParts, TurnParts] {
  const [one, other] = [turnParts(known, a), turnParts(known, b)]
  if (one.isWhole === other.isWhole) return [one, other]
  const reported = { ...known, captures: new Map() }
  return [turnParts(reported, a), turnParts(reported, b)]
}

/** The differences between the requests of two turns, a line for each part. */
function compared(known: CapturedRun, label: string, before: TurnPlace, here: TurnPlace): readonly Cause[] {
  const { run } = known
  const [one, other] = partsOf(known, before, here)
  const to = { type: "turns", before: refOf(run, before), after: refOf(run, here) } as const
  const parts = COMPARED.flatMap(([part, words]): readonly Cause[] => {
    const isUntold = !other.isWhole && other[part] === ""
    if (one[part] === other[part] || isUntold) return []
    const texts = excerptsAt(one[part], other[part])
    return [{ type: "compared", label: `${label}: ${words}`, before: texts.a, here: texts.b, to }]
  })
  return [...parts, ...inputs(run, label, before, here)]
}

function inputs(run: Run, label: string, before: TurnPlace, here: TurnPlace): readonly Cause[] {
  const [one, other] = [before, here].map(
    ({ session, turn }) => turnFacts(run, session, turn, 0)?.context.latest ?? null,
  )
  if (one == null || other == null || one === other) return []
  const words = (tokens: number): string => `${tokens.toLocaleString("en")} tokens`
  const to = { type: "tab", tab: "context", turn: refOf(run, here) } as const
  return [{ type: "compared", label: `${label}: input`, before: words(one), here: words(other), to }]
}

function refOf(run: Run, { session, turn }: TurnPlace): TurnRef {
  const known = run.sessions[session]
  if (known === undefined) throw new RangeError(`no session at ${session}`)
  return { session: known.id, turn: turnIdOf(known, turn) }
}

function waits(run: Run, { session, turn }: TurnPlace): readonly Cause[] {
  const spent = (wanted: number): string | null => {
    const ms = waterfallTurnOf(run, session, wanted, run.lastTs ?? 0)?.ms
    if (ms === undefined) return null
    const kinds = ["waiting", "first-token", "generation", "tool", "human"] as const
    const words = kinds.flatMap(kind => (ms[kind] ? [`${stageName(kind)} ${(ms[kind] / 1000).toFixed(1)}s`] : []))
    return words.length === 0 ? null : words.join(", ")
  }
  const here = spent(turn)
  if (here === null) return []
  const to = { type: "tab", tab: "waterfall", turn: refOf(run, { session, turn }) } as const
  return [{ type: "compared", label: "time", before: spent(turn - 1), here, to }]
}

/** Another session of the same invokeid that went well: the latest before this one, else the first after it. */
function goodVisit(run: Run, { session }: TurnPlace): number | null {
  const invokeid = itemAt(run.invocations, run.sessions[session]?.invocation)?.invokeid ?? null
  if (invokeid === null) return null
  const good = run.invocations
    .filter(one => one.invokeid === invokeid)
    .flatMap(one => one.sessions)
    .filter(index => index !== session && wentWell(run, index))
  return good.findLast(index => index < session) ?? good[0] ?? null
}

function wentWell(run: Run, index: number): boolean {
  const session = run.sessions[index]
  const isDone = run.turnBuffers[index]?.turn.status === "done"
  return isDone && session?.error === null && session.failedTools === 0 && session.truncatedReplies === 0
}

const ASKED = ["system", "messages"] as const
const SAID = ["reply"] as const

/** The first differences between a session and a good visit: in the request, and in the reply. */
function ofGoodVisit(known: CapturedRun, good: number, here: TurnPlace): readonly Cause[] {
  return [ASKED, SAID].flatMap(parts => firstDifference(known, good, here, parts) ?? [])
}

function firstDifference(
  known: CapturedRun,
  good: number,
  { session, turn }: TurnPlace,
  parts: readonly (keyof Pick<TurnParts, "system" | "messages" | "reply">)[],
): Cause | null {
  const { run } = known
  const turns = Math.min(turn, run.sessions[good]?.turns ?? 0, COMPARED_TURNS)
  for (let each = 1; each <= turns; each++) {
    const before = { session: good, turn: each }
    const here = { session, turn: each }
    const [one, other] = partsOf(known, before, here)
    const part = parts.find(name => one[name] !== other[name])
    if (part === undefined) continue
    const { a, b } = excerptsAt(one[part], other[part])
    const label = `${sessionName(run, good) ?? ""}: ${part === "system" ? "system prompt" : part}, turn ${each}`
    return {
      type: "compared",
      label,
      before: a,
      here: b,
      to: { type: "turns", before: refOf(run, before), after: refOf(run, here) },
    }
  }
  return null
}
