// Lists the rows of the live pane, and finds the session that asks or is read (docs/decisions.md 3.3).
import { sessionTest } from "../../query/filters.ts"
import { groupIndex, sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import type { GroupId } from "../../run/model/id.ts"
import type { Prompt, Row, Run } from "../../run/model/run.ts"
import { type OutlineReading, readingOf } from "../block-reading.ts"
import { type ForegroundState, frontPrompt, type State } from "../state.ts"
import type { Target, View } from "../view.ts"

/** The rows of the live pane: single sessions, and groups with their sessions below unless folded. */
export function liveRows(
  run: Run,
  folded: readonly GroupId[],
  passes: ((run: Run, session: number) => boolean) | null = null,
): readonly Target[] {
  const rows: Target[] = []
  const push = (index: number): void => {
    const target = targetOf(run, index)
    if (target !== null) rows.push(target)
  }
  run.invocations.forEach(invocation => {
    const sessions = passes === null ? invocation.sessions : invocation.sessions.filter(one => passes(run, one))
    const [first] = sessions
    if (first === undefined) return
    if (invocation.sessions.length === 1) {
      push(first)
      return
    }
    rows.push({ type: "group", invocation: invocation.id })
    if (folded.includes(invocation.id)) return
    for (const session of sessions) push(session)
  })
  return rows
}

/** A cache beside the state: no row comes or goes but with a session, or where a group is folded. */
const unfiltered = new WeakMap<
  Run["invocations"],
  { readonly folded: readonly GroupId[]; readonly rows: readonly Target[] }
>()

/** The rows of the live pane that the filters leave. */
export function shownRows(
  { run, view, zone }: Pick<State, "run" | "view" | "zone">,
  folded = view.folded,
): readonly Target[] {
  const passes = sessionTest(view.filters, zone)
  if (passes !== null) return liveRows(run, folded, passes)
  const known = unfiltered.get(run.invocations)
  if (known?.folded === folded) return known.rows
  const rows = liveRows(run, folded)
  unfiltered.set(run.invocations, { folded, rows })
  return rows
}

/** The session at this index as a target; null where there is none. */
export function targetOf(run: Run, index: number | null): Target | null {
  const session = run.sessions[index ?? -1]
  return session === undefined ? null : { type: "session", session: session.id }
}

/** The group that a row is, or stands in; null where the run has no such row. */
export function groupOf(run: Run, target: Target): GroupId | null {
  if (target.type === "group") return target.invocation
  return run.invocations[sessionById(run, target.session)?.invocation ?? -1]?.id ?? null
}

/** Whether both are the same row, or no row. */
export function sameTarget(a: Target | null, b: Target | null): boolean {
  if (a === null || b === null) return a === b
  if (a.type === "group") return b.type === "group" && a.invocation === b.invocation
  return b.type === "session" && a.session === b.session
}

/** The session whose text is shown for a row: a group stands for its most recent one. */
export function sessionOf(run: Run, target: Target | null): number | null {
  if (target === null) return null
  if (target.type === "session") return sessionIndex(run, target.session)
  const members = run.invocations[groupIndex(run, target.invocation) ?? -1]?.sessions ?? []
  const busy = members.findLast(index => run.turnBuffers[index]?.status === "streaming")
  return busy ?? members.at(-1) ?? null
}

/** The session that asks; a question that overtook the first event of its session finds it here. */
export function askerOf(run: Run, prompt: Prompt): number | null {
  if (prompt.session !== null) return prompt.session
  const epoch = run.epochs.length - 1
  const own = run.invocations.findLast(one => one.epoch === epoch && one.invokeid === prompt.frame.invokeid)
  return own?.sessions.at(-1) ?? null
}

/** The prompt that a row of the log tells of, null where it tells of none; of several alike the one nearest in time. */
export function promptOf(run: Run, { what, ts }: Row): Prompt | null {
  if (what.kind !== "event" || what.body.type !== "human-input/start") return null
  const { prompt: question } = what.body
  const distance = (prompt: Prompt) => Math.abs((prompt.ts ?? 0) - (ts ?? 0))
  const alike = run.prompts.filter(
    ({ frame }) => frame.invokeid === what.invokeid && (question === null || question === frame.question),
  )
  return alike.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

/** The session whose transcript is read: the open one, else that of who asks in front, else the selected one. */
export function shownSession(state: ForegroundState): number | null {
  const { run, view } = state
  if (isTranscriptOpen(view)) return sessionIndex(run, view.text.session)
  const selected = sessionOf(run, view.selected)
  const prompt = frontPrompt(state)
  return prompt === null ? selected : (askerOf(run, prompt) ?? selected)
}

/** Whether a transcript is open full screen. */
export function isTranscriptOpen({ overlays, inspector }: View): boolean {
  return inspector.tab === "transcript" && overlays.some(({ type }) => type === "inspector")
}

/** Whether a question's keys scroll the log behind it: it has the focus, or there is no session to read. */
export function logIsBehind(state: ForegroundState): boolean {
  return state.view.focus === "log" || shownSession(state) === null
}

/** How the session of `shownSession` is read: a place in one session's transcript is none in another's. */
export function readText(state: ForegroundState): OutlineReading {
  const { text } = state.view
  const session = state.run.sessions[shownSession(state) ?? -1]?.id ?? null
  return text.session === session ? text : readingOf(text, session)
}
