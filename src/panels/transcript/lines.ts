// Shows the transcript of a session in the inspector.
import { sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import { shortTitle } from "../../run/select/figures.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { type Line, line, span } from "../../ui/line.ts"
import { placeWords } from "../../ui/text-width.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import type { State } from "../../view/state.ts"
import { foundWords } from "../common/find-text.ts"
import type { Place } from "../common/panel.ts"

/** The outline of the session, laid out for its place. */
export function outlineAt(state: State, { transcripts, columns, rows, render }: Place): SessionOutline {
  transcripts.inspector.update(state, { columns, rows }, render)
  return transcripts.inspector
}

export function transcriptLines(state: State, place: Place): readonly Line[] {
  const outline = outlineAt(state, place)
  const { inspector } = state.view
  if (inspector.session === null) return [line(span("No sessions", "dim"))]
  if (outline.length > 0) return outline.window(inspector.at)
  const stream = state.run.turnBuffers[sessionIndex(state.run, inspector.session) ?? -1]
  if (stream === undefined) return [line(span("Not started yet at this point", "dim"))]
  const waits = stream.status === "waiting"
  return [line(span(waits ? "Waiting for the first token" : "No messages", "dim"))]
}

/** Whose transcript it is, which turn is read, and where one is in it. */
export function transcriptTitle(state: State, place: Place): string {
  const outline = outlineAt(state, place)
  const { run, view } = state
  const { session: id, at } = view.inspector
  const session = sessionById(run, id)
  const invocation = run.invocations[session?.invocation ?? -1]
  if (session === undefined || invocation === undefined) return ""
  const short = invocation.sessions.length > 1 ? ` ${shortTitle(run, invocation, session)}` : ""
  const line = at === null ? outline.length - 1 : outline.lineOf(at)
  const turn = outline.turnAt(line)
  const turns = session.turns > 1 ? ` · turn ${turn} of ${session.turns}` : ""
  const where = at === null ? " · following" : placeWords(outline.top, outline.rows, outline.length)
  const disk = sessionsToRecall(state).length > 0 ? " · reading from disk" : ""
  return `${invocation.title}${short}${turns}${where}${disk}${foundWords(outline, view.inspector)}`
}
