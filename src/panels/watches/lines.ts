// The watch list: a line for each thing that is watched, and below it one for each of its changes.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { type WatchChange, type WatchRow, watchLength, watchRow } from "../../query/watches.ts"
import { frameNumber } from "../../run/model/run.ts"
import { clipSpans, type Line, line, type Span, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clock, count, offset, pad } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import type { State } from "../../view/state.ts"
import { topRow } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

const EMPTY = [
  "Nothing is watched yet: a adds something. Examples:",
  "  state=review       when it became true, and when it stopped being true",
  '  text~"I cannot"',
  "  tokens>4000",
  "  error",
  "  state              each change of its value; also reason, model, tool, turn, tokens",
]

/** The rows of the list. What comes only after the moment shown is dim. */
export function watchLines(state: State, cursor: number, { columns, rows, render }: Place): readonly Line[] {
  const { watches } = state.view
  if (watches.list.length === 0) {
    return EMPTY.flatMap(text => wrap(text, columns).map(one => line(span(one, "dim")))).slice(0, rows)
  }
  const lines: Line[] = []
  const top = topRow(cursor, rows, watchLength(watches))
  for (let index = top; index < top + rows; index++) {
    const row = watchRow(watches, index)
    if (row === null) break
    const here = index === cursor
    const spans = [span(`${here ? render.glyphs.folded : " "} `, "accent"), ...rowSpans(state, row, render, columns)]
    lines.push({ spans: clipSpans(spans, columns, render.glyphs.ellipsis), selected: here })
  }
  return lines
}

export function watchTitle({ view }: State): string {
  const { list, read } = view.watches
  return `WATCH  ${count(list.length)}${read < 1 && list.length > 0 ? `  looked through ${Math.floor(100 * read)}%` : ""}`
}

function rowSpans(
  state: State,
  { watch, change, hidden }: WatchRow,
  context: RenderContext,
  columns: number,
): readonly Span[] {
  if (change !== null) return changeSpans(state, change, context, columns)
  if (hidden > 0) return [span(`   ${context.glyphs.ellipsis} ${count(hidden)} more between, only counted`, "dim")]
  const isRead = state.view.watches.read === 1
  const changes = watch.count === 1 ? "change" : "changes"
  const words = watch.count === 0 && isRead ? "never so far" : `${count(watch.count)} ${changes}`
  return [
    span(sanitizeLine(watch.text), "bright", { bold: true }),
    span(`  ${words}`, watch.count > 0 ? "warn" : "dim"),
  ]
}

const TOKENS = { true: "ok", false: "dim", value: "normal" } as const

function changeSpans(state: State, change: WatchChange, context: RenderContext, columns: number): readonly Span[] {
  const { run } = state
  const frame = frameNumber(run)
  const token = change.frame > frame ? "dim" : TOKENS[change.to]
  const { firstTs } = state.present
  const passed = change.ts === null || firstTs === null ? null : change.ts - firstTs
  const place = seqWords(state, change)
  const at = `${change.frame === frame ? context.glyphs.live : " "} ${pad(`#${count(change.frame)}`, 9, "right")}  `
  const words = change.to === "value" ? change.words : `${change.to}${change.words === "" ? "" : `  ${change.words}`}`
  return [
    span(at, change.frame === frame ? "bright" : "dim"),
    // In the narrowest place what changed is worth more than when it did to the millisecond.
    ...(columns < 60 ? narrowSpans(passed) : wideSpans(place, passed)),
    span(words, token),
  ]
}

function narrowSpans(passed: number | null): readonly Span[] {
  return [span(`${pad(passed === null ? "" : clock(passed), 5, "right")}  `, "dim")]
}

function wideSpans(place: string, passed: number | null): readonly Span[] {
  const time = passed === null ? "" : offset(passed)
  return [span(`${pad(place, 10, "right")}  ${pad(time, 11, "right")}  `, "dim")]
}

function seqWords(state: State, { seq, epoch }: WatchChange): string {
  if (seq === null) return ""
  return state.present.epochs.length > 1 ? `e${epoch + 1}/${seq}` : `seq ${seq}`
}
