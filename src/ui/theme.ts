// Turns the meaning of a text into colours and attributes.
import { RGBA, TextAttributes } from "@opentui/core"
import type { ColorToken, Span } from "./line.ts"
import { builtIn, type ThemeFile } from "./theme-file.ts"

export type Depth = "truecolor" | "256" | "16" | "none"
export type Background = ThemeFile["base"]

export interface Paint {
  readonly fg: RGBA
  readonly attributes: number
}

export type Theme = Readonly<ReturnType<typeof makeTheme>>

/** What tells a meaning where it has no colour. */
const ATTRIBUTES: { readonly [token: string]: number } = {
  dim: TextAttributes.DIM,
  error: TextAttributes.BOLD,
  warn: TextAttributes.BOLD,
  ok: TextAttributes.BOLD,
}

const noColors = { roles: new Map<string, null>(), hues: [] }

/** Where colours are missing, bold, faint and reverse carry the message. */
export function makeTheme(depth: Depth, theme: Background | ThemeFile) {
  const { base, shades } = typeof theme === "string" ? builtIn(theme) : theme
  const { roles, hues } = depth === "none" ? noColors : shades[depth]
  const colours = new Map([...roles].map(([role, shade]) => [role, rgba(shade)]))
  const shared = hues.map(rgba)
  const pick = (token: ColorToken): RGBA | undefined =>
    colours.has(token) ? colours.get(token) : shared[Number(token.slice(3)) % shared.length]
  const own = RGBA.defaultForeground()
  const selected = colours.get("selected")
  return {
    /** How a span is drawn: in a selected row, in one of a place without the focus, or in another. */
    paint(span: Span, row?: "selected" | "idle"): Paint {
      // In reverse every colour would be a background.
      const isReverse = row !== undefined && selected === undefined && span.lane !== true
      const fg = isReverse ? undefined : pick(span.token)
      const told = fg === undefined ? (ATTRIBUTES[span.token] ?? 0) : 0
      const shape = weight(span, base) | told
      const bar = TextAttributes.INVERSE | (row === "idle" ? TextAttributes.DIM : 0)
      const attributes = isReverse ? (shape & ~TextAttributes.DIM) | bar : shape
      return { fg: fg ?? own, attributes }
    },
    title(border: RGBA, focused: boolean): Paint {
      const shape = focused ? TextAttributes.INVERSE : TextAttributes.BOLD
      return { fg: border, attributes: selected === undefined ? shape : 0 }
    },
    /** Background of a selected row; undefined where it is drawn in reverse. */
    selected,
    /** Background of what failed; undefined where it has none. */
    failed: colours.get("failed"),
    raised: RGBA.defaultBackground(),
    border: pick("dim") ?? own,
    borderFocused: pick("accent") ?? own,
    borderAsking: pick("warn") ?? own,
  }
}

/** On a light background a faint text would be too pale to read; a lane is not. */
function weight(span: Span, base: Background): number {
  const hit = span.hit === true ? TextAttributes.INVERSE | TextAttributes.UNDERLINE : 0
  const past = span.token === "past" ? TextAttributes.INVERSE : 0
  const faint = span.faint === true && (base === "dark" || span.lane === true) ? TextAttributes.DIM : 0
  const bold = span.bold === true ? TextAttributes.BOLD : 0
  return bold | (span.italic === true ? TextAttributes.ITALIC : 0) | hit | past | faint
}

function rgba(value: string | number | null): RGBA | undefined {
  if (value === null) return undefined
  return typeof value === "number" ? RGBA.fromIndex(value) : RGBA.fromHex(value)
}
