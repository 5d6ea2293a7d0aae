// Tests the footer: notices, half-typed keys, and hints that have an effect.
import { describe, expect, test } from "bun:test"
import { asks, haiku, name } from "../panels/prompt/questions.ts"
import { event, line } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

const debug = line({ kind: "debug", paused: true, "step-budget": 0 })

describe("the footer", () => {
  test("of the reader says where a paused run is stepped", async () => {
    const screen = await show({ columns: 120, rows: 24 })
    for (const id of ["a", "b"]) screen.feed(event(0, "llm/start", { invokeid: id, "session-id": id }))
    screen.feed(debug)
    screen.press("tab")
    expect((await screen.rows()).at(-1)).toStartWith(" Tab to step or continue   Enter read")
    screen.press("tab")
    expect((await screen.rows()).at(-1)).toStartWith(" s step   c continue   Enter read   Tab next")
  })

  test("drops a notice at the next key, and keeps a warning while an answer is typed", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    const footer = async () => (await screen.rows()).at(-1)
    screen.press("s")
    expect(await footer()).toContain("Can't step")
    screen.press("tab")
    expect(await footer()).not.toContain("Can't step")
    screen.feed(name)
    screen.press("a").type("Ada")
    screen.store.ask({ type: "notice/show", text: "The disk is full" }, { now: NOW, page: 0, lines: 0 })
    expect(await footer()).toContain("The disk is full")
    screen.type("x")
    expect(await footer()).toContain("The disk is full")
    screen.press("enter")
    expect(await footer()).not.toContain("The disk is full")
  })

  test("offers no answer to a question without options", async () => {
    const screen = await show({ columns: 120, rows: 24 }, asks("none#1", "select", { prompt: "Which?" }))
    const [footer = ""] = (await screen.rows()).slice(-1)
    expect(footer).toContain("Esc cancel")
    expect(footer).not.toContain("Enter")
    expect(footer).not.toContain("1–9")
    screen.feed(asks("none#2", "multi", { prompt: "Which?" })).press("tab")
    const [empty = ""] = (await screen.rows()).slice(-1)
    expect(empty).toContain("Enter answer")
    expect(empty).not.toContain("Space")
    screen.feed(haiku)
    expect((await screen.press("tab").rows()).at(-1)).toContain("1–9 pick")
  })
})
