import { menuOf } from "../../store/menu.ts"
import type { State } from "../../store/state.ts"
import { type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { wrap } from "../wrap.ts"

/** The rows of the menu: each action, and below one that cannot be had why not. */
export function menuLines(
  state: State,
  menu: { readonly session: number; readonly cursor: number },
  look: Look,
  columns: number,
): readonly Line[] {
  return menuOf(state, menu.session).flatMap((item, index) => {
    const here = index === menu.cursor
    const token = item.why !== null ? "dim" : here ? "bright" : "normal"
    const head = line(span(here ? `${look.glyphs.folded} ` : "  ", "accent"), span(item.title, token, { bold: here }))
    const why = item.why === null ? [] : wrap(item.why, columns - 4).map(text => line(span(`    ${text}`, "dim")))
    return [{ ...head, selected: here }, ...why]
  })
}
