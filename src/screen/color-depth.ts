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

/**
 * Writes the sixteen colours of a frame as every terminal knows them: `31` and `91`, not `38;5;1` and `38;5;9`. Null
 * for another depth.
 */
export function sixteenColours(depth: Depth): ((frame: Uint8Array) => Uint8Array) | null {
  if (depth !== "16") return null
  return frame => Buffer.from(Buffer.from(frame).toString("latin1").replace(INDEXED, shortSequence), "latin1")
}

const INDEXED = /\x1b\[([34])8;5;(\d|1[0-5])m/g

function shortSequence(_: string, ground: string, index: string): string {
  const bright = Number(index) >= 8
  return `\x1b[${Number(ground) * 10 + (bright ? 60 : 0) + (Number(index) % 8)}m`
}

/** The high byte of a colour's second number is 1 for an index, 2 for a default, 0 for red, green and blue. */
function uncolour(cells: Uint16Array, plain: Uint16Array): void {
  for (let at = 0; at < cells.length; at += 4) {
    if ((cells[at + 1] ?? 0) < 0x100 && cells[at + 3] !== 0) cells.set(plain, at)
  }
}
