// Tests that a question says who asks, and that the text behind it can be read.
import { describe, expect, test } from "bun:test"
import { delta, event, line } from "../../run/lines.ts"
import { LARGE_SIZES, show } from "../../screen/screen.tsx"
import { asks, haiku, name, sent, sure } from "./questions.ts"

const story = (invokeid: string, session: string, seq: number) =>
  delta(seq, Array.from({ length: 60 }, (_, i) => `${invokeid} ${session} line ${i + 1}`).join("\n"), {
    invokeid,
    "session-id": session,
  })
const run = [story("judge", "session.1", 0), story("judge", "session.2", 1), story("poet", "session.1", 2)]

test("a question waits while a line that it would cover is typed", async () => {
  const screen = await show({ columns: 80, rows: 24 }, ...run)
  screen.press("/").type("judge")
  expect(await screen.feed(name).text()).toContain("/ judge")
  expect(await screen.text()).not.toContain("Type an answer")
  expect(await screen.press("escape").text()).toContain("asks: Which name goes on the cup? · a answers")
  expect(await screen.text()).not.toContain("Type an answer")
  expect(await screen.press("a").text()).toContain("Type an answer")
})

describe("the title of a question", () => {
  test("has the session that it follows if nobody asks by name", async () => {
    const screen = await show()
    screen.feed(...run, line({ kind: "prompt", "prompt-id": "prompt#3", invokeid: null, type: "confirm", opts: {} }))
    expect(await screen.text()).toContain("poet asks: prompt#3")
  })

  test("has the invocation and not the latest of its sessions, and waits in words without marks", async () => {
    const screen = await show()
    const second = event(9, "llm/start", { invokeid: "poet", "session-id": "poet-2" })
    const marked = {
      kind: "prompt",
      "prompt-id": "p",
      invokeid: null,
      type: "text",
      opts: { prompt: "Is *it* **so**?" },
    }
    expect(await screen.feed(...run, second, line(marked)).text()).toContain("┌─ poet asks: p")
    expect(await screen.press("alt-h").text()).toContain("poet asks: p: Is it so? · a answers")
  })

  test("has the place in the queue on a narrow screen too", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    const long = line({
      kind: "prompt",
      "prompt-id": "l",
      invokeid: "a-very-long-name-of-a-judge-indeed",
      type: "text",
    })
    screen.feed(event(3, "runner/start-config", { config: ["run", "judging"] }), ...run, long, sure)
    expect(await screen.row("1 of 2")).toContain("asks · 1 of 2")
  })
})

describe("the text behind a question", () => {
  test("is the end of the text that led to it, whatever is selected", async () => {
    const screen = await show()
    expect(await screen.feed(...run).text()).toContain("poet session.1 line 60")
    expect(await screen.feed(haiku).text()).toContain("judge session.2 line 60")
    expect(await screen.text()).not.toContain("poet session.1 line")
    screen.press("1")
    expect(await screen.pass(2000).text()).toContain("poet session.1 line 60")
  })

  test("scrolls with PgUp and PgDn, for a text question too, and no page skips a line", async () => {
    for (const [columns, rows] of LARGE_SIZES) {
      const screen = await show({ columns, rows }, ...run, name)
      const seen = new Set<string>()
      const read = async () => {
        for (const [, number = ""] of (await screen.text()).matchAll(/judge session\.2 line (\d+)/g)) seen.add(number)
      }
      await read()
      for (let page = 0; page < 12; page++) {
        screen.press("pageup")
        await read()
      }
      expect(seen.size).toBe(60)
      expect(await screen.text()).toContain("Type an answer")
      expect(await screen.press("pagedown", ..."xyz").text()).toContain("xyz")
    }
  })

  test("is opened by PgUp on a small screen, and left by Esc with the draft", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    screen.feed(...run, name).type("half")
    expect(await screen.press("pageup").text()).toContain("judge session.2 line 60")
    expect(await screen.press("pageup").text()).not.toContain("line 60")
    expect(await screen.press("escape").text()).toContain("half")
    expect(sent(screen)).toEqual([])
  })

  test("is the log if that has the focus, scrolled by PgUp, or opened if it is covered", async () => {
    const screen = await show()
    const rows = Array.from({ length: 60 }, (_, i) => event(10 + i, "llm/user-message", { text: `note ${i + 1}` }))
    screen.feed(...run, ...rows).press("tab", "tab")
    screen.feed(asks("many", "select", { prompt: "?", options: Array.from({ length: 12 }, (_, i) => `o${i}`) }))
    const { cursor } = screen.store.get().view.log
    expect(await screen.press("pageup").text()).toContain("LOG")
    screen.press("pageup")
    expect(screen.store.get().view.log.cursor).not.toBe(cursor)
  })

  test.each(LARGE_SIZES)(
    "is the log if no session has a text, scrolled from any pane on %dx%d",
    async (columns, rows) => {
      for (const pane of ["live", "text", "log"] as const) {
        const screen = await show({ columns, rows })
        screen.feed(...Array.from({ length: 60 }, (_, i) => event(i, "app/note", { n: `note ${i + 1}` })), name)
        screen.store.dispatch({ type: "view", change: { focus: pane } })
        expect(await screen.text()).toContain("PgUp read back")
        const seen = async () => new Set([...(await screen.text()).matchAll(/note (\d+)/g)].map(([, n]) => Number(n)))
        screen.type("half").press("pageup", "pageup")
        const [higher = 0] = await seen()
        expect(higher).toBeGreaterThan(1)
        expect(higher).toBeLessThan(60)
        screen.press("pageup")
        const [highest = 0] = await seen()
        expect(highest).toBeLessThan(higher)
        screen.press("pagedown", "pagedown")
        expect((await seen()).has(highest)).toBe(false)
      }
    },
  )

  test("is the log that a question on a small screen covers, so PgUp says what shows it", async () => {
    const screen = await show({ columns: 40, rows: 10 }, event(1, "app/note"), name)
    expect(await screen.press("pageup").text()).toContain("Alt-h hides the question")
    expect(await screen.press("alt-h").text()).toContain("app/note")
  })
})
