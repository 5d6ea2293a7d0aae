import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { rowIdOf } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Row } from "../../run/model/run.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type Line, line, type Span, span } from "../../ui/line.ts"
import { count, offset, pad } from "../../ui/text-width.ts"
import { type Bookmark, bookmarkOf, indexOfBookmark, withBookmark, withoutBookmark } from "../../view/bookmark.ts"
import {
  both,
  change,
  itemUnder,
  noMore,
  nothing,
  notice,
  only,
  type Plan,
  toggleOverlay,
} from "../../view/plan-result.ts"
import { cursorIndex, cursorOn, nextShown } from "../../view/select/log-rows.ts"
import { withoutPages } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { type Typing, typingOf } from "../../view/view.ts"
import { DELETE, PLACES } from "../common/keys.ts"
import { listLines, listOverlay } from "../common/list/list.ts"
import { openRow, rowReading } from "../common/open-entry.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place, stepBy } from "../common/panel.ts"
import { goToRow, jumpStart } from "../common/seek.ts"

const isFilled = ({ view }: State) => view.log.bookmarks.length > 0

const STEP = { keys: [], words: "jump mark later earlier" } as const

const openers: readonly Opener[] = [
  {
    from: ["panes", "entry"],
    keys: [
      bind("bookmarks/mark", ["M"], "bookmark the row, with a note if you like", "annotate remember comment"),
      { id: "bookmarks/next", title: "next bookmark", ...STEP, ...stepBy("bookmarks/step", 1) },
      { id: "bookmarks/previous", title: "previous bookmark", ...STEP, ...stepBy("bookmarks/step", -1) },
    ],
  },
  { from: PLACES, keys: [bind("bookmarks/toggle", ["L"], "show or hide bookmarks", "marks notes")] },
]

const keys: readonly KeyBinding[] = [
  bind("bookmarks/go", ["enter"], "go to the bookmark", "jump open mark", { hint: "go there", when: isFilled }),
  { ...DELETE, id: "bookmarks/delete", when: isFilled },
]

export const bookmarksPanel = {
  keys: { group: "Find", openers },
  updates: {
    "bookmarks/mark": (state, _, { now }) => beginNote(state, now),
    "bookmarks/step": (state, { step }, { now }) => nextBookmark(state, step, now),
    "bookmarks/known": ({ view }, { list }) => {
      const { bookmarks } = view.log
      const all = list.reduce((known, one) => (isIn(known, one) ? known : withBookmark(known, one)), bookmarks)
      if (all.length === bookmarks.length) return nothing
      // What was marked before the file was known stands in it from now on.
      return bookmarks.length === 0 ? change({ log: { bookmarks: all } }) : keep(all)
    },
    "bookmarks/toggle": state => toggleOverlay(state, { type: "bookmarks", cursor: 0 }),
    "bookmarks/go": (state, _, { now }) => {
      const mark = itemUnder(state, "bookmarks", state.view.log.bookmarks)
      if (mark === undefined) return nothing
      return both(change({ overlays: withoutPages(state.view).slice(0, -1) }), toBookmark(state, mark, now))
    },
    "bookmarks/delete": state => {
      const { bookmarks } = state.view.log
      const mark = itemUnder(state, "bookmarks", bookmarks)
      return mark === undefined ? nothing : keep(withoutBookmark(bookmarks, mark))
    },
  },
  typing: { note: { take: takeNote } },
  overlays: {
    bookmarks: {
      ...listOverlay({
        keys,
        title: ({ view }) => `BOOKMARKS  ${count(view.log.bookmarks.length)}`,
        length: ({ view }) => view.log.bookmarks.length,
        lines: bookmarkLines,
        reads(state, cursor) {
          const mark = state.view.log.bookmarks[cursor]
          return mark === undefined ? null : rowReading(state, indexOfBookmark(state.present, mark))
        },
      }),
      rows: ({ present, view }) => view.log.bookmarks.flatMap(mark => indexOfBookmark(present, mark) ?? []),
    },
  },
} satisfies Panel

function takeNote(state: State, typing: Typing): Plan {
  const row = markable(state)
  const done = change({ typing: null })
  if (row === null) return done
  const mark = { epoch: rowIdOf(state.present, row).epoch, seq: row.seq, note: typing.text.trim() }
  // From now on the cursor stays where the mark is.
  return both(both(done, change(cursorOn(state, row))), keep(withBookmark(state.view.log.bookmarks, mark)))
}

function beginNote(state: State, now: number): Plan {
  const row = markable(state)
  if (row === null) return notice("This row can't be bookmarked", "warning", now)
  const stay = state.view.log.cursor === null ? cursorOn(state, row) : {}
  const note = bookmarkOf(state.present, state.view.log.bookmarks, row)?.note ?? ""
  const focus = openRow(state) === null ? "log" : state.view.focus
  return change({ ...stay, focus, typing: typingOf("note", note) })
}

function nextBookmark(state: State, step: 1 | -1, now: number): Plan {
  const from = jumpStart(state, step)
  const places = state.view.log.bookmarks.flatMap(mark => indexOfBookmark(state.present, mark) ?? [])
  const shown = places.filter(index => nextShown(state, index - 1, 1) === index)
  const index = step > 0 ? shown.find(one => one > from) : shown.findLast(one => one < from)
  return index === undefined ? noMore("bookmark", step, now) : toRow(state, index)
}

function toBookmark(state: State, mark: Bookmark, now: number): Plan {
  const index = indexOfBookmark(state.present, mark)
  return index === null ? notice("That row is not in the log", "warning", now) : toRow(state, index)
}

function toRow(state: State, index: number): Plan {
  const row = at(state.present.log.rows, index)
  return row === undefined ? nothing : goToRow(state, row)
}

/** The row that is open, or under the cursor; null where it has no number. */
function markable(state: State): (Row & { readonly seq: number }) | null {
  const row = at(state.present.log.rows, openRow(state) ?? cursorIndex(state) ?? -1)
  return row === undefined || row.seq === null ? null : { ...row, seq: row.seq }
}

function isIn(list: readonly Bookmark[], { epoch, seq }: Bookmark): boolean {
  return list.some(one => one.epoch === epoch && one.seq === seq)
}

function keep(bookmarks: readonly Bookmark[]): Plan {
  return both(change({ log: { bookmarks } }), only({ type: "bookmarks/write", bookmarks }))
}

function bookmarkLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { bookmarks } = state.view.log
  if (bookmarks.length === 0) return [line(span("No bookmarks yet. M adds one", "dim"))]
  return listLines(bookmarks, cursor, place, mark => markSpans(state, mark, place.columns))
}

function markSpans(state: State, mark: Bookmark, columns: number): readonly Span[] {
  const { present } = state
  const text = sanitizeLine(mark.note) || `seq ${mark.seq}`
  const note = span(pad(text, Math.max(12, Math.floor(columns * 0.4))), "bright")
  const index = indexOfBookmark(present, mark)
  const row = index === null ? undefined : recalledRowAt(state, index)
  if (row === undefined) return [note, span("  not in the log", "dim")]
  const words = rowWords(present, row)
  const time = row.ts === null || present.firstTs === null ? "" : offset(row.ts - present.firstTs)
  return [note, span(`  ${time}  ${words.source}  `, "dim"), span(`${words.what}  ${words.text}`)]
}
