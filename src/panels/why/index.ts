// The list of what led to a turn or to a change of states, with what was so before, or in a good visit, beside it.
import { rowIndex, turnPlace } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import { excerptsAt } from "../../run/select/compare.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type Cause, refsOfRow, refsOfTurn } from "../../run/select/why.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { clipSpans, type Line, line, lineWidth, rowClick, type Span, span, wrapSpans } from "../../ui/line.ts"
import { offset, width } from "../../ui/text-width.ts"
import { readingAt } from "../../view/block-reading.ts"
import { change, frontOverlay, inFront, itemUnder, nothing, type Plan, without } from "../../view/plan-result.ts"
import { pageIn } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { rowInFront, turnInFront } from "../common/in-front.ts"
import { close, down, PLACES, up } from "../common/keys.ts"
import { listOverlay } from "../common/list/list.ts"
import { entryOf } from "../common/open-entry.ts"
import { causesOf, openWhy } from "../common/open-why.ts"
import { bind, type KeyBinding, type Opener, type Panel, type Place } from "../common/panel.ts"
import { showWhy } from "../common/place-title.ts"
import { cursors } from "../common/views.ts"

const openers: readonly Opener[] = [{ from: PLACES, keys: [showWhy] }]

const keys: readonly KeyBinding[] = [
  bind("why/go", ["enter"], "open the row, both turns beside each other, or the view that tells more", "go", {
    hint: "open",
  }),
  close,
  down,
  up,
]

export const whyPanel = {
  keys: { group: "Find", openers },
  updates: {
    "why/open": (state, _, context) =>
      pageIn(state.view)?.type === "why"
        ? change({ overlays: without(state, "why") })
        : openWhy(state, turnInFront(state, context), rowInFront(state), context.now),
    "why/go": state => openCause(state),
  },
  overlays: {
    why: {
      ...listOverlay({
        keys,
        title: state => {
          const overlay = frontOverlay(state, "why")
          return overlay === null ? "" : causesOf(state, overlay.about).title
        },
        length: (state, { about }) => causesOf(state, about).list.length,
        lines: causeLines,
      }),
      refs: ({ present }, { about }) =>
        "session" in about
          ? refsOfTurn(present, turnPlace(present, about))
          : refsOfRow(present, rowIndex(present, about)),
      rows: (state, { about }) =>
        causesOf(state, about).list.flatMap(one => (one.type === "row" ? [rowIndex(state.present, one.row)] : [])),
    },
  },
} satisfies Panel

function shown(state: State): readonly Cause[] {
  const overlay = frontOverlay(state, "why")
  return overlay === null ? [] : causesOf(state, overlay.about).list
}

/** Opens what the line under the cursor is about; the list stays below. */
function openCause(state: State): Plan {
  const { present, view } = state
  const cause = itemUnder(state, "why", shown(state))
  if (cause === undefined) return nothing
  const to = cause.type === "row" ? cause : cause.to
  switch (to.type) {
    case "row": {
      const row = at(present.log.rows, rowIndex(present, to.row))
      return row === undefined ? nothing : change({ overlays: [...view.overlays, entryOf(state, row)] })
    }
    case "turns":
      return change({ overlays: [...view.overlays, { ...to, type: "turn-diff", top: 0 }] })
    case "tab": {
      const { tab, turn } = to
      const session = present.sessions[turnPlace(present, turn).session]
      const timeTurn = turnPlace(present, turn).turn
      const there = cursors.put(view, { contextAt: turn, timeTurn, top: 0 })
      const selected = { type: "session", session: turn.session } as const
      const text = session && readingAt(view.reader.text, session, timeTurn)
      const read = { list: { selected, pinned: true }, ...(text && { reader: { text } }) }
      return change({ ...there, ...read, overlays: inFront(state, { type: tab }) })
    }
  }
}

const LABEL = 30
/** Rows of a line at most, but for the one under the cursor. */
const MOST_ROWS = 5

type Rows = readonly (readonly Span[])[]

/** Each line on as many rows as it needs; the one under the cursor is seen whole, with those before it that fit. */
function causeLines(state: State, cursor: number, place: Place): readonly Line[] {
  const list = shown(state)
  if (list.length === 0) return [line(span("Nothing led here", "dim"))]
  const { columns, rows, render, top = 0 } = place
  const label = Math.min(LABEL, Math.floor(columns * 0.35), Math.max(...list.map(one => width(one.label))))
  const chosen = Math.min(cursor, list.length - 1)
  const all = list.map((cause, at) =>
    causeRows(state, cause, { ...place, rows: at === chosen ? rows : MOST_ROWS }, label),
  )
  const heightOf = (at: number) => all[at]?.length ?? 0
  let first = Math.max(chosen, top)
  for (let left = rows - heightOf(chosen); first > top && heightOf(first - 1) <= left; first--)
    left -= heightOf(first - 1)
  const drawn = all.slice(first).flatMap((own, below) =>
    own.map((spans, row): Line => {
      const selected = first + below === chosen
      const mark = span(selected && row === 0 ? `${render.glyphs.folded} ` : "  ", "accent")
      return { spans: [mark, ...spans], selected, click: rowClick(first + below, selected) }
    }),
  )
  return drawn.slice(0, rows)
}

/** The text behind a line's label: a row, or a value before and now. */
function causeRows(state: State, cause: Cause, { columns, rows, render }: Place, label: number): Rows {
  const { glyphs } = render
  const room = Math.max(1, columns - label - 4)
  const wrapped = wrapSpans(
    cause.type === "row" ? rowSpans(state, cause) : comparedSpans(cause, rows * room, glyphs),
    room,
  )
  const last = wrapped[rows - 1]
  const isCut = last !== undefined && wrapped.length > rows
  const kept = isCut
    ? [...wrapped.slice(0, rows - 1), [...clipSpans(last, room - 1, ""), span(glyphs.ellipsis)]]
    : wrapped
  const names = wrapSpans([span(cause.label, "accent")], label)
  return Array.from({ length: Math.max(names.length, kept.length) }, (_, row) => {
    const name = names[row] ?? []
    return [...name, span(" ".repeat(label + 2 - lineWidth(name))), ...(kept[row] ?? [])]
  })
}

function rowSpans(state: State, { row: id }: Extract<Cause, { type: "row" }>): readonly Span[] {
  const { present } = state
  const row = recalledRowAt(state, rowIndex(present, id))
  if (row === undefined) return [span("no longer in the log", "dim")]
  const { source, what, text } = rowWords(present, row)
  const time = row.ts === null || present.firstTs === null ? "" : `${offset(row.ts - present.firstTs)}  `
  const token = row.level === "error" ? "error" : row.level === "warning" ? "warn" : "normal"
  return [span(`${time}${source}  `, "dim"), span(`${what}  ${text}`, token)]
}

/** Both values in about this many columns; of longer ones, the text around their first difference. */
function comparedSpans(
  { before, here }: Extract<Cause, { type: "compared" }>,
  columns: number,
  { arrow }: Glyphs,
): readonly Span[] {
  const isLong = (before?.length ?? 0) + (here?.length ?? 0) > columns
  const { a, b } = isLong ? excerptsAt(before ?? "", here ?? "") : { a: before, b: here }
  const earlier = a === null ? [] : [span(a.replaceAll("\n", " "), "dim"), span(` ${arrow} `, "dim")]
  return [...earlier, span((b ?? "–").replaceAll("\n", " "))]
}
