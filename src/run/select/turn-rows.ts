import { requestRefOf } from "../../../packages/wire/src/capture-place.ts"
import { rowIdOf, rowIndex } from "../identity/find-by-id.ts"
import { isTruncatedReply } from "../log.ts"
import { at, firstIndexWhere, itemAt, slice } from "../model/chunked-list.ts"
import type { TurnPlace } from "../model/id.ts"
import { changesState, eventTypeOf } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"
import { textsInMemory, turnEntries } from "./run-texts.ts"
import { turnOfRow } from "./turn-facts.ts"

/** Log rows that are looked at before the turn, at most. */
export const ROWS_BACK = 5000
export interface TurnRows {
  /** Since the session's reply before: results, answers, messages, errors. */
  readonly between: readonly Row[]
  readonly transition: Row | null
  readonly own: readonly Row[]
}

/** The log rows of a turn, and those that led to it. Looks back at a bounded number of rows. */
export function rowsOfTurn(run: Run, { session, turn }: TurnPlace, { entries, epoch }: Session): TurnRows {
  const { rows } = run.log
  const orderOf = (wanted: number): number => {
    const first = firstIndexWhere(entries, entry => entry.turn >= wanted)
    return at(entries, first)?.order ?? Infinity
  }
  const rowAt = (order: number): number =>
    firstIndexWhere(rows, row => row.epoch > epoch || (row.epoch === epoch && row.order >= order))
  const [start, end] = [rowAt(orderOf(turn)), rowAt(orderOf(turn + 1))]
  const own = slice(rows, start, Math.min(end, start + ROWS_BACK)).filter(row => row.session === session)
  const between: Row[] = []
  let transition: Row | null = null
  let isBefore = false
  for (let i = start - 1; i >= Math.max(0, start - ROWS_BACK) && !(isBefore && transition !== null); i--) {
    const row = at(rows, i)
    if (row === undefined || row.epoch !== epoch) break
    if (transition === null && isTransition(row)) transition = row
    if (isBefore) continue
    if (row.session === session && eventTypeOf(row) === "llm/response") isBefore = true
    else if (isReason(row) && (row.session === session || eventTypeOf(row) === "human-input/answer"))
      between.unshift(row)
  }
  return { between, transition, own }
}

/** Rows of each kind that are listed before a row. */
const TOLD = 4

/** A listed row, or with `left` the first of that many rows that are left out. */
export interface ToldRow {
  readonly row: Row
  readonly left: number
}

/**
 * The latest changes of states, failures and reasons before a row, and always the latest failed tool, the first failure
 * and the next reply of the model. Looks back at a bounded number of rows.
 */
export function rowsBefore({ log: { rows } }: Run, index: number) {
  const transitions: Row[] = []
  const latestFirst: { readonly row: Row; readonly isWrong: boolean; readonly isNear: boolean }[] = []
  const told = { transition: 0, wrong: 0, reason: 0 }
  const epoch = at(rows, index)?.epoch
  for (let i = index - 1; i >= Math.max(0, index - ROWS_BACK); i--) {
    const row = at(rows, i)
    if (row === undefined || row.epoch !== epoch) break
    const kind = kindOf(row)
    if (kind === null) continue
    if (kind === "transition") transitions.push(row)
    const isNear = ++told[kind] <= TOLD
    if (isNear || kind !== "transition") latestFirst.push({ row, isWrong: kind === "wrong", isNear })
  }
  const all = latestFirst.toReversed()
  const first = all.find(one => one.isWrong)?.row
  const isReply = ({ row }: { readonly row: Row }) =>
    row.session === first?.session && eventTypeOf(row) === "llm/response"
  const after = all.slice(all.findIndex(({ row }) => row === first) + 1).find(isReply)?.row
  const always = [first, after, all.findLast(({ row }) => isFailedTool(row))?.row]
  const story: ToldRow[] = []
  for (const { row, isNear } of all) {
    const last = story.at(-1)
    if (isNear || always.includes(row)) story.push({ row, left: 0 })
    else if (last === undefined || last.left === 0) story.push({ row, left: 1 })
    else story[story.length - 1] = { row: last.row, left: last.left + 1 }
  }
  return { transitions, story }
}

function kindOf(row: Row): "transition" | "wrong" | "reason" | null {
  if (isTransition(row)) return "transition"
  if (isWrong(row)) return "wrong"
  return isReason(row) ? "reason" : null
}

/** The first of these rows and the latest. */
export function latestRows(rows: readonly Row[]): readonly ToldRow[] {
  const left = rows.length - TOLD - 1
  return rows.flatMap((row, i) => {
    if (left < 1 || i === 0 || i > left) return { row, left: 0 }
    return i === 1 ? { row, left } : []
  })
}

/** The turn of the session that was heard last before a row, if no state changed in between; null for none. */
export function speakerBefore({ log: { rows }, sessions }: Run, index: number): TurnPlace | null {
  for (let i = index - 1; i >= Math.max(0, index - ROWS_BACK); i--) {
    const row = at(rows, i)
    if (row === undefined || row.epoch !== at(rows, index)?.epoch || isTransition(row)) return null
    const session = itemAt(sessions, row.session)
    if (row.session !== null && session !== undefined) return { session: row.session, turn: turnOfRow(session, row) }
  }
  return null
}

/** How long the person took, in words behind "answer", where the row of the question is in memory. */
export function answeredAfter(run: Run, answer: Row): string {
  const { rows } = run.log
  const invokeid = answer.what.kind === "event" ? answer.what.invokeid : null
  const last = rowIndex(run, rowIdOf(run, answer))
  for (let i = last - 1; i >= Math.max(0, last - ROWS_BACK); i--) {
    const row = at(rows, i)
    if (row?.what.kind !== "event" || row.what.body.type !== "human-input/start") continue
    if (row.what.invokeid !== invokeid || row.ts === null || answer.ts === null) continue
    return ` after ${((answer.ts - row.ts) / 1000).toFixed(1)}s`
  }
  return ""
}

/** True for the result of a tool that failed. */
export function isFailedTool(row: Row): boolean {
  return row.level === "error" && eventTypeOf(row) === "llm/tool-result"
}

/** True for a row in which states changed. */
export function isTransition({ what }: Row): boolean {
  return what.kind === "event" ? changesState(what) : what.kind === "evicted" && what.changesState
}

/** True for a row that an agent acts on: a result, an answer, a message, an error. */
export function isReason(row: Row): boolean {
  const type = eventTypeOf(row)
  const told: readonly (typeof type)[] = ["llm/tool-result", "human-input/answer", "llm/user-message", "llm/response"]
  return row.level === "error" || told.includes(type)
}

/** True for a failure: an error, or a reply that was cut or refused. */
export function isWrong(row: Row): boolean {
  const { what } = row
  if (row.level === "error") return true
  return what.kind === "event" && what.body.type === "llm/response" && isTruncatedReply(what.body.stopReason)
}

/** The raw refs of a turn's captures, that of its request included. */
export function refsIn(run: Run, place: TurnPlace): readonly string[] {
  const request = requestRef(run, place)
  return [...new Set([...entryRefs(run, place), ...(request === null ? [] : [request])])]
}

/**
 * The raw ref of the capture of a turn's request; null if it is unknown. No entry names it if the request said nothing
 * new, and a turn that runs or was cut may have no entries at all.
 */
export function requestRef(run: Run, place: TurnPlace): string | null {
  const session = run.sessions[place.session]
  if (session === undefined || session.capturePlace === null) return null
  return (
    entryRefs(run, place)
      .map(requestRefOf)
      .find(ref => ref !== null) ?? loggedRequest(run, session, place)
  )
}

function entryRefs(run: Run, place: TurnPlace): readonly string[] {
  return turnEntries(textsInMemory(run), place).flatMap(({ ref }) => ref ?? [])
}

/** The ref of a turn's request in the log, between the entries of the turns around it. */
function loggedRequest({ log: { rows } }: Run, session: Session, place: TurnPlace): string | null {
  const { entries, epoch, turns } = session
  const first = firstIndexWhere(entries, entry => entry.turn >= place.turn)
  const [before, next] = [at(entries, first - 1), at(entries, first)]
  const [least, most] = [before?.order ?? -1, next?.order ?? Infinity]
  const end = firstIndexWhere(rows, row => row.epoch > epoch || (row.epoch === epoch && row.order > most))
  let turn = next?.turn ?? turns
  for (let i = end - 1; i >= Math.max(0, end - ROWS_BACK) && turn >= place.turn; i--) {
    const row = at(rows, i)
    if (row === undefined || row.epoch !== epoch || row.order <= least) return null
    if (row.session !== place.session) continue
    const type = eventTypeOf(row)
    if (type === "llm/start") turn--
    if (type !== "llm/request" || turn !== place.turn || row.what.kind !== "event") continue
    const ref = row.what.data["io/ref"]
    return typeof ref === "string" ? ref : null
  }
  return null
}
