// Draws the palette over what it was opened from. It never moves while a person types.
import type { JSX } from "solid-js"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { blank, clipSpans, type Line, type RenderContext, type Span, span, wrapLines } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { count, edgeWords, pad, width } from "../../ui/text-width.ts"
import { typedRows } from "../../ui/typed-error.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { Typing } from "../../view/view.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"
import { usePlace } from "../common/use-place.ts"
import { matchedUnits } from "./match.ts"
import type { PaletteEntry, PaletteRows, ShownPalette } from "./palette-entry.ts"

const SIZE = { columns: 112, rows: 21 }
/** The same for the short page of keys, which wants to be seen whole. */
const PAGE_SIZE = { columns: 84, rows: 30 }
/** Where there are fewer rows or columns it takes them all. */
const MARGINS = { columns: 60, rows: 20 }

/** Draws the palette over the body. */
export function PalettePane(props: { body: Rect; shown: ShownPalette }): JSX.Element {
  const { state } = useScreen()
  const place = usePlace(() => rect())
  const rect = (): Rect => {
    const { x, y, width, height } = props.body
    const size = props.shown.isShort === true ? PAGE_SIZE : SIZE
    const columns = Math.min(size.columns, width < MARGINS.columns ? width : width - 4)
    const above = height < MARGINS.rows ? 0 : Math.min(3, height - MARGINS.rows)
    return {
      x: x + Math.floor((width - columns) / 2),
      y: y + above,
      width: columns,
      height: Math.min(size.rows, height - above),
    }
  }
  const typed = () => typedRows(state(), place().columns, place().rows)
  const hints = () => (place().rows - typed() > 8 && props.shown.isShort !== true ? 3 : 0)
  const rows = () => Math.max(1, place().rows - typed() - hints())
  const edge = () => {
    const { rows, cursor } = props.shown
    return edgeWords({ top: 0, rows: 1, length: rows.length, cursor })
  }
  const preview = () => [blank, ...previewLines(props.shown, place()), hintLine(place())]
  return (
    <TitledBox rect={rect()} focused raised title={paletteTitle(props.shown)} footnote={edge()}>
      <TypedLine columns={place().columns} rows={typed()} />
      <Canvas lines={paletteLines(props.shown, state().view.typing, { ...place(), rows: rows() })} rows={rows()} />
      <Canvas lines={preview().slice(0, hints())} rows={hints()} />
    </TitledBox>
  )
}

/** Columns below which a row has no room for its kind. */
const WIDE = 60
const KIND = 18
const REASON = 56
const LEAST = 10
const MOST_KEYS = 10
const WIDE_KEYS = 14
const PAGE_KEYS = 9

/** How many rows match, of how many. */
function paletteTitle({ rows, entries, keysFirst, isShort }: PaletteRows): string {
  if (isShort === true) return "KEYS  that work here · ? all keys"
  return `${keysFirst ? "ALL KEYS" : "COMMANDS"}  ${count(rows.length)} of ${count(entries.length)}`
}

/** The rows that fit, or that there are none; below the field stands where a condition is wrong. */
function paletteLines(shown: ShownPalette, typing: Typing | null, place: Place): readonly Line[] {
  const text = typing?.text ?? ""
  // Of a group's name on the short page of keys.
  const groupColumns = place.columns < WIDE ? 6 : 10
  if (shown.rows.length > 0)
    return listLines(shown.rows, shown.cursor, place, one => {
      if (shown.asks === true && one === shown.rows[shown.cursor]) return [span(one.sure ?? "", "warn", { bold: true })]
      if (!shown.keysFirst) return rowSpans(one, text, place)
      const above = shown.rows[shown.rows.indexOf(one) - 1]
      const isShort = shown.isShort === true
      const group = isShort && above?.page?.group !== one.page?.group ? (one.page?.group ?? "") : ""
      return [
        ...(isShort ? [span(pad(group, groupColumns), "bright")] : []),
        ...keySpans(one, text, place, isShort ? groupColumns : 0),
      ]
    })
  if (typing?.error != null) return []
  const words = `Nothing is called "${sanitizeLine(text.trim())}"`
  const meant = shown.meant == null ? "" : `. Did you mean ${shown.meant}?`
  return wrapLines(words + meant, place.columns, "warn").slice(0, place.rows)
}

/** The title of the row under the cursor in full; of one that is refused why, on two lines at most. */
function previewLines({ rows, cursor }: ShownPalette, { columns, render }: Place): readonly Line[] {
  const entry = rows[cursor]
  if (entry === undefined) return [blank]
  if (entry.why === null) return [{ spans: clipSpans([span(entry.title, "bright")], columns, render.glyphs.ellipsis) }]
  return wrapLines(`${entry.title} ${render.glyphs.dot} ${entry.why}`, columns, "warn").slice(0, 2)
}

/** What else can be typed. */
function hintLine({ columns, render: { glyphs } }: Place): Line {
  const hints = "Type where to go: 812 an event, #1204 a frame, +12.5s, 50%, tokens>4000"
  return { spans: clipSpans([span(hints, "dim")], columns, glyphs.ellipsis) }
}

/** A row of the list of keys: its key comes first. */
function keySpans(entry: PaletteEntry, text: string, { columns, render }: Place, before: number): readonly Span[] {
  const { key, why, title } = entry
  const about = why === null || columns < WIDE ? "" : `  ${why}`
  const most = before === 0 ? MOST_KEYS : columns < WIDE ? PAGE_KEYS : WIDE_KEYS
  const room = columns - 2 - before - most - 2 - width(about)
  const keys = span(`${pad(key, most, "left", render.glyphs.ellipsis)}  `, why === null ? "accent" : "dim")
  return [keys, ...titleSpans(entry, pad(title, room, "left", render.glyphs.ellipsis), text), span(about, "dim")]
}

function rowSpans(entry: PaletteEntry, text: string, { columns, render }: Place): readonly Span[] {
  const { glyphs } = render
  const { kind, key, why, title } = entry
  const isWide = columns >= WIDE
  const keys = pad(key, isWide ? MOST_KEYS : Math.min(MOST_KEYS, width(key)), "right", glyphs.ellipsis)
  // An action needs no word for what it is.
  const isDoing = kind === "action" || kind === "command"
  const rest = columns - 4 - width(keys) - 1
  // Of a row that is refused the title is worth more: below the list it says the whole of why.
  const kindColumns = why !== null ? clamp(rest - width(title) - 2, LEAST, REASON) : isDoing ? 0 : KIND
  const about = isWide && kindColumns > 0 ? `  ${pad(why ?? kind, kindColumns, "left", glyphs.ellipsis)}` : ""
  const room = rest - width(about)
  const shown = pad(title, room, "left", glyphs.ellipsis)
  const mark = span(`${markOf(entry, render)} `, "dim")
  return [
    mark,
    ...titleSpans(entry, shown, text),
    span(about, "dim"),
    span(` ${keys}`, why === null ? "accent" : "dim"),
  ]
}

/** The letters that matched are bright. */
function titleSpans({ why }: PaletteEntry, shown: string, text: string): readonly Span[] {
  if (why !== null) return [span(shown, "dim")]
  const places = matchedUnits(text.replace(/^\s*[/?]/, ""), shown)
  const spans: Span[] = []
  for (let from = 0; from < shown.length; ) {
    const isMatched = places.has(from)
    let to = from + 1
    while (to < shown.length && places.has(to) === isMatched) to++
    spans.push(span(shown.slice(from, to), isMatched ? "bright" : "normal", { bold: isMatched }))
    from = to
  }
  return spans
}

function markOf({ kind, status = "done" }: PaletteEntry, { glyphs }: RenderContext): string {
  switch (kind) {
    case "session":
      return glyphs.status[status]
    case "question":
      return glyphs.asks
    case "error":
      return glyphs.error
    case "moment":
      return "#"
    case "bookmark":
      return glyphs.bar
    case "state":
      return glyphs.arrow
    case "condition":
      return glyphs.ellipsis
    case "action":
    case "command":
      return glyphs.path
  }
}
