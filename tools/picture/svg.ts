// Draws a captured frame as an SVG: text stays text, and nothing is loaded from elsewhere.
import { type CapturedFrame, type CapturedSpan, type RGBA, TextAttributes } from "@opentui/core"

/** One cell, in px. The picture scales as a whole. */
export const CELL = { width: 8.4, height: 17 }
const FONT_PX = 14
export const MARGIN = 10

/** The arms of a box-drawing character: up, right, down, left. Drawn as lines, since fonts leave gaps between rows. */
const ARMS: { readonly [char: string]: string } = {
  "─": "rl",
  "│": "ud",
  "┌": "rd",
  "┐": "dl",
  "└": "ur",
  "┘": "ul",
}

const PIECE = /[!-~]+(?: [!-~]+)*| +|./gu

export interface Paper {
  readonly background: string
  /** For text that has the terminal's own colour. */
  readonly foreground: string
  /** A description of the picture for screen readers. */
  readonly title: string
}

/** The whole picture, the same for the same frame. */
export function svgOf(frame: CapturedFrame, paper: Paper): string {
  const rows = frame.lines.flatMap((line, row) => rowOf(line.spans, row, paper))
  return sheetOf(frame.cols, frame.rows, paper, rows)
}

/** A picture of so many cells, with these elements on it. */
export function sheetOf(columns: number, rows: number, paper: Paper, elements: readonly string[]): string {
  const width = px(columns * CELL.width + 2 * MARGIN)
  const height = px(rows * CELL.height + 2 * MARGIN)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escaped(paper.title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${paper.background}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_PX}" xml:space="preserve">`,
    ...elements,
    "</g>",
    "</svg>",
    "",
  ].join("\n")
}

/** The elements of one row of cells. */
export function rowOf(spans: readonly CapturedSpan[], row: number, paper: Paper): string[] {
  const parts: string[] = []
  let column = 0
  for (const span of spans) {
    parts.push(...spanOf(span, column, row, paper))
    column += span.width
  }
  return parts
}

function spanOf(span: CapturedSpan, column: number, row: number, paper: Paper): string[] {
  const fill = colourOf(span.fg, paper.foreground)
  const behind = colourOf(span.bg, null)
  const x = MARGIN + column * CELL.width
  const y = MARGIN + row * CELL.height
  const parts: string[] = []
  if (behind !== null) {
    const size = `width="${px(span.width * CELL.width)}" height="${CELL.height}"`
    parts.push(`<rect x="${px(x)}" y="${y}" ${size} fill="${behind}"/>`)
  }
  let at = x
  let border = ""
  for (const { text, cells, plain } of piecesOf(span.text)) {
    const width = cells * CELL.width
    if (text in ARMS) border += armsOf(text, at, y)
    else if (text.trim() !== "") {
      // A font's own widths must not move what follows, nor may those of a character it does not have.
      const length = plain ? ` textLength="${px(width)}"` : ""
      parts.push(
        `<text x="${px(at)}" y="${y + 13}"${length}${weightOf(span.attributes)} fill="${fill}">${escaped(text)}</text>`,
      )
    }
    at += width
  }
  if (border !== "") parts.push(`<path d="${border}" stroke="${fill}" fill="none"/>`)
  return parts
}

interface Piece {
  readonly text: string
  readonly cells: number
  readonly plain: boolean
}

/** Words of plain text with their single blanks, wider blanks, and every other character by itself. */
function piecesOf(text: string): readonly Piece[] {
  return [...text.matchAll(PIECE)].map(([found]) => {
    const plain = /^[!-~]/.test(found)
    return { text: found, cells: plain ? found.length : Bun.stringWidth(found), plain }
  })
}

function armsOf(char: string, x: number, y: number): string {
  const [middleX, middleY] = [px(x + CELL.width / 2), px(y + CELL.height / 2)]
  const ends: { readonly [arm: string]: string } = {
    u: `V${y}`,
    d: `V${y + CELL.height}`,
    l: `H${px(x)}`,
    r: `H${px(x + CELL.width)}`,
  }
  return [...(ARMS[char] ?? "")].map(arm => `M${middleX} ${middleY}${ends[arm]}`).join("")
}

function weightOf(attributes: number): string {
  const bold = (attributes & TextAttributes.BOLD) !== 0 ? ' font-weight="bold"' : ""
  return (attributes & TextAttributes.ITALIC) !== 0 ? `${bold} font-style="italic"` : bold
}

/** `fallback` where the terminal's own colour is meant. */
function colourOf<T>(colour: RGBA, fallback: T): string | T {
  if (colour.a === 0 || colour.intent === "default") return fallback
  const [r, g, b] = colour.toInts()
  return `#${[r, g, b].map(part => part.toString(16).padStart(2, "0")).join("")}`
}

/** A length without the noise of binary fractions. */
export function px(value: number): number {
  return Math.round(value * 100) / 100
}

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, char => `&#${char.charCodeAt(0)};`)
}
