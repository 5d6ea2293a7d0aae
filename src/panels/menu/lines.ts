import { type Line, line, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { wrap } from "../../ui/wrap.ts"

/** The rows of a menu: each item, and below one that cannot be had why not. */
export function menuLines(
  items: readonly { readonly title: string; readonly why: string | null }[],
  cursor: number,
  context: RenderContext,
  columns: number,
): readonly Line[] {
  return items.flatMap((item, index) => {
    const here = index === cursor
    const token = item.why !== null ? "dim" : here ? "bright" : "normal"
    const head = line(
      span(here ? `${context.glyphs.folded} ` : "  ", "accent"),
      span(item.title, token, { bold: here }),
    )
    const why = item.why === null ? [] : wrap(item.why, columns - 4).map(text => line(span(`    ${text}`, "dim")))
    return [{ ...head, selected: here }, ...why]
  })
}
