// Reduces the colours of a frame to those of the terminal. The renderer draws uncoloured cells in 24-bit white, and
// judges the terminal by its name alone.
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
    reduce(buffers.fg, depth, FOREGROUND)
    reduce(buffers.bg, depth, BACKGROUND)
  }
}

function reduce(cells: Uint16Array, depth: Depth, plain: Uint16Array): void {
  for (let at = 0; at < cells.length; at += 4) {
    if (depth === "none") cells.set(plain, at)
    // The high byte of the second number is 1 for an index, 2 for a default, 0 for red, green and blue.
    else if ((cells[at + 1] ?? 0) < 0x100 && cells[at + 3] !== 0) cells.set(replacement(cells, at, depth, plain), at)
  }
}

/** White means uncoloured. With 16 colours a theme names them by number, so anything else is uncoloured too. */
function replacement(cells: Uint16Array, at: number, depth: Depth, plain: Uint16Array): Uint16Array {
  const [red = 0, green = 0, blue = 0] = cells.subarray(at, at + 3)
  if (depth === "16" || Math.min(red, green, blue) === 255) return plain
  const key = (red << 16) | (green << 8) | blue
  const known = indexed.get(key)
  if (known !== undefined) return known
  const found = RGBA.fromIndex(nearest(red, green, blue)).buffer
  indexed.set(key, found)
  return found
}

/** A cache. It stays small, since only a theme's colours come here. */
const indexed = new Map<number, Uint16Array>()

const LEVELS = [0, 95, 135, 175, 215, 255]

/** The nearest of the 216 colours of the cube and the 24 greys. */
function nearest(red: number, green: number, blue: number): number {
  const colour = [red, green, blue]
  const [r = 0, g = 0, b = 0] = colour.map(level)
  const cube = distance(colour, [LEVELS[r] ?? 0, LEVELS[g] ?? 0, LEVELS[b] ?? 0])
  const step = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)))
  const grey = 8 + step * 10
  return distance(colour, [grey, grey, grey]) < cube ? 232 + step : 16 + 36 * r + 6 * g + b
}

function level(value: number): number {
  return LEVELS.reduce(
    (best, one, index) => (Math.abs(one - value) < Math.abs((LEVELS[best] ?? 0) - value) ? index : best),
    0,
  )
}

function distance(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, i) => sum + (value - (other[i] ?? 0)) ** 2, 0)
}
