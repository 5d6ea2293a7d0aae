import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { blank, clipSpans, type Line, type RenderContext, type Span, span, wrapLines } from "../../ui/line.ts"
import { count, pad, width } from "../../ui/text-width.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { Typing } from "../../view/view.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"
import { matchedUnits } from "./match.ts"
import type { PaletteEntry, PaletteRows, ShownPalette } from "./palette-entry.ts"

/** Columns below which a row has no room for its kind. */
const WIDE = 60
const KIND = 18
const REASON = 56
const LEAST = 10
const MOST_KEYS = 10
const WIDE_KEYS = 14
const PAGE_KEYS = 9

/** How many rows match, of how many. */
export function paletteTitle({ rows, entries, keysFirst, isShort }: PaletteRows): string {
  if (isShort === true) return "KEYS  that work here · ? all keys"
  return `${keysFirst ? "ALL KEYS" : "COMMANDS"}  ${count(rows.length)} of ${count(entries.length)}`
}

/** The rows that fit, or that there are none; below the field stands where a condition is wrong. */
export function paletteLines(shown: ShownPalette, typing: Typing | null, place: Place): readonly Line[] {
  const text = typing?.text ?? ""
  // Of a group's name on the short page of keys.
  const groupColumns = place.columns < WIDE ? 6 : 10
  if (shown.rows.length > 0)
    return listLines(shown.rows, shown.cursor, place, one => {
      if (shown.asks === true && one === shown.rows[shown.cursor]) return [span(one.sure ?? "", "warn", { bold: true })]
      if (!shown.keysFirst) return rowSpans(one, text, place)
      const above = shown.rows[shown.rows.indexOf(one) - 1]
      const isShort = shown.isShort === true && text === ""
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
export function previewLines({ rows, cursor }: ShownPalette, { columns, render }: Place): readonly Line[] {
  const entry = rows[cursor]
  if (entry === undefined) return [blank]
  if (entry.why === null) return [{ spans: clipSpans([span(entry.title, "bright")], columns, render.glyphs.ellipsis) }]
  return wrapLines(`${entry.title} ${render.glyphs.dot} ${entry.why}`, columns, "warn").slice(0, 2)
}

/** What else can be typed. */
export function hintLine({ columns, render: { glyphs } }: Place): Line {
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
