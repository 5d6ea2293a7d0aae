// Tests how rows are marked with notes, found again and listed.
import { afterEach, expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { endScreens, show } from "../../screen/screen.tsx"

afterEach(endScreens)

const notes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => event(from + i, "test/note", { n: from + i }))

test("a bookmark has a note, is found again, listed and deleted", async () => {
  const screen = await show()
  screen.feed(...notes(0, 100))
  screen.press("M")
  screen.type("look here")
  screen.press("enter")
  expect(await screen.row("[look here]")).toContain('{"n":99}')
  expect(screen.effects.findLast(one => one.type === "bookmarks/write")).toEqual({
    type: "bookmarks/write",
    bookmarks: [{ epoch: 0, seq: 99, note: "look here" }],
  })
  screen.press("g", "M", "enter")
  screen.feed(...notes(100, 200))
  screen.press("end")
  screen.choose("previous bookmark")
  expect(await screen.row("[look here]")).toContain("▌")
  screen.choose("previous bookmark")
  expect(await screen.row("[marked]")).toContain("▌")
  screen.choose("previous bookmark")
  expect((await screen.rows()).at(-1)).toContain("No earlier bookmark")
  screen.press("escape", "L")
  expect(await screen.text()).toContain("BOOKMARKS  2")
  screen.press("j", "enter")
  expect(await screen.row("[look here]")).toContain("▌")
  screen.press("M")
  for (let i = 0; i < 4; i++) screen.press("backspace")
  screen.type("there")
  screen.press("enter")
  expect(await screen.text()).toContain("[look there]")
  screen.press("L", "d", "d")
  expect(await screen.text()).toContain("No bookmarks yet")
})

test("bookmarks from disk are merged with those made meanwhile", async () => {
  const screen = await show()
  screen.feed(...notes(0, 10))
  screen.press("M", "enter")
  const kept = { epoch: 0, seq: 3, note: "kept\u001b[2J" }
  screen.store.ask({ type: "bookmarks/known", list: [kept] }, { now: 0, page: 0, lines: 0 })
  expect(screen.store.get().view.log.bookmarks.map(one => one.seq)).toEqual([3, 9])
  expect(await screen.row("[kept")).toContain("kept␛[2J")
})
