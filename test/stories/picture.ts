// Writes a screen as a text that is kept: its rows, and how they are coloured.
import { type CapturedFrame, type CapturedSpan, type RGBA, TextAttributes } from "@opentui/core"
import { makeTheme } from "../../src/ui/theme.ts"
import { LOOKS, type Look } from "./story.ts"

/** The rows without the blanks at their ends; a long rule is told by its columns: `──54──`. */
export function textOf(rows: readonly string[]): string {
  return rows.map(row => row.trimEnd().replace(/─{9,}/g, rule => `──${rule.length}──`)).join("\n")
}

const LETTERS = { bright: "b", normal: "n", dim: "d", error: "e", warn: "w", ok: "o", accent: "a", past: "p" } as const
const HUES = "ABCDEFGHI"
const MARKS = [
  [TextAttributes.BOLD, "*"],
  [TextAttributes.DIM, "~"],
  [TextAttributes.ITALIC, "/"],
  [TextAttributes.UNDERLINE, "_"],
  [TextAttributes.INVERSE, "!"],
] as const

/**
 * Each row as runs of columns in one style: `b*12 d3` are 12 in bright and bold, then 3 dim. The letters are the first
 * of the theme's roles, A to I its hues, - no colour of ours; * bold, ~ faint, / italic, _ underlined, ! in reverse,
 * ^ in a selected row, % in a failed one. Blanks and upright borders count to what is before them.
 */
export function stylesOf({ lines }: CapturedFrame, { depth, background }: Look = LOOKS[0]): string {
  const theme = makeTheme(depth, background)
  const letters = new Map<string, string>()
  const name = (colour: RGBA, letter: string) => letters.has(`${colour}`) || letters.set(`${colour}`, letter)
  for (const [role, letter] of Object.entries(LETTERS))
    name(theme.paint({ text: "", token: role as keyof typeof LETTERS }).fg, letter)
  for (const [index, letter] of [...HUES].entries()) name(theme.paint({ text: "", token: `hue${index}` }).fg, letter)
  const styleOf = ({ fg, bg, attributes }: CapturedSpan): string => {
    const fill = bg.a === 0 ? "" : theme.selected?.equals(bg) ? "^" : theme.failed?.equals(bg) ? "%" : "?"
    const marks = MARKS.map(([bit, mark]) => ((attributes & bit) === 0 ? "" : mark)).join("")
    return `${letters.get(`${fg}`) ?? "-"}${marks}${fill}`
  }
  const rows = lines.map(({ spans }) => {
    const runs: { style: string; columns: number }[] = []
    for (const one of spans) {
      const last = runs.at(-1)
      const isPlain = /^[ │]*$/.test(one.text) && one.bg.a === 0 && one.attributes === 0
      if (last !== undefined && (isPlain || last.style === styleOf(one))) last.columns += one.width
      else runs.push({ style: isPlain ? "-" : styleOf(one), columns: one.width })
    }
    return runs.map(({ style, columns }) => `${style}${columns}`).join(" ")
  })
  return rows
    .map((row, y) => `${y}: ${row}`)
    .filter((_, y) => rows[y] !== rows[y - 1])
    .join("\n")
}
