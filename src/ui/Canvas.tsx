import { type BoxRenderable, type OptimizedBuffer, RGBA, TextAttributes } from "@opentui/core"
import { createEffect, createMemo, type JSX } from "solid-js"
import { useScreen } from "./bind.ts"
import { type Line, span } from "./line.ts"
import { fitting } from "./text.ts"
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
        for (const [i, line] of lines().slice(0, this.height).entries()) {
          drawLine(buffer, line, this.x, this.y + i, this.width, colours, plain)
        }
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
    const fit = fitting(one.text, room)
    const text = one.text.slice(0, fit.units)
    const { fg, attributes } = theme.paint(one)
    if (text !== "") drawText(buffer, plain ? asciiOf(text) : text, x + used, y, fg, fill, attributes | reverse)
    used += fit.columns
  }
  if (reverse !== 0 && used < columns) {
    const rest = span(" ".repeat(columns - used))
    buffer.drawText(rest.text, x + used, y, theme.paint(rest).fg, undefined, reverse)
  }
}

const TRANSPARENT = RGBA.fromValues(0, 0, 0, 0)

/**
 * Draws text as the library does. What is not ASCII it would look up cluster by cluster, which costs as much as a hundred
 * plain cells: a text of which each character is a column of its own is drawn run by run and such a character as a cell.
 */
function drawText(
  buffer: OptimizedBuffer,
  text: string,
  x: number,
  y: number,
  fg: RGBA,
  fill: RGBA | undefined,
  attributes: number,
): void {
  if (ASCII.test(text) || !COLUMNS.test(text)) {
    buffer.drawText(text, x, y, fg, fill, attributes)
    return
  }
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    if (ASCII.test(run)) buffer.drawText(run, x + index, y, fg, fill, attributes)
    else buffer.setCellWithAlphaBlending(x + index, y, run, fg, fill ?? TRANSPARENT, attributes)
  }
}

const ASCII = /^[ -~]*$/
const RUNS = /[ -~]+|[^ -~]/g
/** Characters that are one column wide and join with none beside them: Latin, Greek, Cyrillic, our own ornaments and lines. */
export const COLUMNS =
  /^[ -~\u00a1-\u00ac\u00ae-\u02af\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b\u203d-\u2048\u204a-\u205e\u2190-\u2199\u21a9\u2500-\u25a9\u25ac-\u25b5\u25b7-\u25bf\u25c1-\u25fa\u2713\u2717]*$/

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
