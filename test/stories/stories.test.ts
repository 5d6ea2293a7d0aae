// Draws every story at every size: it fits, says where a person is, and no pane fails.
import { describe, expect, test } from "bun:test"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { overlays, panes } from "../../src/panels/index.ts"
import { overIn } from "../../src/view/select/stack.ts"
import type { View } from "../../src/view/view.ts"
import { root } from "../fixtures.ts"
import { cellsOf, framed } from "../screen/screen.tsx"
import { stylesOf, textOf } from "./picture.ts"
import { stories } from "./stories.ts"
import { SIZES, type Size, tell } from "./story.ts"

/** The overlays and focused panes that some story shows in front. */
const seen = new Set<string>()
const focused = new Set<string>()

/** The sizes of which pictures are kept: all rooms side by side, in short rows, and one at a time. */
const KEPT = SIZES.filter(({ columns }) => [120, 80, 40].includes(columns))

const PANELS = join(root, "src/panels")

describe.each(stories)("the story $name", story => {
  test("is drawn whole, also after each resize", async () => {
    const screen = await tell(story, SIZES[0])
    for (const size of SIZES) {
      const { columns, rows } = size
      const drawn = await screen.resize(columns, rows).rows()
      expectWhole(drawn, size, screen.store.get().view, story.shows)
      if (KEPT.includes(size)) expect(textOf(drawn)).toMatchSnapshot(`${columns}x${rows}`)
      if (size === SIZES[0]) expect(stylesOf(await screen.frame())).toMatchSnapshot("styles")
    }
  })
})

/** Expects that a picture fills its terminal, no border is broken, and it says where a person is. */
function expectWhole(rows: readonly string[], size: Size, { overlays, focus }: View, shows: RegExp): void {
  expect(rows).toHaveLength(size.rows)
  for (const row of rows) expect(Bun.stringWidth(row)).toBe(size.columns)
  // The palette and a menu may cover a corner of a box.
  const over = overIn({ overlays, focus })?.type ?? "rerun"
  if (over === "rerun" || over === "review")
    for (const corner of "┐┘") expect(count(rows, corner), framed(rows)).toBe(count(rows, "┌"))
  expect(brokenBorders(rows), framed(rows)).toEqual([])
  expect(rows.join("\n")).toMatch(shows)
  expect(rows.join("\n")).not.toContain("─ FAULT")
  if (overlays.length === 0) focused.add(focus)
  for (const overlay of overlays.slice(-1)) seen.add(overlay.type)
}

describe("there is a story of", () => {
  test("every registered panel that draws something", async () => {
    const drawn: string[] = []
    for (const path of new Bun.Glob("*/index.ts").scanSync({ cwd: PANELS })) {
      const text = await Bun.file(join(PANELS, path)).text()
      if (/^ {2,4}(panes|overlays): /m.test(text)) drawn.push(dirname(path))
    }
    const panels = new Set(stories.map(({ panel }) => panel))
    expect(drawn.length).toBeGreaterThan(20)
    expect(drawn.filter(name => !panels.has(name))).toEqual([])
    const folders = readdirSync(PANELS)
    expect([...panels].filter(name => name !== "screen" && !folders.includes(name))).toEqual([])
  })
  test("every pane and overlay", () => {
    expect(Object.keys(panes).filter(pane => !focused.has(pane))).toEqual([])
    expect(Object.keys(overlays).filter(type => !seen.has(type))).toEqual([])
  })
  test("each name, and no two have one name", () => {
    const names = stories.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

/** How many boxes have this corner in sight. */
function count(rows: readonly string[], corner: string): number {
  return rows.reduce((sum, row) => sum + row.split(corner).length - 1, 0)
}

interface Box {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Where a border that no other box covers has a gap: "column,row". */
function brokenBorders(rows: readonly string[]): readonly string[] {
  const cells = rows.map(cellsOf)
  const boxes = cells.flatMap((row, top) =>
    row.flatMap((cell, left) => (cell === "┌" ? (boxAt(cells, left, top) ?? []) : [])),
  )
  return boxes.flatMap(box => {
    const others = boxes.filter(one => one !== box)
    const side = Array.from({ length: box.bottom - box.top - 1 }, (_, i) => box.top + 1 + i)
    const foot = Array.from({ length: box.right - box.left - 1 }, (_, i) => box.left + 1 + i)
    // Words may stand in the lower border, after its first line and before its last.
    const edge = foot.map(column => cells[box.bottom]?.[column] ?? "").join("")
    const words = edge.startsWith("─ ") ? edge.search(/[^─]─*$/) + 1 : 0
    const border = [
      ...side.flatMap(row => [box.left, box.right].map(column => ({ column, row, drawn: "│" }))),
      ...foot.slice(words).map(column => ({ column, row: box.bottom, drawn: "─" })),
    ]
    const isBroken = ({ column, row, drawn }: (typeof border)[number]): boolean =>
      cells[row]?.[column] !== drawn && !others.some(one => covers(one, column, row))
    return border.filter(isBroken).map(({ column, row }) => `${column},${row}`)
  })
}

/** A box whose corners are all visible. */
function boxAt(cells: readonly (readonly string[])[], left: number, top: number): Box | null {
  const right = cells[top]?.indexOf("┐", left) ?? -1
  const bottom = cells.findIndex((row, y) => y > top && row[left] === "└")
  const isCovered = cells[top]?.slice(left + 1, right).includes("┌") === true || cells[bottom]?.[right] !== "┘"
  return right < 0 || bottom < 0 || isCovered ? null : { left, right, top, bottom }
}

function covers(box: Box, column: number, row: number): boolean {
  return column >= box.left && column <= box.right && row >= box.top && row <= box.bottom
}
