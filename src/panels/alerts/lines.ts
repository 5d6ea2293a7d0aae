import { type ColorToken, clipSpans, type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, duration, pad } from "../../ui/text-width.ts"
import type { Alert } from "./alerts.ts"

const AGE_COLUMNS = 9

/** One line for each need: what it is, for how long, who, and why. */
export function alertLines(
  all: readonly Alert[],
  cursor: number,
  context: RenderContext,
  columns: number,
): readonly Line[] {
  if (all.length === 0) return [line(span("Nothing needs you", "dim"))]
  const whoColumns = columns >= 90 ? 22 : columns >= 50 ? 18 : 12
  return all.map((one, index) => {
    const here = index === cursor
    const age = one.since === null ? "" : duration(Math.max(0, context.now - one.since))
    const spans = [
      span(here ? context.glyphs.folded : " ", "accent"),
      span(` ${markOf(one, context)} `, tokenOf(one)),
      span(`${pad(age, AGE_COLUMNS - 1, "right")} `, "dim"),
      span(pad(clip(one.who, whoColumns - 1, context.glyphs.ellipsis), whoColumns), "bright"),
      span(one.why, tokenOf(one), { bold: here }),
    ]
    return { spans: clipSpans(spans, columns, context.glyphs.ellipsis), selected: here }
  })
}

function markOf({ what }: Alert, { glyphs }: RenderContext): string {
  switch (what) {
    case "prompt":
      return glyphs.asks
    case "error":
      return glyphs.error
    case "silent":
      return glyphs.status.waiting
    case "repeat":
    case "context":
      return glyphs.warning
  }
}

function tokenOf({ what }: Alert): ColorToken {
  return what === "error" ? "error" : "warn"
}
