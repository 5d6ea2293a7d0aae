// Knows which session asks a question, and so whose text is to be read beside it (docs/decisions.md 3.3).
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Prompt, Row, Run } from "../../run/model/run.ts"
import { type BlockReading, turned } from "../block-reading.ts"
import { type ForegroundState, frontPrompt } from "../state.ts"
import { sessionOf } from "./live-rows.ts"

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

/** The session whose text is read: the one that asks while a question is in front, else the selected one. */
export function shownSession(state: ForegroundState): number | null {
  const { run, view } = state
  const selected = sessionOf(run, view.selected)
  const reader = view.overlays.findLast(overlay => overlay.type === "reader")
  if (reader !== undefined) return reader.session === undefined ? selected : sessionIndex(run, reader.session)
  const prompt = frontPrompt(state)
  return prompt === null ? selected : (askerOf(run, prompt) ?? selected)
}

/** Whether a question's keys scroll the log behind it: it has the focus, or there is no session to read. */
export function logIsBehind(state: ForegroundState): boolean {
  return state.view.focus === "log" || shownSession(state) === null
}

/** The id of the session whose text is read; null where there is none. */
export function shownId(state: ForegroundState): SessionId | null {
  return state.run.sessions[shownSession(state) ?? -1]?.id ?? null
}

/** How the text pane is read: a place in one session's text is none in another's. */
export function readText(state: ForegroundState): BlockReading {
  const { text, textOf } = state.view
  return textOf === shownId(state) ? text : turned(text)
}
