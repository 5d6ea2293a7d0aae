// Keeps every cell within the colours that the terminal has: the renderer draws what nobody coloured in 24-bit white,
// and asks nobody but the name of the terminal how many colours there are.
import { RGBA } from "@opentui/core"
import type { Depth } from "../ui/theme.ts"

/** The colours of a frame, four numbers a cell. */
interface Cells {
  readonly fg: Uint16Array
  readonly bg: Uint16Array
}

const FOREGROUND = RGBA.defaultForeground().buffer
const BACKGROUND = RGBA.defaultBackground().buffer

/** What makes a frame fit for `depth`, in place; null where nothing has to be done. */
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
    // The upper half of the second number tells an index (1) or a default (2) from red, green and blue (0).
    else if ((cells[at + 1] ?? 0) < 0x100 && cells[at + 3] !== 0) cells.set(replacement(cells, at, depth, plain), at)
  }
}

/** White is what nobody coloured. Of sixteen colours none stands for another: a theme names them by their numbers. */
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

/** Few: what comes here are a theme's colours. */
const indexed = new Map<number, Uint16Array>()

const LEVELS = [0, 95, 135, 175, 215, 255]

/** The number of the colour nearest to this one, of the 216 of the cube and the 24 greys. */
function nearest(red: number, green: number, blue: number): number {
  const [r, g, b] = [level(red), level(green), level(blue)]
  const cube = distance(red, green, blue, LEVELS[r] ?? 0, LEVELS[g] ?? 0, LEVELS[b] ?? 0)
  const step = Math.max(0, Math.min(23, Math.round(((red + green + blue) / 3 - 8) / 10)))
  const grey = 8 + step * 10
  return distance(red, green, blue, grey, grey, grey) < cube ? 232 + step : 16 + 36 * r + 6 * g + b
}

function level(value: number): number {
  return LEVELS.reduce(
    (best, one, index) => (Math.abs(one - value) < Math.abs((LEVELS[best] ?? 0) - value) ? index : best),
    0,
  )
}

function distance(r: number, g: number, b: number, r2: number, g2: number, b2: number): number {
  return (r - r2) ** 2 + (g - g2) ** 2 + (b - b2) ** 2
}
