// Tests that a question takes no key that was meant for something else.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { SIZES, show } from "../../screen/screen.tsx"
import { walked } from "../steps.ts"
import { asks, haiku, name, sent, sure } from "./questions.ts"

test("a question within three seconds after a key, or over an open view, waits on one line until a opens it", async () => {
  const told: string[] = []
  for (const [columns, rows] of SIZES) {
    for (const ms of [2999, 3000]) {
      const screen = await show({ columns, rows })
      const comes = ["it comes", () => screen.feed(haiku)] as const
      told.push(`${columns}x${rows}, ${ms} ms`, await walked(screen.press("j").pass(ms), comes, "1", "j tab", "a", "1"))
    }
  }
  const over = await show({ columns: 80, rows: 24 })
  over.press("B").pass(5000)
  told.push(await walked(over, ["two come", () => over.feed(name, sure)], "escape", "y escape", "a", "escape escape"))
  // Nothing waits for it, so it keeps no keyboard from the next one; the keys that answer one count for none.
  const opts = { prompt: "Next?", waits: true }
  const next = line({ kind: "prompt", "prompt-id": "n#1", invokeid: "a", type: "text", opts })
  const idle = await show({ columns: 80, rows: 24 })
  const steps = [["it comes", () => idle.feed(next)] as const, ["a choice", () => idle.pass(3000).feed(haiku)] as const]
  told.push(await walked(idle, "a", ...steps, "1", ["another", () => idle.feed(sure)], "n"))
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("a question that may be answered already says so in its box, on its line and in NEEDS YOU", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  const asking = { kind: "text", prompt: "Go on?" }
  const opts = { prompt: "Go on?" }
  for (const invokeid of ["a", "b"]) screen.feed(event(null, "human-input/start", { ...asking, invokeid }))
  for (const id of ["q#1", "q#2"])
    screen.feed(line({ kind: "prompt", "prompt-id": id, invokeid: null, type: "text", opts }))
  expect(await screen.pass(5000).text()).not.toContain("may be answered")
  screen.feed(event(null, "human-input/answer", { kind: "text", invokeid: "a", answer: "x" }))
  expect(await screen.text()).toContain("may be answered already")
  expect(await screen.press("alt-h").row("a answers")).toContain("asks (may be answered already): Go on?")
  expect(await screen.press("!").text()).toContain("asks (may be answered already): Go on?")
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
