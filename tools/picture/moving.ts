// Draws captured frames as one SVG that plays them in a loop, by style rules alone: it runs no script.
import type { CapturedFrame } from "@opentui/core"
import { CELL, escaped, MARGIN, type Paper, px, rowOf, sheetOf } from "./svg.ts"

/** A frame, for how long it is shown, and what a person does then. */
export interface Shot {
  readonly frame: CapturedFrame
  readonly ms: number
  readonly caption: string
}

/** The whole picture; `still` is the shot that shows where nothing moves. What stays for several shots is drawn once. */
export function movingSvg(shots: readonly Shot[], still: number, paper: Paper): string {
  const [columns, rows] = [shots[0]?.frame.cols ?? 0, shots[0]?.frame.rows ?? 0]
  /** For each element the shots that show it. */
  const shown = new Map<string, number[]>()
  for (const [index, { frame, caption }] of shots.entries()) {
    const drawn = frame.lines.flatMap((line, row) => rowOf(line.spans, row, paper))
    for (const element of new Set([...drawn, captionOf(caption, rows, paper)])) {
      const known = shown.get(element)
      if (known === undefined) shown.set(element, [index])
      else known.push(index)
    }
  }
  const parts = Map.groupBy(shown, ([, indexes]) => indexes.join())
  const names = new Map([...parts.keys()].map((indexes, place) => [indexes, `s${place}`]))
  const layer = (isWanted: (element: string) => boolean): readonly string[] =>
    [...parts].flatMap(([indexes, all]) => {
      const elements = all.map(([element]) => element).filter(isWanted)
      return elements.length === 0 ? [] : `<g class="${names.get(indexes)}">${elements.join("")}</g>`
    })
  const isGround = (element: string): boolean => element.startsWith("<rect")
  const rules = [...names].map(([indexes, name]) => ruleOf(name, indexes.split(",").map(Number), shots, still))
  const style = `<style>${rules.join("\n")}\n@media (prefers-reduced-motion: reduce){g{animation:none!important}}</style>`
  const grounds = layer(isGround)
  return sheetOf(columns, rows + 2, paper, [style, ...grounds, ...layer(element => !isGround(element))])
}

/** Below the screen, what is pressed stands in a frame of its own. */
function captionOf(caption: string, row: number, { foreground }: Paper): string {
  if (caption === "") return ""
  const y = MARGIN + (row + 1) * CELL.height + 8
  return `<text x="${MARGIN + CELL.width}" y="${px(y)}" fill="${foreground}" font-weight="bold">${escaped(caption)}</text>`
}

/** The rule of what is seen in these shots and in no other. */
function ruleOf(name: string, indexes: readonly number[], shots: readonly Shot[], still: number): string {
  const total = shots.reduce((sum, { ms }) => sum + ms, 0)
  const starts = shots.map((_, index) => shots.slice(0, index).reduce((sum, { ms }) => sum + ms, 0))
  const changes = shots.flatMap((_, index) => {
    const isSeen = indexes.includes(index)
    if (index > 0 && isSeen === indexes.includes(index - 1)) return []
    return [`${px((100 * (starts[index] ?? 0)) / total)}%{visibility:${isSeen ? "visible" : "hidden"}}`]
  })
  const base = indexes.includes(still) ? "visible" : "hidden"
  return `@keyframes ${name}{${changes.join("")}}.${name}{visibility:${base};animation:${name} ${total / 1000}s step-end infinite}`
}
