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
  paint(span: Span): Paint
  /** Background of a selected row; undefined where it is drawn in reverse. */
  readonly selected: RGBA | undefined
  readonly raised: RGBA
  readonly border: RGBA
  readonly borderFocused: RGBA
  readonly borderAsking: RGBA
}

type Hues = readonly (string | number)[]
type Named = Exclude<ColorToken, `hue${number}`>

/** In columns: dark, light, and both for 16 colours. */
const COLOURS: { readonly [token in Named | "selected"]: readonly [string, string, number, number] } = {
  bright: ["#eef1f6", "#14181f", 15, 0],
  normal: ["#b4bcc9", "#3f4652", 7, 0],
  dim: ["#8f98a8", "#5c6470", 8, 8],
  error: ["#ff6b6b", "#b3131f", 9, 1],
  warn: ["#f5c451", "#8a5a00", 11, 3],
  ok: ["#7fd18b", "#19713a", 10, 2],
  accent: ["#6cb6ff", "#0757ba", 14, 4],
  selected: ["#26303f", "#dbe4f0", 8, 7],
}

/** No hue is near red, yellow or green: these mean errors, warnings and success. */
const HUES: readonly [Hues, Hues, Hues, Hues] = [
  ["#5cc8ff", "#c49bff", "#f48fd0", "#4fd6be", "#ff9e64", "#9db4ff", "#b8d95f", "#d9a3ff", "#8fd3e8"],
  ["#0369a1", "#6d28d9", "#a21caf", "#0d6b64", "#a1470a", "#3743c4", "#436c0d", "#86198f", "#155e75"],
  [14, 13, 12, 6, 5, 4],
  [6, 5, 4],
]

/** Without colours, bold and reverse carry the message. */
export function makeTheme(depth: Depth, background: Background): Theme {
  if (depth === "none") return plainTheme
  const column = depth === "16" ? (background === "dark" ? 2 : 3) : background === "dark" ? 0 : 1
  const colours = new Map(Object.entries(COLOURS).map(([token, values]) => [token, rgba(values[column])]))
  const hues = HUES[column].map(rgba)
  const normal = rgba(COLOURS.normal[column])
  const pick = (token: ColorToken): RGBA => {
    return colours.get(token) ?? hues[Number(token.slice(3)) % hues.length] ?? normal
  }
  return {
    paint: span => ({ fg: pick(span.token), attributes: weight(span) }),
    selected: rgba(COLOURS.selected[column]),
    raised: RGBA.defaultBackground(),
    border: rgba(COLOURS.dim[column]),
    borderFocused: rgba(COLOURS.accent[column]),
    borderAsking: rgba(COLOURS.warn[column]),
  }
}

const plainTheme: Theme = {
  paint: span => ({
    fg: RGBA.defaultForeground(),
    attributes:
      weight(span) | (BOLD.has(span.token) ? TextAttributes.BOLD : 0) | (span.token === "dim" ? TextAttributes.DIM : 0),
  }),
  selected: undefined,
  raised: RGBA.defaultBackground(),
  border: RGBA.defaultForeground(),
  borderFocused: RGBA.defaultForeground(),
  borderAsking: RGBA.defaultForeground(),
}

const BOLD = new Set<ColorToken>(["bright", "error", "warn", "accent"])

function weight(span: Span): number {
  const hit = span.hit === true ? TextAttributes.INVERSE | TextAttributes.UNDERLINE : 0
  return (span.bold === true ? TextAttributes.BOLD : 0) | (span.italic === true ? TextAttributes.ITALIC : 0) | hit
}

function rgba(value: string | number): RGBA {
  return typeof value === "number" ? RGBA.fromIndex(value) : RGBA.fromHex(value)
}
