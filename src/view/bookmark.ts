// Keeps bookmarks of log rows with their notes, by (epoch, seq), so that rows that come late do not move them.
import { isList, isObject } from "../../packages/wire/src/json.ts"
import { firstAtPosition, rowIdOf } from "../run/identity/find-by-id.ts"
import { at } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"

export interface Bookmark {
  /** As in the row's id. */
  readonly epoch: number
  readonly seq: number
  readonly note: string
}

/** Most bookmarks of a run, and UTF-16 units of a note. */
const MOST = 1000
const NOTE_UNITS = 1000

/** The bookmark on a row; null if there is none. */
export function bookmarkOf(run: Run, list: readonly Bookmark[], row: Row): Bookmark | null {
  const { epoch } = rowIdOf(run, row)
  return list.find(one => one.epoch === epoch && one.seq === row.seq) ?? null
}

/** The list with this mark, in the order of the log; it replaces one on the same row. */
export function withBookmark(list: readonly Bookmark[], mark: Bookmark): readonly Bookmark[] {
  return [...withoutBookmark(list, mark), mark].sort((a, b) => a.epoch - b.epoch || a.seq - b.seq).slice(0, MOST)
}

/** The list without the mark on this row. */
export function withoutBookmark(list: readonly Bookmark[], mark: Pick<Bookmark, "epoch" | "seq">): readonly Bookmark[] {
  return list.filter(one => one.epoch !== mark.epoch || one.seq !== mark.seq)
}

/** The list with the changes from `before` to `after`. */
export function changedMarks(
  list: readonly Bookmark[],
  before: readonly Bookmark[],
  after: readonly Bookmark[],
): readonly Bookmark[] {
  const noteIn = (all: readonly Bookmark[], { epoch, seq }: Bookmark) =>
    all.find(one => one.epoch === epoch && one.seq === seq)?.note
  const deleted = before.filter(mark => noteIn(after, mark) === undefined)
  const marked = after.filter(mark => noteIn(before, mark) !== mark.note)
  return marked.reduce(withBookmark, deleted.reduce(withoutBookmark, list))
}

/** The index of the marked row; null if it is not there. */
export function indexOfBookmark(run: Run, mark: Bookmark): number | null {
  const { epoch, seq } = mark
  // Rows without a number stand behind the one before them.
  for (let i = firstAtPosition(run, epoch, seq); ; i++) {
    const row = at(run.log.rows, i)
    if (row === undefined || rowIdOf(run, row).epoch !== epoch || row.order !== seq) return null
    if (row.seq === seq) return i
  }
}

/** The marked rows that are there, in the order of their frames. */
export function bookmarkRows(run: Run, list: readonly Bookmark[]): readonly Row[] {
  const rows = list.flatMap(mark => at(run.log.rows, indexOfBookmark(run, mark) ?? -1) ?? [])
  return rows.sort((a, b) => a.frame - b.frame)
}

/** The bookmarks in a file; anything malformed is left out. */
export function readBookmarks(value: unknown): readonly Bookmark[] {
  if (!isList(value)) return []
  return value.slice(0, MOST).reduce<readonly Bookmark[]>((list, one) => {
    if (!isObject(one)) return list
    const { epoch, seq, note } = one
    if (!isCount(epoch) || !isCount(seq) || typeof note !== "string") return list
    return withBookmark(list, { epoch, seq, note: note.slice(0, NOTE_UNITS) })
  }, [])
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value)
}
