// How the stages of a session are drawn in a bar.
import type { StageKind } from "../../run/model/session.ts"
import { isFailure } from "../../run/select/waterfall.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import type { ColorToken, Hue } from "../../ui/line.ts"

/** The glyph of a kind: it says the same as its colour. */
export function stageGlyph(kind: StageKind, { dot, barEmpty, barFull, asks, error }: Glyphs): string {
  switch (kind) {
    case "waiting":
      return dot
    case "first-token":
      return barEmpty
    case "generation":
      return barFull
    case "tool":
      return "="
    case "human":
      return asks
    case "failed":
    case "tool-failed":
      return error
    case "over":
      return " "
  }
}

/** The colour of a kind; `hue` is that of its invocation. */
export function stageToken(kind: StageKind, hue: Hue): ColorToken {
  if (kind === "generation") return hue
  if (kind === "tool") return "accent"
  if (kind === "human") return "warn"
  return isFailure(kind) ? "error" : "dim"
}
