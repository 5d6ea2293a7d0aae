import { createMemo, type JSX } from "solid-js"
import { sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { READER, type Rect } from "../../ui/layout.ts"
import { type Line, line, rowClick, span } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { count, edgeWords, matchWords } from "../../ui/text-width.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import { readText } from "../../view/select/shown-session.ts"
import { isAlone } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { filters, findEdge } from "../common/keys.ts"
import { viewsOf } from "../common/place-title.ts"
import { useTranscriptPlace } from "../common/use-place.ts"

/** The transcript as it streams. */
export function TextPane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state, scope } = useScreen()
  const place = useTranscriptPlace(() => props.rect)
  const laidOut = () => {
    const { outline, columns, rows, render } = place()
    outline.update(state(), readText(state()), { columns, rows }, render)
    return outline
  }
  // The outline changes in place, so it never equals what it was.
  const outline = createMemo(laidOut, undefined, { equals: false })
  const lines = createMemo(() => transcriptLines(state(), outline(), props.focused))
  // Where the log has no box, its keys stand here, if they work.
  const hasLog = () => props.rect.x > 0 || props.rect.width === READER || state().view.focus === "log"
  const edge = () => {
    const own = transcriptEdge(state(), outline())
    const works = scope().bindings.some(({ id }) => id === filters.id)
    return hasLog() || own === undefined || !works ? own : findEdge(state(), own, place().columns - 4)
  }
  return (
    <TitledBox
      pane="text"
      rect={props.rect}
      focused={props.focused}
      title={transcriptTitle(state(), outline())}
      views={viewsOf("text", state().view)}
      footnote={edge()}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}

/** The lines in its place; those of a pane without focus show no cursor. */
function transcriptLines(state: State, outline: SessionOutline, hasFocus: boolean): readonly Line[] {
  const { session, at } = readText(state)
  if (outline.length > 0) {
    const lines = outline.window(hasFocus ? at : null)
    return lines.map((one, i): Line => {
      const row = outline.top + i
      const isHeading = outline.isHeading(row)
      const click = isHeading
        ? ({ type: "transcript/fold", line: row } as const)
        : rowClick(row, one.selected === true, "text")
      return { ...one, click }
    })
  }
  if (session === null) return [line(span(noSession(state), "dim"))]
  const status = state.run.turnBuffers[sessionIndex(state.run, session) ?? -1]?.turn.status
  return [line(span(status === "waiting" ? "Waiting for the first token" : "No messages", "dim"))]
}

function noSession({ run, view }: State): string {
  if (view.reader.text.session !== null) return "Not started yet at this point"
  return run.sessions.length === 0 ? "No session to read yet" : "Select a session to read it"
}

/** The session's name, and the text that is sought in its transcript. */
function transcriptTitle(state: State, outline: SessionOutline): string {
  const { run } = state
  const index = sessionIndex(run, readText(state).session)
  if (index === null) return "READER"
  const disk = sessionsToRecall(state).length > 0 ? " · reading from disk" : ""
  // The head of a session that is alone tells its name.
  const name = isAlone(state.present, state.view) ? (run.turnBuffers[index]?.turn.model ?? "") : sessionName(run, index)
  return `${name}${disk}${foundWords(state, outline)}`.replace(/^ · /, "")
}

/** What is searched for, and which match a line is, for a title; empty without a search. */
function foundWords(state: State, outline: SessionOutline): string {
  const { find, at } = readText(state)
  if (find === null) return ""
  const { nth, count: all } = outline.foundAt(find, at === null ? outline.length - 1 : outline.lineOf(at))
  if (all === 0) return ` · /${find} ${outline.isSearching ? "searching…" : "not found"}`
  const more = outline.isSearching ? "…" : ""
  return ` · /${find} ${nth === null ? matchWords(all) : `${count(nth)} of ${count(all)}`}${more}`
}

/** The turn that is read, and the place in its text. */
function transcriptEdge(state: State, outline: SessionOutline): string | undefined {
  const { session: id, at } = readText(state)
  const session = sessionById(state.run, id)
  if (session === undefined) return undefined
  const turn = outline.turnAt(at === null ? outline.length - 1 : outline.lineOf(at))
  const isFollowing = at === null && isOpen(state.run.turnBuffers[sessionIndex(state.run, id) ?? -1])
  const where = isFollowing ? "following" : edgeWords(outline)
  const words = [session.turns > 1 && `turn ${turn} of ${session.turns}`, where].filter(Boolean)
  return words.length === 0 ? undefined : words.join(" · ")
}
