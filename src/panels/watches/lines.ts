// Draws the watch list: a line for each watch, and below it one for each of its changes.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { type WatchChange, type WatchRow, watchLength, watchRow } from "../../query/watches.ts"
import { frameNumber } from "../../run/model/run.ts"
import { type Line, type RenderContext, type Span, span, wrapLines } from "../../ui/line.ts"
import { clock, count, counted, offset, pad } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import { listLines, topRow } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"

const EMPTY = [
  "No watches yet. a adds one. Examples:",
  "  state=review       when it becomes true, and when it stops being true",
  '  text~"I cannot"',
  "  tokens>4000",
  "  error",
  "  state              each change of value; also reason, model, tool, turn, tokens",
]

/** The rows of the list. Changes after the moment shown are dim. */
export function watchLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { watches } = state.view
  const { columns, rows, render } = place
  if (watches.list.length === 0) return EMPTY.flatMap(text => wrapLines(text, columns, "dim")).slice(0, rows)
  const top = topRow(cursor, rows, watchLength(watches))
  const shown = Array.from({ length: rows }, (_, i) => watchRow(watches, top + i) ?? []).flat()
  return listLines(shown, cursor - top, place, row => rowSpans(state, row, render, columns), 0)
}

export function watchTitle({ view }: State): string {
  const { list, read } = view.watches
  return `WATCH  ${count(list.length)}${read < 1 && list.length > 0 ? `  searched ${Math.floor(100 * read)}%` : ""}`
}

function rowSpans(state: State, row: WatchRow, render: RenderContext, columns: number): readonly Span[] {
  const { watch, change, hidden } = row
  if (change !== null) return changeSpans(state, change, render, columns)
  if (hidden > 0) return [span(`   ${render.glyphs.ellipsis} ${count(hidden)} more between, only counted`, "dim")]
  const isNever = watch.count === 0 && state.view.watches.read === 1
  const words = isNever ? "not yet" : counted(watch.count, "change")
  return [
    span(sanitizeLine(watch.text), "bright", { bold: true }),
    span(`  ${words}`, watch.count > 0 ? "warn" : "dim"),
  ]
}

const TOKENS = { true: "ok", false: "dim", value: "normal" } as const

function changeSpans(state: State, change: WatchChange, render: RenderContext, columns: number): readonly Span[] {
  const frame = frameNumber(state.run)
  const token = change.frame > frame ? "dim" : TOKENS[change.to]
  const { firstTs } = state.present
  const passed = change.ts === null || firstTs === null ? null : change.ts - firstTs
  // In the narrowest place the change is worth more than its milliseconds.
  const time =
    columns < 60
      ? pad(passed === null ? "" : clock(passed), 5, "right")
      : `${pad(seqWords(state, change), 10, "right")}  ${pad(passed === null ? "" : offset(passed), 11, "right")}`
  const at = `${change.frame === frame ? render.glyphs.live : " "} ${pad(`#${count(change.frame)}`, 9, "right")}  `
  const words = change.to === "value" ? change.words : `${change.to}${change.words === "" ? "" : `  ${change.words}`}`
  return [span(at, change.frame === frame ? "bright" : "dim"), span(`${time}  `, "dim"), span(words, token)]
}

function seqWords({ present }: State, { seq, epoch }: WatchChange): string {
  if (seq === null) return ""
  return present.epochs.length > 1 ? `e${epoch + 1}/${seq}` : `seq ${seq}`
}
