// Tests that a question takes no key that was meant for something else.
import { afterEach, describe, expect, test } from "bun:test"
import { endScreens, show } from "../../screen/screen.tsx"
import { haiku, name, sent, sure } from "./questions.ts"

afterEach(endScreens)

describe.each([
  [120, 40],
  [80, 24],
  [40, 10],
] as const)("a question at %dx%d", (columns, rows) => {
  test("that comes within three seconds after a key waits on one line, and takes no key until a opens it", async () => {
    const screen = await show({ columns, rows })
    screen.press("j")
    screen.pass(2999)
    screen.feed(haiku)
    expect((await screen.rows()).at(-2)).toMatch(/^ \? .*asks.* · a answers/)
    screen.press("1", "j", "tab")
    expect(sent(screen)).toEqual([])
    screen.press("a", "1")
    expect(sent(screen)).toEqual([{ type: "answer", promptId: "win#1", value: { poem: 1 } }])
  })

  test("that comes three seconds after the last key opens with the keyboard", async () => {
    const screen = await show({ columns, rows })
    screen.press("j")
    screen.pass(3000)
    screen.feed(haiku)
    expect(await screen.text()).not.toContain("a answers")
    screen.press("1")
    expect(sent(screen)).toHaveLength(1)
  })
})

test("a question does not count the keys that answered the one before", async () => {
  const screen = await show()
  screen.feed(haiku)
  screen.press("1")
  screen.feed(sure)
  expect(await screen.text()).not.toContain("a answers")
  screen.press("n")
  expect(sent(screen)).toHaveLength(2)
})

test("a question that comes over an open view is only counted in the header, and waits when that is closed", async () => {
  const screen = await show()
  screen.press("?")
  screen.pass(5000)
  screen.feed(name, sure)
  expect((await screen.rows())[0]).toContain("?2")
  expect(await screen.text()).not.toContain("a answers")
  screen.press("escape")
  expect(await screen.row("a answers")).toMatch(/ \? .*asks: Which name goes on the cup\? · 1 of 2 · a answers$/)
  screen.press("y")
  expect(sent(screen)).toEqual([])
})

test("a without a question says so", async () => {
  const screen = await show()
  screen.press("a")
  expect((await screen.rows()).at(-1)).toContain("No question is open")
})
