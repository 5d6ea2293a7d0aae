// Lists the rows of the live pane (docs/decisions.md 3.3).
import { sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { GroupId } from "../../run/model/id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import { type Invocation, spentTokens } from "../../run/model/session.ts"
import { activityOf, isAmongOpen, noTally } from "../../run/model/tally.ts"
import { sessionName } from "../../run/select/figures.ts"
import { type SessionState, STATES, sessionFilter, type Target, WORK_FIRST } from "../../view/live-list.ts"
import { askerOf, targetOf } from "../../view/select/shown-session.ts"
import { answerable, isOver, type State } from "../../view/state.ts"
import type { View } from "../../view/view.ts"

/** The rows of the live pane, and how many of the first are pinned. */
export interface LiveRows {
  readonly rows: readonly Target[]
  readonly pinned: number
}

type Listed = Pick<State, "run" | "view" | "link" | "isPast">

/** `invocations` is a new list whenever a session is added. */
const wanted = derived<number>()

/** How many rows all sessions take, each group with its own; those of folded groups don't count. */
export function rowsWanted({ run, view }: Pick<State, "run" | "view">): number {
  const { invocations } = run
  const { folded } = view.list
  return wanted([invocations, folded], () => {
    const taken = ({ id, sessions }: Invocation) =>
      sessions.length === 1 || folded.includes(id) ? 1 : sessions.length + 1
    return invocations.reduce((rows, invocation) => rows + taken(invocation), 0)
  })
}

/** What gives way where not all rows fit: finished sessions, and where that is not enough failed ones. */
type GivesWay = "nothing" | "finished" | "failed"

/** Rows below the list of a run that is over which tell what came of it; the lanes below them are a row each. */
const OUTCOME = 8
/** A place with so many rows is on a terminal that has the lanes beside the sessions. */
const TALL = 30

/** Rows change with the status of a session, the end of the run, a question, or by a key. */
const listed = derived<LiveRows>()

/** The rows, where `room` of them fit. With less room than rows, what is over gives way to what runs. */
export function liveRows(state: Listed, room: number): LiveRows {
  const { run, view } = state
  const filter = liveFilter(view)
  const { folded, unfolded, order, pins } = view.list
  // Every session found has a row, whether or not it fits.
  const rows = filter === "" ? room : Number.POSITIVE_INFINITY
  const inputs = [run.tallies, folded, unfolded, order, pins, filter, run.prompts, rows, isOver(run)] as const
  return listed(inputs, () => rowsThatFit(state, filter, rows))
}

function rowsThatFit(state: Listed, filter: string, room: number): LiveRows {
  const { run, view } = state
  const pins = view.list.pins.flatMap(pin => targetOf(run, sessionIndex(run, pin)) ?? [])
  const rowsOf = view.list.order === "came" ? groupedRows : sortedRows
  const fits = rowsWanted(state) <= room
  const free = room - pins.length
  const unpinned = (rows: readonly Target[]) =>
    pins.length === 0 ? rows : rows.filter(row => !pins.some(pin => sameTarget(pin, row)))
  const first = unpinned(rowsOf(state, filter, fits ? "nothing" : "finished", free))
  const canGive = fits || run.tally.failed.length > 0
  const rest = canGive && hidesWork(run, first, free) ? unpinned(rowsOf(state, filter, "failed", free)) : first
  return { rows: [...pins, ...rest], pinned: pins.length }
}

/** Whether a session at work has a row below the first `room`. */
function hidesWork(run: Run, rows: readonly Target[], room: number): boolean {
  return rows.slice(Math.max(0, room)).some(row => {
    const index = row.type === "session" ? (sessionIndex(run, row.session) ?? -1) : -1
    return isAmongOpen(run.tally, index)
  })
}

/** What sessions are found by: what is being typed, else what was. */
export function liveFilter({ typing, list }: View): string {
  return (typing?.to === "sessions" ? typing.text : list.filter).trim()
}

/** The selection, or the first session found if the filter hides the selection. */
export function selectionIn(state: Listed): Target | null {
  const { typing, list } = state.view
  if (liveFilter(state.view) === "") return list.selected
  const { rows } = liveRows(state, Number.POSITIVE_INFINITY)
  const wanted = typing?.before.list?.selected ?? list.selected
  const own = rows[rowOfTarget(state.run, { rows }, wanted)] ?? null
  if (sameTarget(own, wanted) && (typing === null || wanted?.type === "session")) return wanted
  return rows.find(({ type }) => type === "session") ?? list.selected
}

/** Without a question in it, a group's rows depend only on its tally and on what is unfolded. */
const listedOfGroup = derived<readonly Target[]>()

/** Groups in the order in which they came, with their sessions below unless folded. */
function groupedRows(state: Listed, filter: string, givesWay: GivesWay, room: number): readonly Target[] {
  const { run, view } = state
  const asking = askersOf(state)
  const passes = filter === "" ? null : filterOf(run, filter, asking)
  const groupsAsking = new Set([...asking.keys()].map(index => run.sessions[index]?.invocation))
  const groups = run.invocations.map((invocation, group): readonly Target[] => {
    const { id, sessions } = invocation
    if (passes !== null) return foundRows(run, invocation, passes)
    if (sessions.length > 1 && view.list.folded.includes(id)) return [{ type: "group", invocation: id }]
    const own = view.list.unfolded.includes(id) ? "nothing" : givesWay
    const tally = run.tallies[group]
    if (tally === undefined || groupsAsking.has(group)) return rowsOfGroup(run, group, asking, own)
    return listedOfGroup([tally, own], () => rowsOfGroup(run, group, asking, own))
  })
  if (givesWay === "nothing" || !isOver(run)) return groups.flat()
  // Nothing moves any more: the first groups open again while there is room.
  let free = room - groups.reduce((sum, rows) => sum + rows.length, OUTCOME + (room < TALL ? groups.length : 0))
  return groups.flatMap((rows, group) => {
    const { id, sessions = [] } = run.invocations[group] ?? {}
    const more = sessions.length + 1 - rows.length
    if (sessions.length <= 1 || id === undefined || view.list.folded.includes(id) || more > free) return rows
    free -= more
    return rowsOfGroup(run, group, asking, "nothing")
  })
}

/** The rows of a group while a filter is on: its matching sessions, below its head. */
function foundRows(run: Run, { id, sessions }: Invocation, passes: (index: number) => boolean): readonly Target[] {
  const found = targets(run, sessions.filter(passes))
  return found.length === 0 || sessions.length === 1 ? found : [{ type: "group", invocation: id }, ...found]
}

function rowsOfGroup(
  run: Run,
  group: number,
  asking: ReadonlyMap<number, Prompt>,
  givesWay: GivesWay,
): readonly Target[] {
  const { id: invocation, sessions = [] } = run.invocations[group] ?? {}
  if (invocation === undefined || sessions.length <= 1) return targets(run, sessions)
  const head: Target = { type: "group", invocation }
  const kept = givesWay === "nothing" ? sessions : keptRows(run, group, asking, givesWay)
  if (sessions.length - kept.length < 2) return [head, ...targets(run, sessions)]
  return kept.length === 0 ? [head] : [head, { type: "finished", invocation }, ...targets(run, kept)]
}

/** The sessions of a group that keep a row: those that run or ask, and where there is room those that failed. */
function keptRows(run: Run, group: number, asking: ReadonlyMap<number, Prompt>, givesWay: GivesWay): readonly number[] {
  const { open, failed } = run.tallies[group] ?? noTally
  const kept = givesWay === "failed" ? open : [...open, ...failed]
  const asks = [...asking.keys()].filter(index => run.sessions[index]?.invocation === group && !kept.includes(index))
  return [...kept, ...asks].sort((a, b) => a - b)
}

/** All sessions without their groups; equals in the order in which they came. */
function sortedRows(state: Listed, filter: string, givesWay: GivesWay): readonly Target[] {
  const { run, view } = state
  const asking = askersOf(state)
  const passes = filterOf(run, filter, asking)
  const indexes = run.sessions.map((_, index) => index).filter(passes)
  const key = (index: number): number => {
    if (view.list.order === "newest") return -index
    if (view.list.order === "needs")
      return (givesWay === "failed" ? WORK_FIRST : STATES).indexOf(stateOf(run, index, asking))
    const buffer = run.turnBuffers[index]
    return buffer === undefined ? 0 : -spentTokens(buffer)
  }
  const keys = new Map(indexes.map(index => [index, key(index)]))
  return targets(
    run,
    indexes.sort((a, b) => (keys.get(a) ?? 0) - (keys.get(b) ?? 0)),
  )
}

function filterOf(run: Run, filter: string, asking: ReadonlyMap<number, Prompt>): (index: number) => boolean {
  if (filter === "") return () => true
  const passes = sessionFilter(filter)
  return index => passes(sessionName(run, index) ?? "", stateOf(run, index, asking))
}

function stateOf(run: Run, index: number, asking: ReadonlyMap<number, Prompt>): SessionState {
  if (asking.has(index)) return "asking"
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  const activity = session === undefined || buffer === undefined ? "done" : activityOf(session, buffer)
  if (activity === "error") return "failed"
  return activity === "streaming" || activity === "tool" ? "running" : activity
}

/** The sessions that wait for an answer, by index, each with its question; of a question of nobody's there is none. */
export function askersOf(state: Listed): ReadonlyMap<number, Prompt> {
  const { run } = state
  const found = new Map<number, Prompt>()
  for (const prompt of answerable(state)) {
    const index = askerOf(run, prompt)
    const invokeid = run.invocations[run.sessions[index ?? -1]?.invocation ?? -1]?.invokeid
    if (index !== null && invokeid === prompt.asker) found.set(index, prompt)
  }
  return found
}

function targets(run: Run, indexes: readonly number[]): readonly Target[] {
  return indexes.map(index => targetOf(run, index)).filter(row => row !== null)
}

/** The row of the selection: its own, else the one that stands for it, else the first. */
export function rowOfTarget(run: Run, { rows }: Pick<LiveRows, "rows">, target: Target | null): number {
  if (target === null) return 0
  const invocation = groupOf(run, target)
  const places = placed([rows], () => new Map(rows.map((row, index) => [keyOf(row), index])))
  const own = places.get(keyOf(target))
  if (own !== undefined || invocation === null) return own ?? 0
  return places.get(keyOf({ type: "finished", invocation })) ?? places.get(keyOf({ type: "group", invocation })) ?? 0
}

/** Where each row stands, by its key. */
const placed = derived<ReadonlyMap<string, number>>()

function keyOf(target: Target): string {
  return target.type === "session" ? target.session : `${target.type} ${target.invocation}`
}

/** The group that a row is, or stands in; null where the run has no such row. */
export function groupOf(run: Run, target: Target): GroupId | null {
  if (target.type !== "session") return target.invocation
  return run.invocations[sessionById(run, target.session)?.invocation ?? -1]?.id ?? null
}

/** Whether both are the same row, or no row. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a === null || b === null) return a === b
  if (a.type === "session") return b.type === "session" && a.session === b.session
  return b.type === a.type && a.invocation === b.invocation
}
