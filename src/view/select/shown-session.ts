// Finds the session that asks or is read (docs/decisions.md 3.3).
import { groupIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { noTally } from "../../run/model/tally.ts"
import { type OutlineReading, readingOf } from "../block-reading.ts"
import type { Target } from "../live-list.ts"
import { type ForegroundState, frontPrompt } from "../state.ts"

/** The session at this index as a target; null where there is none. */
export function targetOf(run: Run, index: number | null): Target | null {
  const session = run.sessions[index ?? -1]
  return session === undefined ? null : { type: "session", session: session.id }
}

/** The session whose text is shown for a row: a group stands for its most recent one. */
export function sessionOf(run: Run, target: Target | null): number | null {
  if (target === null) return null
  if (target.type === "session") return sessionIndex(run, target.session)
  const members = run.invocations[groupIndex(run, target.invocation) ?? -1]?.sessions ?? []
  const { open } = run.tallies[groupIndex(run, target.invocation) ?? -1] ?? noTally
  const busy = open.findLast(index => run.turnBuffers[index]?.turn.status === "streaming")
  return busy ?? members.at(-1) ?? null
}

/** The session that asks; a question that overtook the first event of its session finds it here. */
export function askerOf(run: Run, prompt: Prompt): number | null {
  if (prompt.session !== null) return prompt.session
  const epoch = run.epochs.length - 1
  const own = run.invocations.findLast(one => one.epoch === epoch && one.invokeid === prompt.asker)
  return own?.sessions.at(-1) ?? null
}

/** The prompt that a log row reports; of several with its question the nearest in time, null for other rows. */
export function promptOf(run: Run, { what, ts }: Row): Prompt | null {
  if (what.kind !== "event" || what.body.type !== "human-input/start") return null
  const { prompt: question } = what.body
  const distance = (prompt: Prompt) => Math.abs((prompt.ts ?? 0) - (ts ?? 0))
  const alike = run.prompts.filter(
    ({ asker, frame }) => asker === what.invokeid && (question === null || question === frame.question),
  )
  return alike.toSorted((a, b) => distance(a) - distance(b))[0] ?? null
}

/** The session whose transcript is read: with a question in front its asker, else the reader's, else the selected. */
export function shownSession(state: ForegroundState): number | null {
  const { run, view } = state
  const selected = sessionOf(run, view.list.selected)
  // The palette covers the question that it was opened over, and changes nothing behind it.
  const prompt = view.overlays.some(({ type }) => type !== "palette") ? null : frontPrompt(state)
  if (prompt === null && view.reader.reads !== "selection") return sessionIndex(run, view.reader.text.session)
  return prompt === null ? selected : (askerOf(run, prompt) ?? selected)
}

/** The session of `shownSession`, else the latest; -1 without sessions. */
export function readSession(state: ForegroundState): number {
  return shownSession(state) ?? state.run.sessions.length - 1
}

/** True if a question's keys scroll the log behind it: the log has the focus, or there is no session to read. */
export function logIsBehind(state: ForegroundState): boolean {
  return state.view.focus === "log" || shownSession(state) === null
}

/** How the session of `shownSession` is read: a place in one session's transcript is none in another's. */
export function readText(state: ForegroundState): OutlineReading {
  const { text } = state.view.reader
  const session = state.run.sessions[shownSession(state) ?? -1]?.id ?? null
  return text.session === session ? text : readingOf(text, session)
}
