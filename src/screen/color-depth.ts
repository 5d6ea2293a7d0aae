// Reduces the colours of a frame to those of the terminal. A theme of fewer colours names them by number, but the
// renderer draws uncoloured cells in 24-bit white.
import { RGBA } from "@opentui/core"
import type { Depth } from "../ui/theme.ts"

/** The colours of a frame, four numbers a cell. */
interface Cells {
  readonly fg: Uint16Array
  readonly bg: Uint16Array
}

const FOREGROUND = RGBA.defaultForeground().buffer
const BACKGROUND = RGBA.defaultBackground().buffer

/** Reduces a frame in place to `depth`; null if nothing needs reducing. */
export function fewerColours(depth: Depth): ((frame: { readonly buffers: Cells }) => void) | null {
  if (depth === "truecolor") return null
  return ({ buffers }) => {
    uncolour(buffers.fg, FOREGROUND)
    uncolour(buffers.bg, BACKGROUND)
  }
}

/** The high byte of a colour's second number is 1 for an index, 2 for a default, 0 for red, green and blue. */
function uncolour(cells: Uint16Array, plain: Uint16Array): void {
  for (let at = 0; at < cells.length; at += 4) {
    if ((cells[at + 1] ?? 0) < 0x100 && cells[at + 3] !== 0) cells.set(plain, at)
  }
}
