// Tests how rows are marked with notes, found again and listed.
import { expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"

const notes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => event(from + i, "test/note", { n: from + i }))

test("a bookmark has a note, is found again, listed and deleted", async () => {
  const screen = await show({}, ...notes(0, 100))
  screen.press("M").type("look here")
  expect(await screen.press("enter").row("[look here]")).toContain('{"n":99}')
  expect(screen.effects.findLast(one => one.type === "bookmarks/write")).toEqual({
    type: "bookmarks/write",
    bookmarks: [{ epoch: 0, seq: 99, note: "look here" }],
  })
  screen.press("g", "M", "enter")
  screen.feed(...notes(100, 200)).press("end")
  expect(await screen.choose("previous bookmark").row("[look here]")).toContain("▌")
  expect(await screen.choose("previous bookmark").row("[marked]")).toContain("▌")
  expect((await screen.choose("previous bookmark").rows()).at(-1)).toContain("No earlier bookmark")
  expect(await screen.press("escape", "L").text()).toContain("BOOKMARKS  2")
  expect(await screen.press("j", "enter").row("[look here]")).toContain("▌")
  screen.press("M")
  for (let i = 0; i < 4; i++) screen.press("backspace")
  screen.type("there")
  expect(await screen.press("enter").text()).toContain("[look there]")
  expect(await screen.press("L", "d", "d").text()).toContain("No bookmarks yet")
})

test("bookmarks from disk are merged with those made meanwhile", async () => {
  const screen = await show()
  screen.feed(...notes(0, 10)).press("M", "enter")
  const kept = { epoch: 0, seq: 3, note: "kept\u001b[2J" }
  screen.store.ask({ type: "bookmarks/known", list: [kept] }, { now: 0, page: 0, lines: 0 })
  expect(screen.store.get().view.log.bookmarks.map(one => one.seq)).toEqual([3, 9])
  expect(await screen.row("[kept")).toContain("kept␛[2J")
})

test("a bookmark is listed with its time in the run", async () => {
  const screen = await show({}, ...Array.from({ length: 5 }, (_, i) => event(i, "test/note", {}, 1000 * (i + 1))))
  screen.press("M").type("here")
  expect(await screen.press("enter", "L").row("▸ here")).toContain("+00:04.000  agent")
})

test("rows of two runs with the same number are marked apart", async () => {
  const begun = (ts: number) => event(0, "runner/started", { "chart-id": "c" }, ts)
  const screen = await show({}, begun(1), begun(2))
  screen.press("M").type("second")
  expect(await screen.press("enter").row("[second]")).toContain("▌")
})
