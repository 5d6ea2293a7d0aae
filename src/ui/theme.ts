// Turns the meaning of a text into colours and attributes.
import { RGBA, TextAttributes } from "@opentui/core"
import type { ColorToken, Span } from "./line.ts"

export type Depth = "truecolor" | "256" | "16" | "none"
export type Background = "dark" | "light"

/** The colour and attributes of a span. */
export interface Paint {
  readonly fg: RGBA
  readonly attributes: number
}

export interface Theme {
  paint(span: Span): Paint
  /** Background of a selected row; undefined where it is drawn in reverse. */
  readonly selected: RGBA | undefined
  /** Background of a question or an overlay. */
  readonly raised: RGBA
  readonly border: RGBA
  readonly borderFocused: RGBA
  readonly borderAsking: RGBA
}

type Named = Exclude<ColorToken, `hue${number}`>
interface Palette {
  readonly named: { readonly [token in Named]: string | number }
  readonly hues: readonly (string | number)[]
  readonly selected: string | number
}

/** No hue is near red, yellow or green: these mean errors, warnings and success. */
type PaletteName = Background | `${Background}16`
const palettes: { readonly [name in PaletteName]: Palette } = {
  dark: {
    named: {
      bright: "#eef1f6",
      normal: "#b4bcc9",
      dim: "#8f98a8",
      error: "#ff6b6b",
      warn: "#f5c451",
      ok: "#7fd18b",
      accent: "#6cb6ff",
    },
    hues: ["#5cc8ff", "#c49bff", "#f48fd0", "#4fd6be", "#ff9e64", "#9db4ff", "#b8d95f", "#d9a3ff", "#8fd3e8"],
    selected: "#26303f",
  },
  light: {
    named: {
      bright: "#14181f",
      normal: "#3f4652",
      dim: "#5c6470",
      error: "#b3131f",
      warn: "#8a5a00",
      ok: "#19713a",
      accent: "#0757ba",
    },
    hues: ["#0369a1", "#6d28d9", "#a21caf", "#0d6b64", "#a1470a", "#3743c4", "#436c0d", "#86198f", "#155e75"],
    selected: "#dbe4f0",
  },
  dark16: {
    named: { bright: 15, normal: 7, dim: 8, error: 9, warn: 11, ok: 10, accent: 14 },
    hues: [14, 13, 12, 6, 5, 4],
    selected: 8,
  },
  light16: {
    named: { bright: 0, normal: 0, dim: 8, error: 1, warn: 3, ok: 2, accent: 4 },
    hues: [6, 5, 4],
    selected: 7,
  },
}

/** Without colours, bold and reverse carry the message. */
export function makeTheme(depth: Depth, background: Background): Theme {
  if (depth === "none") return plainTheme
  const name: PaletteName = depth === "16" ? `${background}16` : background
  const palette = palettes[name]
  const colour = new Map<ColorToken, RGBA>()
  const named = Object.entries(palette.named) as [Named, string | number][]
  for (const [token, value] of named) colour.set(token, rgba(value))
  const hues = palette.hues.map(rgba)
  const normal = rgba(palette.named.normal)
  const pick = (token: ColorToken): RGBA => {
    const known = colour.get(token)
    if (known !== undefined) return known
    return token.startsWith("hue") ? (hues[Number(token.slice(3)) % hues.length] ?? normal) : normal
  }
  return {
    paint: span => ({ fg: pick(span.token), attributes: weight(span) }),
    selected: rgba(palette.selected),
    raised: RGBA.defaultBackground(),
    border: rgba(palette.named.dim),
    borderFocused: rgba(palette.named.accent),
    borderAsking: rgba(palette.named.warn),
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
