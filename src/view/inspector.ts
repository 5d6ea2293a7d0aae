// Holds the inspector's tab and cursors, and sorts the list of invocations.
import { sessionIndex } from "../run/identity/find-by-id.ts"
import type { SessionId, TurnRef } from "../run/model/id.ts"
import type { LedgerWay } from "../run/model/ledger.ts"
import type { Run } from "../run/model/run.ts"
import type { SessionStatus } from "../run/model/session.ts"
import { sessionTime, usageOf } from "../run/select/figures.ts"
import { type WaterfallViewport, wholeViewport } from "../run/select/waterfall.ts"
import type { Tab } from "./pane-names.ts"

export const ORDERS = ["newest", "name", "status", "time", "in", "out"] as const
export type SessionOrder = (typeof ORDERS)[number]

/** What a person did to the inspector; it stays while the inspector is closed. */
export interface Inspector {
  readonly tab: Tab
  /** The session under the cursor of the list; null for its first row. */
  readonly row: SessionId | null
  readonly order: SessionOrder
  /** The sessions as they were sorted when that was asked for; null where the newest stands first. */
  readonly sorted: readonly SessionId[] | null
  /** The turn that another is to be compared with. */
  readonly marked: TurnRef | null
  /** Name of the artifact under the cursor; null for the first. */
  readonly artifact: string | null
  /** First line shown of the agent's log; null follows its end. */
  readonly logTop: number | null
  readonly fall: WaterfallViewport
  readonly ledgerBy: LedgerWay
  /** The row under its cursor: rows keep their places. */
  readonly ledgerRow: number
  /** The turn under the cursor of the context; null for the latest, as is a turn of another session than `row`. */
  readonly contextAt: TurnRef | null
  /** First line shown of a tab that is read from top to bottom. */
  readonly top: number
}

export const freshInspector: Inspector = {
  tab: "invocations",
  row: null,
  order: "newest",
  sorted: null,
  marked: null,
  artifact: null,
  logTop: null,
  fall: wholeViewport,
  ledgerBy: "state",
  ledgerRow: 0,
  contextAt: null,
  top: 0,
}

type Sorted = Inspector["sorted"]

/** The index of the session in a row of the list; null where there is none. */
export function sessionAt(run: Run, sorted: Sorted, row: number): number | null {
  if (row < 0 || row >= run.sessions.length) return null
  return sorted === null ? run.sessions.length - 1 - row : (listOf(run, sorted).rows[row] ?? null)
}

/** The index of the session under the cursor, else of the latest; -1 for none. */
export function inspectedSession({
  run,
  view,
}: {
  readonly run: Run
  readonly view: { readonly inspector: Inspector }
}): number {
  return sessionIndex(run, view.inspector.row) ?? run.sessions.length - 1
}

/** The row of a session in the list; the first for one that is not known. */
export function rowOf(run: Run, sorted: Sorted, session: SessionId | null): number {
  const index = sessionIndex(run, session)
  if (index === null) return 0
  return sorted === null ? run.sessions.length - 1 - index : (listOf(run, sorted).places[index] ?? 0)
}

interface SortedList {
  readonly invocations: Run["invocations"]
  /** The session in each row, and the row of each session. */
  readonly rows: readonly number[]
  readonly places: readonly number[]
}

/** A cache: the rows change only with the sessions. */
const lists = new WeakMap<readonly SessionId[], SortedList>()

/** Sessions that came after the sorting stand first, newest first: rows keep their places until the next sort. */
function listOf(run: Run, sorted: readonly SessionId[]): SortedList {
  const known = lists.get(sorted)
  if (known?.invocations === run.invocations) return known
  const before = sorted.flatMap(id => sessionIndex(run, id) ?? [])
  const isSorted = new Set(before)
  const newer = run.sessions.map((_, index) => run.sessions.length - 1 - index).filter(index => !isSorted.has(index))
  const rows = [...newer, ...before]
  const places: number[] = []
  for (const [row, index] of rows.entries()) places[index] = row
  const made = { invocations: run.invocations, rows, places }
  lists.set(sorted, made)
  return made
}

/** The sessions in an order: texts from A on, numbers from the greatest on, equals by age, newest first. */
export function sortSessions(run: Run, order: SessionOrder, now: number): Sorted {
  const ids = (indexes: readonly number[]) => indexes.flatMap(index => run.sessions[index]?.id ?? [])
  if (order === "newest") return null
  const newest = run.sessions.map((_, index) => run.sessions.length - 1 - index)
  const text = (index: number): string => {
    const session = run.sessions[index]
    if (order === "status") return String(STATUSES.indexOf(run.turnBuffers[index]?.status ?? "done"))
    return `${run.invocations[session?.invocation ?? -1]?.title} ${session?.title}`
  }
  const size = (index: number): number => {
    const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || stream === undefined) return -1
    if (order === "time") return sessionTime(session, stream, now) ?? -1
    return usageOf(session, stream)[order === "in" ? "input" : "output"] ?? -1
  }
  const isText = order === "name" || order === "status"
  const keyed = newest.map(index => ({ index, text: isText ? text(index) : "", size: isText ? 0 : size(index) }))
  return ids(keyed.sort((a, b) => compare(a.text, b.text) || b.size - a.size).map(one => one.index))
}

/** Statuses that need attention stand first. */
const STATUSES: readonly SessionStatus[] = ["error", "streaming", "waiting", "done"]

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
