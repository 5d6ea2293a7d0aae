// Decides what must be read from disk so that the screen can show what memory does not hold.
import { linesToRecall } from "../run/memory/recalled-frames.ts"
import { at, type ChunkedList } from "../run/model/chunked-list.ts"
import type { Row } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import type { Effect } from "../view/effect.ts"
import { sessionsToRecall } from "../view/recalled-texts.ts"
import { readSession, shownSession } from "../view/select/shown-session.ts"
import { pageIn } from "../view/select/stack.ts"
import type { State } from "../view/state.ts"
import { linesToScan } from "./common/scan-log.ts"
import { contextRefs } from "./context/turns.ts"
import { overlayPanel } from "./index.ts"

/** The latest captures of a session that are read. */
const MOST_REFS = 400

/** The part of a state that the screen reads files for. */
type ReadState = Pick<State, "run" | "view" | "link" | "isPast" | "directory" | "captures">

/** The reads after a change of the state, or of the log rows that are on the screen; null while the log is hidden. */
export function diskReads(before: State, after: State, rows: readonly Row[] | null): readonly Effect[] {
  const sessions = sessionsToRecall(after)
  const frames = linesToRecall([...(rows ?? []), ...rowsInFront(after)], after.recalled)
  const lines = rows === null ? [] : linesToScan(after)
  return [
    ...(sessions.length === 0 ? [] : [{ type: "texts/recall", sessions } as const]),
    ...(frames.length === 0 ? [] : [{ type: "frames/recall", lines: frames } as const]),
    ...(lines.length === 0 ? [] : [{ type: "log/scan", lines } as const]),
    ...captureReads(before, after),
    ...overlayCaptureReads(before, after),
    ...fileReads(before, after),
    ...listReads(before, after),
  ]
}

/** The rows that the overlay in front shows: a list of bookmarks, a page. */
function rowsInFront(state: State): readonly Row[] {
  const front = state.view.overlays.at(-1)
  const indexes = front === undefined ? [] : (overlayPanel(front).rows?.(state, front) ?? [])
  return indexes.flatMap(index => at(state.present.log.rows, index) ?? [])
}

/** The captures that the transcript or the context in the reader lacks. Looks only where that may have changed. */
export function captureReads(before: ReadState, after: ReadState): readonly Effect[] {
  const { view, directory, captures } = after
  const shown = textShown(view)
  if (shown === null || directory === null || directory.error !== null) return []
  const sessionOf = shown === "transcript" ? shownSession : readSession
  const entriesOf = (known: ReadState) => known.run.sessions[sessionOf(known) ?? -1]?.entries
  const entries = entriesOf(after)
  const same =
    before.view.slices === view.slices &&
    before.view.focus === view.focus &&
    before.view.reader.text === view.reader.text &&
    before.view.overlays === view.overlays &&
    before.directory === directory &&
    entriesOf({ ...before, view, link: after.link, isPast: after.isPast }) === entries
  if (same || entries === undefined) return []
  // A capture that was missing may be there when the text is opened again.
  const again = textShown(before.view) !== shown
  const refs = new Set<string>()
  for (const ref of shown === "transcript" ? refsOf(entries) : contextRefs(after)) {
    if (refs.size === MOST_REFS) break
    const captured = captures.get(ref)
    if (captured === undefined || (again && "why" in captured)) refs.add(ref)
  }
  return refs.size === 0 ? [] : [{ type: "directory/read", request: { read: "captures", refs: [...refs] } }]
}

/** The captures that the overlay in front lacks, when it opens or the directory does. */
export function overlayCaptureReads(before: State, after: State): readonly Effect[] {
  const { directory, captures } = after
  const front = after.view.overlays.at(-1)
  if (front === undefined || directory === null || directory.error !== null) return []
  if (before.view.overlays === after.view.overlays && before.directory === directory) return []
  const refs = new Set(
    overlayPanel(front)
      .refs?.(after, front)
      .filter(ref => !captures.has(ref)),
  )
  return refs.size === 0 ? [] : [{ type: "directory/read", request: { read: "captures", refs: [...refs] } }]
}

/** The captures that a session names, the latest first. */
function* refsOf(entries: ChunkedList<Entry>): Generator<string> {
  for (let i = entries.length - 1; i >= 0; i--) {
    const ref = at(entries, i)?.ref ?? null
    if (ref !== null) yield ref
  }
}

/** Reads the file that the reader shows, for as long as it does. */
function fileReads(before: ReadState, after: ReadState): readonly Effect[] {
  const name = fileShown(after)
  return name === fileShown(before) ? [] : [{ type: "directory/read", request: { read: "file", name } }]
}

/** Keeps the list of artifacts fresh while it is shown. */
export function listReads(before: ReadState, after: ReadState): readonly Effect[] {
  const on = listsFiles(after)
  return on === listsFiles(before) ? [] : [{ type: "directory/read", request: { read: "artifacts", on } }]
}

/** What the reader shows that captures hold. */
function textShown(view: State["view"]): "transcript" | "context" | null {
  const page = pageIn(view)?.type
  return page === "context" ? page : page === undefined && view.focus === "text" ? "transcript" : null
}

function fileShown({ view, directory }: ReadState): string | null {
  const file = directory?.error === null ? view.overlays.findLast(one => one.type === "file") : undefined
  return file?.name ?? null
}

function listsFiles({ view, directory }: ReadState): boolean {
  return directory?.error === null && view.overlays.some(({ type }) => type === "artifacts")
}
