// Opens the row of the log or the question it asks, and selects the session of a row.
import { wordsIn } from "../../query/filter/filter.ts"
import { foundMatches } from "../../query/filters.ts"
import { rowIdOf, rowIndex } from "../../run/identity/find-by-id.ts"
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { turnOfRow } from "../../run/select/turn-facts.ts"
import { isOpen } from "../../run/session-index.ts"
import { type OutlineReading, readingAt, readingOf } from "../../view/block-reading.ts"
import { change, type Plan } from "../../view/plan-result.ts"
import { cursorIndex } from "../../view/select/log-rows.ts"
import { promptOf, targetOf } from "../../view/select/shown-session.ts"
import { overlayInFront, withoutPages } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import type { Page, View, ViewChange } from "../../view/view.ts"
import type { Reading } from "./panel.ts"

/** The entry in front; null where something else is. */
function openEntry({ view }: State): Extract<Page, { type: "entry" | "prompt" }> | null {
  const overlay = overlayInFront(view)
  return overlay?.type === "entry" || overlay?.type === "prompt" ? overlay : null
}

/** Where the row stands that is open in front, as it is or as its question; null where none is. */
export function openRow(state: State): number | null {
  const entry = openEntry(state)
  if (entry?.type !== "prompt") return entry === null ? null : rowIndex(state.present, entry.id)
  const index = cursorIndex(state)
  const row = at(state.present.log.rows, index ?? -1)
  return row !== undefined && promptOf(state.present, row)?.key === entry.key ? index : null
}

/** Where an entry is in front and the cursor goes to another row, that row is open instead. */
export function followRow(state: State, row: Row): ViewChange {
  if (openEntry(state) === null) return {}
  return { overlays: [...state.view.overlays.slice(0, -1), entryOf(state, row)] }
}

/** The page of a row. In one that the search has found the words are marked that were searched for. */
export function entryOf({ present, view, zone }: State, row: Row): Page {
  const prompt = promptOf(present, row)
  if (prompt !== null) return { type: "prompt", key: prompt.key, top: 0 }
  const { search } = view.log.filters
  const id = rowIdOf(present, row)
  const isHit = foundMatches(view.log.filters, zone)?.has(present, rowIndex(present, id)) === true
  const [find] = search === null || !isHit ? [] : wordsIn(search.filter)
  return { type: "entry", id, top: 0, ...(find !== undefined && { find }) }
}

type Shown = Pick<State, "run" | "view">

/** The session is selected and follows its end; a group that hides it unfolds. */
export function selecting({ run, view }: Shown, session: number): ViewChange {
  const group = run.invocations[run.sessions[session]?.invocation ?? -1]?.id
  const folded = view.list.folded.filter(one => one !== group)
  return {
    list: { selected: targetOf(run, session), pinned: true, folded },
    reader: { reads: "selection", text: readingOf(view.reader.text, run.sessions[session]?.id ?? null) },
  }
}

/** The log follows its end, and the reader that of the selected session. */
export function followingEnd({ reader: { text } }: View): ViewChange {
  return { log: { cursor: null }, reader: { reads: "selection", text: { ...text, at: null, first: null } } }
}

/** The row's session is selected, and read at the row's turn. A row without a session selects none. */
export function selectingRow(state: Shown, row: Row): ViewChange {
  const text = readingAtRow(state, row)
  return text === null || row.session === null
    ? {}
    : { ...selecting(state, row.session), reader: { reads: "selection", text } }
}

/** What the reader shows of a row of the log: its turn, or where it is of none the row itself. */
export function rowReading(state: State, index: number | null): Reading | null {
  const row = at(state.present.log.rows, index ?? -1)
  if (row === undefined) return null
  const text = readingAtRow(state, row)
  return text === null ? { page: entryOf(state, row) } : { text }
}

/** The transcript of the row's session at what the row tells; null without a session. */
export function readingAtRow({ run, view }: Shown, row: Row): OutlineReading | null {
  const session = run.sessions[row.session ?? -1]
  if (session === undefined) return null
  const entry = firstIndexWhere(session.entries, ({ order }) => order >= row.order)
  return readingAt(view.reader.text, session, turnOfRow(session, row), entry)
}

/** The reader shows the transcript of a session, and has the focus. */
export function openTranscript({ run, view }: State, index: number, reading?: OutlineReading): Plan {
  const text = reading ?? readingNow({ run, view }, index)
  return change({ reader: { text, reads: "row" }, overlays: withoutPages(view), focus: "text" })
}

/** Where a session's transcript opens: where it was read, else at its latest turn. */
function readingNow({ run, view }: Pick<State, "run" | "view">, index: number): OutlineReading {
  const isRead = view.reader.text.session === run.sessions[index]?.id && view.reader.text.at !== null
  return isRead ? view.reader.text : latestReading(run, view.reader.text, index)
}

/** At the end of a reply that grows; else from the beginning of the last turn on. */
export function latestReading(run: Run, before: OutlineReading, index: number): OutlineReading {
  const session = run.sessions[index]
  const reading = readingOf(before, session?.id ?? null)
  if (session === undefined || isOpen(run.turnBuffers[index])) return reading
  const { at, first } = readingAt(before, session, session.turns)
  return { ...reading, at, first }
}
