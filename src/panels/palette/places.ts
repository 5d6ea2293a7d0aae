// Makes the rows of the palette for what can be gone to: sessions, questions, states, errors, bookmarks.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { JUMPS, type JumpKind, jump } from "../../query/jump.ts"
import { rowIdOf } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { isAtWork, openPrompts, sessionName } from "../../run/select/figures.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { offset } from "../../ui/text-width.ts"
import { indexOfBookmark } from "../../view/bookmark.ts"
import type { State } from "../../view/state.ts"
import type { PaletteEntry } from "./palette-entry.ts"

/** Rows of the log of one kind that are listed, the latest first. */
const MOST_ROWS = 50

/** Questions first, then sessions that need a person, that run, that are done; then places in the log. */
export function placeEntries(state: State): readonly PaletteEntry[] {
  const { present } = state
  return [
    ...questionEntries(state.run),
    ...sessionEntries(state.run),
    ...rowEntries(present, "state"),
    ...state.view.log.bookmarks.flatMap(mark => {
      const row = at(present.log.rows, indexOfBookmark(present, mark) ?? -1)
      return row === undefined ? [] : [rowEntry(present, row, "bookmark", sanitizeLine(mark.note))]
    }),
    ...rowEntries(present, "error"),
  ]
}

function questionEntries(run: Run): readonly PaletteEntry[] {
  return openPrompts(run).map(({ key, frame, title }) => ({
    ...place(`question ${key}`, "question", sanitizeLine(`${title} asks: ${frame.question.slice(0, 200)}`)),
    words: "question answer prompt",
    does: { type: "palette/question", key },
  }))
}

function sessionEntries(run: Run): readonly PaletteEntry[] {
  const needs: PaletteEntry[] = []
  const works: PaletteEntry[] = []
  const rest: PaletteEntry[] = []
  for (const [index, session] of run.sessions.entries()) {
    const isAsking = run.personWaits.some(wait => wait.session === index)
    const status = run.turnBuffers[index]?.turn.status ?? "waiting"
    const list = isAsking || session.error !== null ? needs : isAtWork(run, index) ? works : rest
    list.push({
      ...place(`session ${session.id}`, "session", sessionName(run, index) ?? ""),
      status,
      words: `session ${status}${isAsking ? " asking" : ""}`,
      does: { type: "palette/session", session: session.id },
    })
  }
  return [...needs, ...works, ...rest]
}

function rowEntries(run: Run, kind: JumpKind & PaletteEntry["kind"]): readonly PaletteEntry[] {
  const found: PaletteEntry[] = []
  let from = jump(run, kind, -1, run.log.rows.length)
  for (; from !== null && found.length < MOST_ROWS; from = jump(run, kind, -1, from)) {
    const row = at(run.log.rows, from)
    if (row !== undefined) found.push(rowEntry(run, row, kind))
  }
  return found
}

/** A row of the log by what it says, or by what a person noted on it. */
function rowEntry(run: Run, row: Row, kind: PaletteEntry["kind"], note = ""): PaletteEntry {
  const { source, what, text } = rowWords(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
  const id = rowIdOf(run, row)
  const said = `${source} ${what}  ${text.slice(0, 200)}`
  return {
    ...place(`${kind} ${id.epoch} ${id.order} ${id.nth}`, kind, note === "" ? said : note),
    words: kind in JUMPS ? `${kind} ${time}` : `bookmark mark ${time} ${said}`,
    key: time,
    does: { type: "palette/row", row: id },
  }
}

function place(
  id: string,
  kind: PaletteEntry["kind"],
  title: string,
): Pick<PaletteEntry, "id" | "kind" | "title" | "key" | "why"> {
  return { id, kind, title, key: "", why: null }
}
