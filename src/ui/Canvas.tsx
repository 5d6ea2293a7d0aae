import { type BoxRenderable, type OptimizedBuffer, type RGBA, TextAttributes } from "@opentui/core"
import { createEffect, createMemo, type JSX } from "solid-js"
import { type Line, span } from "./line.ts"
import { useScreen } from "./screen-context.ts"
import { COLUMNS, fitting } from "./text-width.ts"
import type { Theme } from "./theme.ts"

/**
 * Draws lines straight into the frame. It costs the rows that are seen: a `<text>` for each would cost four native
 * handles and a layout (docs/opentui.md).
 */
export function Canvas(props: { lines: readonly Line[] }): JSX.Element {
  let box: BoxRenderable | undefined
  const { theme, look } = useScreen()
  // A throw while lines are made belongs to the pane's error boundary, so they are made here and not while drawing.
  const lines = createMemo(() => props.lines)
  createEffect(() => {
    lines()
    theme()
    box?.requestRender()
  })
  return (
    <box
      ref={(made: BoxRenderable) => {
        box = made
      }}
      flexGrow={1}
      renderAfter={function (this: BoxRenderable, buffer: OptimizedBuffer) {
        const { plain } = look().glyphs
        const colours = theme()
        const { x, y, width } = this
        lines()
          .slice(0, this.height)
          .forEach((line, i) => {
            drawLine(buffer, line, x, y + i, width, colours, plain)
          })
      }}
    />
  )
}

/** Draws one line, clipped to its columns; a selected one fills its row. */
function drawLine(
  buffer: OptimizedBuffer,
  line: Line,
  x: number,
  y: number,
  columns: number,
  theme: Theme,
  plain: boolean,
): void {
  const selected = line.selected === true
  const fill = selected ? theme.selected : undefined
  const reverse = selected && fill === undefined ? TextAttributes.INVERSE : 0
  if (fill !== undefined) buffer.fillRect(x, y, columns, 1, fill)
  let used = 0
  for (const one of line.spans) {
    const room = columns - used
    if (room <= 0) return
    const { fg, attributes } = theme.paint(one)
    used += drawText(buffer, plain ? asciiOf(one.text) : one.text, x + used, y, room, fg, fill, attributes | reverse)
  }
  if (reverse !== 0 && used < columns) {
    const rest = span(" ".repeat(columns - used))
    drawText(buffer, rest.text, x + used, y, columns - used, theme.paint(rest).fg, undefined, reverse)
  }
}

/**
 * Draws what fits into `room` columns and gives the columns that it took. A call of the library for a text costs as much
 * as hundreds of cells, and one for a text that is not ASCII ten times that: so where each character is a column of its
 * own the cells are written as they are kept. Their background stands already.
 */
export function drawText(
  buffer: OptimizedBuffer,
  text: string,
  x: number,
  y: number,
  room: number,
  fg: RGBA,
  fill: RGBA | undefined,
  attributes: number,
): number {
  if (!COLUMNS.test(text)) {
    const fit = fitting(text, room)
    buffer.drawText(text.slice(0, fit.units), x, y, fg, fill, attributes)
    return fit.columns
  }
  const length = Math.min(text.length, room)
  if (y < 0 || y >= buffer.height) return length
  const cells = buffer.buffers
  const [red = 0, green = 0, blue = 0, alpha = 0] = fg.buffer
  const first = y * buffer.width
  const end = Math.min(length, buffer.width - x)
  for (let i = Math.max(0, -x); i < end; i++) {
    const at = first + x + i
    cells.char[at] = text.charCodeAt(i)
    cells.attributes[at] = attributes
    cells.fg[4 * at] = red
    cells.fg[4 * at + 1] = green
    cells.fg[4 * at + 2] = blue
    cells.fg[4 * at + 3] = alpha
  }
  return length
}

const PLAIN: { readonly [char: string]: string } = {
  "·": "-",
  "›": ">",
  "–": "-",
  "—": "-",
  "…": "~",
  "→": ">",
  "↓": "v",
  "↑": "^",
  "←": "<",
  "•": "*",
  "─": "-",
  "│": "|",
}

/** Our own ornaments for a terminal that has only ASCII. */
export function asciiOf(text: string): string {
  return text.replace(/[·›–—…→↓↑←•─│]/g, char => PLAIN[char] ?? char)
}
