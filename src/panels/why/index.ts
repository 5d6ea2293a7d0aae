// The list of what led to a turn or to a change of states, with what was so before, or in a good visit, beside it.
import { rowIndex, turnPlace } from "../../run/identity/find-by-id.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import { excerptsAt } from "../../run/select/compare.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type Cause, refsOfRow, refsOfTurn } from "../../run/select/why.ts"
import { blank, clipSpans, type Line, line, type Span, span, wrapSpans } from "../../ui/line.ts"
import { clip, offset, pad, width } from "../../ui/text-width.ts"
import { readingAt } from "../../view/block-reading.ts"
import { change, frontOverlay, inFront, itemUnder, nothing, type Plan, without } from "../../view/plan-result.ts"
import { pageIn } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { rowInFront, turnInFront } from "../common/in-front.ts"
import { close, down, help, PLACES, up } from "../common/keys.ts"
import { listLines, listOverlay } from "../common/list/list.ts"
import { entryOf } from "../common/open-entry.ts"
import { causesOf, openWhy } from "../common/open-why.ts"
import type { KeyBinding, Opener, OwnScope, Panel, Place } from "../common/panel.ts"

export const showWhy: KeyBinding = {
  id: "why/open",
  keys: ["v"],
  title: "show what led to this turn, error or change of states",
  words: "why cause reason explain because debug",
}

const openers: readonly Opener[] = [{ from: PLACES, keys: [showWhy] }]

const scope: OwnScope = {
  id: "why",
  kind: "list",
  keys: [
    {
      id: "why/go",
      keys: ["enter"],
      title: "open the row, both turns beside each other, or the view that tells more",
      words: "go",
      hint: "open",
    },
    close,
    down,
    up,
    help,
  ],
}

export const whyPanel = {
  keys: { group: "Find", openers, scopes: [scope] },
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
        title: state => {
          const overlay = frontOverlay(state, "why")
          return overlay === null ? "" : causesOf(state, overlay.about).title
        },
        length: (state, { about }) => causesOf(state, about).list.length,
        lines: causeLines,
        legend: causeLegend,
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
      const fall = { ...view.cursors.fall, turn: turnPlace(present, turn).turn }
      const cursors = { ...view.cursors, contextAt: turn, fall, top: 0 }
      const selected = { type: "session", session: turn.session } as const
      const read = session === undefined ? {} : { text: readingAt(view.text, session, turnPlace(present, turn).turn) }
      return change({ cursors, selected, pinned: true, ...read, overlays: inFront(state, { type: tab }) })
    }
  }
}

/** Columns of a label at most. */
const LABEL = 30
/** With fewer columns, the time of a row stands only below the list. */
const TIMED = 70

function causeLines(state: State, cursor: number, place: Place): readonly Line[] {
  const list = shown(state)
  if (list.length === 0) return [line(span("Nothing led here", "dim"))]
  const label = Math.min(LABEL, Math.floor(place.columns * 0.35), Math.max(...list.map(one => width(one.label))))
  const before = Math.max(1, ...list.map(one => (one.type === "compared" ? width(one.before ?? "–") : 0)))
  return listLines(list, cursor, place, cause => [
    span(pad(cause.label, label, "left", place.render.glyphs.ellipsis), "accent"),
    span("  "),
    ...(cause.type === "row"
      ? rowSpans(state, cause, place.columns >= TIMED)
      : comparedSpans(cause, place, label, before)),
  ])
}

/** What the line under the cursor says, in full as far as half of the list's rows reach. */
function causeLegend(state: State, { columns, rows, render: { glyphs } }: Place): readonly Line[] {
  const cause = itemUnder(state, "why", shown(state))
  const room = Math.floor((rows - 1) / 2)
  if (cause === undefined || room < 2) return []
  const label = span(`${cause.label}: `, "accent")
  const arrow = span(`${glyphs.arrow} `, "accent")
  const wrapped = (most: number, ...spans: readonly Span[]): readonly Line[] =>
    wrapSpans(spans, columns)
      .slice(0, most)
      .map(one => line(...one))
  const isShort = room < 5
  if (cause.type === "row") {
    const spans = rowSpans(state, cause)
    return isShort ? wrapped(room, ...spans) : [blank, ...wrapped(room - 1, label, ...spans)]
  }
  const { before, here } = cause
  if (isShort) {
    // In few rows, both from just before their difference.
    const { a, b } = excerptsAt(before ?? "", here ?? "")
    const spans = [[span(a ?? "–", "dim")], [arrow, span(b ?? "–")]]
    return spans.map(one => line(...clipSpans(one, columns, glyphs.ellipsis)))
  }
  const most = Math.floor((room - 1) / 2)
  return [blank, ...wrapped(most, label, span(before ?? "–", "dim")), ...wrapped(most, arrow, span(here ?? "–"))]
}

function rowSpans(state: State, { row: id }: Extract<Cause, { type: "row" }>, hasTime = true): readonly Span[] {
  const { present } = state
  const row = recalledRowAt(state, rowIndex(present, id))
  if (row === undefined) return [span("no longer in the log", "dim")]
  const { source, what, text } = rowWords(present, row)
  const time = !hasTime || row.ts === null || present.firstTs === null ? "" : `${offset(row.ts - present.firstTs)}  `
  const token = row.level === "error" ? "error" : row.level === "warning" ? "warn" : "normal"
  return [span(`${time}${source}  `, "dim"), span(`${what}  ${text}`, token)]
}

/** Both beside each other; what does not fit is to be read below the list. */
function comparedSpans(
  { before, here }: Extract<Cause, { type: "compared" }>,
  { columns, render: { glyphs } }: Place,
  label: number,
  most: number,
): readonly Span[] {
  const now = here ?? "–"
  const earlier = before ?? "–"
  const half = Math.min(most, Math.floor((columns - label - 8) / 2))
  return [span(pad(clip(earlier, half, glyphs.ellipsis), half), "dim"), span(` ${glyphs.arrow} `, "dim"), span(now)]
}
