// How the stages of a session are drawn in a bar.
import type { StageKind } from "../../run/model/session.ts"
import { isFailure } from "../../run/select/waterfall.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import type { ColorToken, Hue } from "../../ui/line.ts"

const GLYPHS = {
  waiting: "dot",
  "first-token": "barEmpty",
  generation: "barFull",
  human: "asks",
  failed: "error",
  "tool-failed": "error",
} as const

/** The glyph of a kind: it says the same as its colour. */
export function stageGlyph(kind: StageKind, glyphs: Glyphs): string {
  if (kind === "tool") return "="
  return kind === "over" ? " " : glyphs[GLYPHS[kind]]
}

/** The colour of a kind; `hue` is that of its invocation. */
export function stageToken(kind: StageKind, hue: Hue): ColorToken {
  if (kind === "generation") return hue
  if (kind === "tool") return "accent"
  if (kind === "human") return "warn"
  return isFailure(kind) ? "error" : "dim"
}
