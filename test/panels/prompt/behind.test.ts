// Tests that a question says who asks, and that the text behind it can be read.
import { describe, expect, test } from "bun:test"
import { delta, event, line } from "../../run/lines.ts"
import { LARGE_SIZES, show } from "../../screen/screen.tsx"
import { walked } from "../steps.ts"
import { asks, haiku, name, sure } from "./questions.ts"

const story = (invokeid: string, session: string, seq: number) =>
  delta(seq, Array.from({ length: 60 }, (_, i) => `${invokeid} ${session} line ${i + 1}`).join("\n"), {
    invokeid,
    "session-id": session,
  })
const run = [story("judge", "session.1", 0), story("judge", "session.2", 1), story("poet", "session.1", 2)]

test("the title of a question has who asks: its asker, else the session that it follows, and its place in the queue", async () => {
  const marked = { kind: "prompt", "prompt-id": "p", invokeid: null, type: "text", opts: { prompt: "Is *it* **so**?" } }
  const second = event(9, "llm/start", { invokeid: "poet", "session-id": "poet-2" })
  const long = line({ kind: "prompt", "prompt-id": "l", invokeid: "a-very-long-name-of-a-judge-indeed", type: "text" })
  const told: string[] = []
  for (const [columns, rows, ...lines] of [
    [80, 24, line({ kind: "prompt", "prompt-id": "prompt#3", invokeid: null, type: "confirm", opts: {} })],
    [80, 24, second, line(marked)],
    [40, 10, event(3, "runner/start-config", { config: ["run", "judging"] }), long, sure],
  ] as const) {
    const screen = await show({ columns, rows }, ...run)
    told.push(await walked(screen.pass(5000), ["it comes", () => screen.feed(...lines)], "alt-h", "a", "tab"))
  }
  expect(told.join("\n\n")).toMatchSnapshot()
})

test("the text behind a question is the end of what led to it, or the log, and PgUp reads it on any screen", async () => {
  const typing = await show({ columns: 80, rows: 24 }, ...run)
  const behind = await show({ columns: 80, rows: 24 }, ...run)
  const small = await show({ columns: 40, rows: 10 }, ...run, name)
  const covers = await show({ columns: 40, rows: 10 }, event(1, "app/note"), name)
  const inLog = await show({ columns: 80, rows: 24 }, ...run)
  const notes = Array.from({ length: 60 }, (_, i) => event(10 + i, "llm/user-message", { text: `note ${i + 1}` }))
  const many = asks("many", "select", { prompt: "?", options: Array.from({ length: 12 }, (_, i) => `o${i}`) })
  expect([
    // A question waits while a line that it would cover is typed.
    await walked(typing, "/ 'judge'", ["it comes", () => typing.feed(name)], "escape", "a"),
    await walked(behind.pass(5000), ["it comes", () => behind.feed(haiku)], "1", ["2 s", () => behind.pass(2000)]),
    await walked(small, "'half'", "pageup", "pageup", "escape"),
    await walked(covers, "pageup", "alt-h"),
    await walked(inLog, "tab tab", ["it comes", () => inLog.feed(...notes, many).pass(5000)], "a", "pageup", "pageup"),
  ]).toMatchSnapshot()
})

describe.each(LARGE_SIZES)("at %dx%d", (columns, rows) => {
  test("the text scrolls with PgUp and PgDn, for a text question too, and no page skips a line", async () => {
    const screen = await show({ columns, rows }, ...run, name)
    const seen = new Set<string>()
    for (let page = 0; page < 13; page++) {
      for (const [, number = ""] of (await screen.text()).matchAll(/judge session\.2 line (\d+)/g)) seen.add(number)
      screen.press("pageup")
    }
    expect(seen.size).toBe(60)
    expect(await screen.text()).toContain("Type an answer")
    expect(await screen.press("pagedown", ..."xyz").text()).toContain("xyz")
  })

  test("the log scrolls from any pane if no session has a text", async () => {
    for (const pane of ["live", "text", "log"] as const) {
      const screen = await show({ columns, rows })
      screen.feed(...Array.from({ length: 60 }, (_, i) => event(i, "app/note", { n: `note ${i + 1}` })), name)
      screen.store.dispatch({ type: "view", change: { focus: pane } })
      expect(await screen.text()).toContain("PgUp read back")
      const top = async () => Number(/note (\d+)/.exec(await screen.text())?.[1])
      const end = await top()
      screen.type("half").press("pageup", "pageup")
      const higher = await top()
      screen.press("pageup")
      const highest = await top()
      expect([highest < higher, higher < end]).toEqual([true, true])
      screen.press("pagedown", "pagedown")
      expect(await top()).toBeGreaterThan(highest)
    }
  })
})
