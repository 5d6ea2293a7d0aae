// Turns the meaning of a text into colours and attributes.
import { RGBA, TextAttributes } from "@opentui/core"
import type { ColorToken, Span } from "./line.ts"

export type Depth = "truecolor" | "256" | "16" | "none"
export type Background = "dark" | "light"

export interface Paint {
  readonly fg: RGBA
  readonly attributes: number
}

export interface Theme {
  /** How a span is drawn; `selected` for one in a selected row. */
  paint(span: Span, selected?: boolean): Paint
  /** How the title of a box is drawn. */
  title(border: RGBA, focused: boolean): Paint
  /** Background of a selected row; undefined where it is drawn in reverse. */
  readonly selected: RGBA | undefined
  readonly raised: RGBA
  readonly border: RGBA
  readonly borderFocused: RGBA
  readonly borderAsking: RGBA
}

const DEPTHS: readonly Depth[] = ["truecolor", "256", "16", "none"]

/** For each depth two columns, dark and light; none without colours. Null is the terminal's own colour. */
type Columns = readonly (string | number | null)[]
type Named = Exclude<ColorToken, `hue${number}`>

/** Of sixteen colours, those whose names say how they look are too pale or too dark on the page that they stand on. */
const COLOURS: { readonly [token in Named | "selected"]: Columns } = {
  bright: ["#eef1f6", "#14181f", 255, 234, 15, 0],
  normal: ["#b4bcc9", "#3f4652", 250, 238, null, null],
  dim: ["#969fae", "#5c6470", 247, 241, null, null],
  error: ["#ff6b6b", "#b3131f", 210, 124, 9, 1],
  warn: ["#f5c451", "#8a5a00", 221, 94, 11, null],
  ok: ["#7fd18b", "#19713a", 114, 22, 10, null],
  accent: ["#6cb6ff", "#0757ba", 75, 26, 14, 4],
  past: ["#e2b6ff", "#5a1fb0", 177, 55, 13, 5],
  selected: ["#26303f", "#dbe4f0", 236, 254, null, null],
}

/** No hue is near red, yellow or green: these mean errors, warnings and success. */
const HUES: readonly Columns[] = [
  ["#5cc8ff", "#c49bff", "#f48fd0", "#4fd6be", "#ff9e64", "#9db4ff", "#b8d95f", "#d9a3ff", "#8fd3e8"],
  ["#0369a1", "#6d28d9", "#a21caf", "#0d6b64", "#a1470a", "#3743c4", "#436c0d", "#86198f", "#155e75"],
  [81, 183, 212, 79, 215, 111, 149, 219, 117],
  [24, 92, 127, 23, 58, 19, 60, 89, 54],
  [14, 13, 6],
  [5, 4],
]

/** What tells a meaning where it has no colour. */
const ATTRIBUTES: { readonly [token: string]: number } = {
  dim: TextAttributes.DIM,
  error: TextAttributes.BOLD,
  warn: TextAttributes.BOLD,
  ok: TextAttributes.BOLD,
}

/** Where colours are missing, bold, faint and reverse carry the message. */
export function makeTheme(depth: Depth, background: Background): Theme {
  const column = 2 * DEPTHS.indexOf(depth) + (background === "dark" ? 0 : 1)
  const colours = new Map(Object.entries(COLOURS).map(([token, columns]) => [token, rgba(columns[column])]))
  const hues = (HUES[column] ?? []).map(rgba)
  const pick = (token: ColorToken): RGBA | undefined =>
    colours.has(token) ? colours.get(token) : hues[Number(token.slice(3)) % hues.length]
  const own = RGBA.defaultForeground()
  const selected = colours.get("selected")
  return {
    paint(span, isSelected = false) {
      // In reverse every colour would be a background.
      const isReverse = isSelected && selected === undefined
      const fg = isReverse ? undefined : pick(span.token)
      const told = fg === undefined ? (ATTRIBUTES[span.token] ?? 0) : 0
      const shape = isReverse ? (told & ~TextAttributes.DIM) | TextAttributes.INVERSE : told
      return { fg: fg ?? own, attributes: weight(span) | shape }
    },
    title(border, focused) {
      const shape = focused ? TextAttributes.INVERSE : TextAttributes.BOLD
      return { fg: border, attributes: selected === undefined ? shape : 0 }
    },
    selected,
    raised: RGBA.defaultBackground(),
    border: pick("dim") ?? own,
    borderFocused: pick("accent") ?? own,
    borderAsking: pick("warn") ?? own,
  }
}

function weight(span: Span): number {
  const hit = span.hit === true ? TextAttributes.INVERSE | TextAttributes.UNDERLINE : 0
  const past = span.token === "past" ? TextAttributes.INVERSE : 0
  return (
    (span.bold === true ? TextAttributes.BOLD : 0) | (span.italic === true ? TextAttributes.ITALIC : 0) | hit | past
  )
}

function rgba(value: string | number | null | undefined): RGBA | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === "number" ? RGBA.fromIndex(value) : RGBA.fromHex(value)
}
