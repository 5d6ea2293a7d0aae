// Tests where the picture of the waterfall has its times, states, bars and legend.
import { expect, test } from "bun:test"
import { svg, type Waterfall } from "../../src/export/waterfall-figure.ts"
import type { BarPiece } from "../../src/run/select/waterfall.ts"

const piece = (kind: BarPiece["kind"], from: number, to: number) => ({ kind, turn: 1, from, to })
/** The bars begin at 190 and are 800 wide, so a second has 8 units, and a character of a state's name as many. */
const WATERFALL: Waterfall = {
  ms: 100_000,
  mark: 50_000,
  sessions: 2,
  isWhole: true,
  states: [
    { name: "designing", at: 0 },
    { name: "hidden behind", at: 9750 },
    { name: "review", at: 10_000 },
    { name: "near", at: 18_000 },
    { name: "deploying", at: 95_000 },
  ],
  rows: [
    { name: "poet", pieces: [piece("waiting", 0, 10_000), piece("failed", 60_000, 60_000)], turns: [] },
    { name: "cook", pieces: [piece("human", 0, 100), piece("generation", 10_000, 60_000)], turns: [] },
  ],
}

test("a short part of a waterfall of many rows says so, has finer times, and is small in its overview", () => {
  const rows = Array.from({ length: 20 }, () => WATERFALL.rows.map(row => ({ ...row, name: "a".repeat(40) }))).flat()
  const text = [...svg({ ...WATERFALL, ms: 79_999, rows, isWhole: false })].join("")
  const parts = [">+00:10.000</text>", "the table below says the turns nearest to the moment in numbers"]
  const all = [...parts, 'style="height: 200px"', `>${"a".repeat(8)}…${"a".repeat(17)}</text>`]
  expect(all.filter(one => !text.includes(one))).toEqual([])
  expect([...svg({ ...WATERFALL, ms: 80_000 })].join("")).toContain(">+00:10</text>")
})

test("the times, names, bars and legend of the waterfall stand where its numbers put them", () => {
  const PLACED =
    /viewBox="([^"]+)"|<text[^>]* x="(\d+)" y="(\d+)">([^<]+)|<rect class="([a-z-]+)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"|<path class="failed" d="([^"]+)"|<line class="(mark)" x1="(\d+)" x2="\d+" y1="(\d+)" y2="(\d+)"/g
  const placed = [...[...svg(WATERFALL)].join("").matchAll(PLACED)].map(([, ...all]) => all.filter(Boolean).join(" "))
  expect(placed).toEqual([
    ...["190 48 810 46", "0 0 1000 124"],
    ...["190 12 +00:00", "290 12 +00:12", "390 12 +00:25", "490 12 +00:37"],
    ...["590 12 +00:50", "690 12 +01:02", "790 12 +01:15", "890 12 +01:27"],
    ...["192 38 designing", "272 38 review", "952 38 deplo…"],
    ...["0 64 poet", "waiting 190 58 80 2", "M665 54L675 64M675 54L665 64"],
    ...["0 86 cook", "human 190 76 1 10", "generation 270 74 400 14"],
    "mark 590 18 102",
    ...["waiting 195 110 16 2", "218 116 waiting", "first-token 325 108 16 6", "348 116 first token"],
    ...["generation 455 104 16 14", "478 116 generation", "tool 585 104 16 14", "608 116 tool"],
    ...["human 715 106 16 10", "738 116 human", "M840 106L850 116M850 106L840 116", "868 116 failed"],
  ])
})
