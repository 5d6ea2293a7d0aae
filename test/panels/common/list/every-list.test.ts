// Tests what holds of every list and menu: the cursor, its ends and the wheel, at every size, in its story.
import { describe, expect, test } from "bun:test"
import { trailTitle } from "../../../../src/panels/common/place-title.ts"
import { overlayPanel, overlays } from "../../../../src/panels/index.ts"
import { unicode } from "../../../../src/ui/glyphs.ts"
import { overlayInFront } from "../../../../src/view/select/stack.ts"
import { cellsOf, framed, NOW, type Shown } from "../../../screen/screen.tsx"
import { stories } from "../../../stories/stories.ts"
import { tell } from "../../../stories/story.ts"
import { testWalks } from "../../scripted.ts"

const SIZES = [
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 40, rows: 10 },
] as const

/** What is in front: its title, how many rows it has, and its cursor. */
function front(screen: Shown) {
  const state = screen.store.shown()
  const overlay = overlayInFront(state.view)
  const drawn = overlay === undefined || state.view.typing !== null ? null : overlayPanel(overlay).drawn
  if (overlay === undefined || (drawn?.type !== "list" && drawn?.type !== "menu")) return null
  const rows = drawn.type === "list" ? drawn.list : drawn.menu
  const context = { glyphs: unicode, now: NOW, motion: false }
  return {
    type: overlay.type,
    title: drawn.type === "list" ? drawn.list.title(state, context) : drawn.menu.title(state, overlay),
    length: rows.length(state, overlay, NOW),
    cursor: rows.cursorOf(state, overlay, NOW),
  }
}

/** A row with a unit for each of its cells. */
function cells(row: string): string {
  return cellsOf(row)
    .map(cell => cell.slice(0, 1) || "□")
    .join("")
}

/** The rows inside the box in front. */
async function boxOf(screen: Shown): Promise<readonly string[]> {
  const all = (await screen.rows()).map(cells)
  const title = ` ${front(screen)?.title.slice(0, 6)}`
  const y = all.findLastIndex(row => row.includes("┌─") && row.includes(title))
  const x = (all[y]?.lastIndexOf("┌─", all[y]?.indexOf(title)) ?? -2) + 1
  const end = all.findIndex((row, at) => at > y && row.startsWith("└─", x - 1))
  if (y < 0 || end < 0) throw new Error(`no box ${title}:\n${framed(all)}`)
  return all.slice(y + 1, end).map(row => row.slice(x, row.indexOf("│", x)))
}

const marked = (rows: readonly string[]): number => rows.findIndex(row => /^ ?[▸▌]/.test(row))

/** The kinds of list and menu whose story has several rows. */
const types = new Set<string>()

describe.each(stories)("in the story $name", story => {
  test("a list or menu moves its cursor by keys, in sight, and under the wheel", async () => {
    const screen = await tell(story, SIZES[0])
    const told = front(screen)
    if (told === null || told.length < 2) expect(told?.length ?? 0).toBeLessThan(2)
    else {
      types.add(told.type)
      await expectMoves(screen)
    }
  })

  async function expectMoves(screen: Shown): Promise<void> {
    for (const { columns, rows } of SIZES) {
      await expectKeys(screen.resize(columns, rows))
    }
    const box = await boxOf(screen.press("g"))
    await screen.wheel(box[marked(box)]?.trim().slice(2, 12) ?? "?", "down")
    expect(front(screen)?.cursor).toBeGreaterThan(0)
  }

  async function expectKeys(screen: Shown): Promise<void> {
    const last = (front(screen)?.length ?? 0) - 1
    const cursors = { g: 0, k: 0, j: 1, G: last }
    for (const [key, cursor] of [...Object.entries(cursors), ["j", last] as const, ["k", last - 1] as const]) {
      screen.press(key)
      expect([key, front(screen)?.cursor, marked(await boxOf(screen)) >= 0]).toEqual([key, cursor, true])
    }
  }
})

test("a title has those of the lists below it before it, as long as all of them fit", () => {
  expect([5, 4].map(columns => trailTitle(["A  3"], "B", columns))).toEqual(["A › B", "B"])
})

test("every kind of list and menu has a story with several rows", () => {
  const kinds = Object.entries(overlays).filter(([, { drawn }]) => drawn.type === "list" || drawn.type === "menu")
  expect([...types].sort()).toEqual(kinds.map(([type]) => type).sort())
})

await testWalks("list")
