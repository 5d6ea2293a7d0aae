// Tests that a question takes no key that was meant for something else.
import { describe, expect, test } from "bun:test"
import { line } from "../../run/lines.ts"
import { SIZES, show } from "../../screen/screen.tsx"
import { asks, haiku, name, sent, sure } from "./questions.ts"

describe.each(SIZES)("a question at %dx%d", (columns, rows) => {
  test("that comes within three seconds after a key waits on one line, and takes no key until a opens it", async () => {
    const screen = await show({ columns, rows })
    screen.press("j").pass(2999)
    expect((await screen.feed(haiku).rows()).at(-2)).toMatch(/^ \? .*asks.* · a answers/)
    expect(sent(screen.press("1", "j", "tab"))).toEqual([])
    expect(sent(screen.press("a", "1"))).toEqual([{ type: "answer", promptId: "win#1", value: { poem: 1 } }])
  })

  test("that comes three seconds after the last key opens with the keyboard", async () => {
    const screen = await show({ columns, rows })
    screen.press("j").pass(3000)
    expect(await screen.feed(haiku).text()).not.toContain("a answers")
    expect(sent(screen.press("1"))).toHaveLength(1)
  })
})

test("a question does not count the keys that answered the one before", async () => {
  const screen = await show()
  screen.feed(haiku).press("1")
  expect(await screen.feed(sure).text()).not.toContain("a answers")
  expect(sent(screen.press("n"))).toHaveLength(2)
})

test("a question that comes over an open view is only counted in the header, and waits when that is closed", async () => {
  const screen = await show()
  screen.press("?").pass(5000)
  expect((await screen.feed(name, sure).rows())[0]).toContain("?2")
  expect(await screen.text()).not.toContain("a answers")
  screen.press("escape")
  expect(await screen.row("a answers")).toMatch(/ \? .*asks: Which name goes on the cup\? · 1 of 2 · a answers$/)
  expect(sent(screen.press("y"))).toEqual([])
})

test("a question that may be answered already says so in its box, on its line and in NEEDS YOU", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  const data = { kind: "text", prompt: "Go on?" }
  for (const invokeid of ["a", "b"])
    screen.feed(line({ kind: "event", event: "human-input/start", data: { ...data, invokeid } }))
  for (const id of ["q#1", "q#2"])
    screen.feed(line({ kind: "prompt", "prompt-id": id, invokeid: null, type: "text", opts: { prompt: "Go on?" } }))
  expect(await screen.pass(5000).text()).not.toContain("may be answered")
  screen.feed(line({ kind: "event", event: "human-input/answer", data: { kind: "text", invokeid: "a", answer: "x" } }))
  expect(await screen.text()).toContain("may be answered already")
  expect(await screen.press("alt-h").row("a answers")).toContain("asks (may be answered already): Go on?")
  expect(await screen.press("!").text()).toContain("asks (may be answered already): Go on?")
})

test("a question that nothing waits for keeps no keyboard from the next one", async () => {
  const screen = await show()
  screen.feed(
    line({ kind: "prompt", "prompt-id": "n#1", invokeid: "a", type: "text", opts: { prompt: "Next?", waits: true } }),
  )
  expect(await screen.text()).toContain("a answers")
  screen.pass(3000)
  expect(await screen.feed(haiku).text()).not.toContain("a answers")
  expect(sent(screen.press("1"))).toMatchObject([{ promptId: "win#1" }])
})

test("a without a question says so", async () => {
  const screen = await show()
  expect((await screen.press("a").rows()).at(-1)).toContain("No question is open")
})

describe("a question that has just got the keyboard", () => {
  test("says so, and ignores keys that answer or cancel it for 600 ms", async () => {
    for (const key of ["y", "n", "enter", "escape"]) {
      const screen = await show({}, asks("sure", "confirm", { prompt: "Start?", default: true }))
      expect(await screen.text()).toContain("One moment…")
      screen.pass(450).pressAtOnce(key)
      expect(sent(screen.pass(150))).toEqual([])
      expect(await screen.text()).not.toContain("One moment…")
      expect(sent(screen.pressAtOnce("y"))).toHaveLength(1)
    }
  })

  test("ignores a digit for as long, but not what moves its cursor", async () => {
    const screen = await show({}, haiku)
    expect(sent(screen.pressAtOnce("1", "down"))).toEqual([])
    expect(await screen.row("▸ ")).toContain("▸ 2 Winter")
  })

  test("gets letters at once", async () => {
    const screen = await show()
    screen.feed(name).type("Ada")
    expect(sent(screen.pressAtOnce("enter"))).toEqual([])
    expect(await screen.text()).toContain("│ Ada")
  })

  test("ignores a held key as long as it repeats", async () => {
    const screen = await show()
    screen.feed(sure).pass(500)
    for (let held = 0; held < 20; held++) {
      screen.pressAtOnce("y").pass(110)
    }
    expect(sent(screen)).toEqual([])
    screen.pass(10)
    expect(sent(screen.pressAtOnce("y"))).toHaveLength(1)
  })

  test("is one that takes the place of another, was opened by a, or was covered", async () => {
    const screen = await show()
    screen.feed(haiku, sure).press("enter")
    expect(sent(screen.pressAtOnce("y"))).toHaveLength(1)
    screen.press("alt-h", "a")
    screen.pressAtOnce("y").press("f1", "escape")
    expect(sent(screen.pressAtOnce("y"))).toHaveLength(1)
    expect(sent(screen.press("y"))).toHaveLength(2)
  })

  test("does not interrupt the agent by an Esc that came too early for it", async () => {
    const screen = await show()
    screen.feed(sure).pressAtOnce("escape")
    screen.feed(line({ kind: "event", event: "human-input/cancelled", data: { invokeid: "judge" } }))
    expect(sent(screen.pressAtOnce("escape", "escape"))).toEqual([])
  })
})
