// Tests the footer: notices, half-typed keys, and hints that have an effect.
import { describe, expect, test } from "bun:test"
import { asks, haiku, name, sure } from "../panels/prompt/questions.ts"
import { event, line } from "../run/lines.ts"
import { NOW, replay, show } from "./screen.tsx"

const debug = line({ kind: "debug", paused: true, "step-budget": 0 })

describe("the footer", () => {
  test("shows a count, or the first stroke of two, while it is typed", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    const footer = async () => (await screen.rows()).at(-1)?.trimEnd()
    screen.feed(debug).press("1", "2")
    expect(await footer()).toEndWith("  12")
    screen.press("s")
    expect(await footer()).toEndWith("step pending")
    expect(await footer()).toStartWith(" Stepping 12 events   s step")
    screen.feed(name).press("a", "ctrl-x")
    expect(await footer()).toEndWith("  Ctrl-X")
    screen.type("A")
    expect(await footer()).not.toContain("Ctrl-X")
  })

  test("of the reader says where a paused run is stepped", async () => {
    const screen = await show({ columns: 120, rows: 24 })
    for (const id of ["a", "b"]) screen.feed(event(0, "llm/start", { invokeid: id, "session-id": id }))
    screen.feed(debug)
    screen.press("tab")
    expect((await screen.rows()).at(-1)).toStartWith(" Tab to step or continue   Enter read")
    screen.press("tab")
    expect((await screen.rows()).at(-1)).toStartWith(" s step   c continue   Enter read   Tab next")
  })

  test("offers no op that a read-only screen would refuse", async () => {
    const screen = await show({ columns: 120, rows: 24 })
    screen.feed(line({ kind: "debug", paused: false, "step-budget": 0 }))
    expect((await screen.rows()).at(-1)).toContain("p pause")
    screen.store.dispatch({ type: "view", change: { setup: { readOnly: true } } })
    expect((await screen.rows()).at(-1)).not.toContain("p pause")
  })

  test("says what is next once a run is over, and how to leave only once", async () => {
    for (const focus of ["live", "text"] as const) {
      const screen = await show({ columns: 120, rows: 24 })
      screen.store.dispatch({ type: "view", change: { focus } })
      screen.feed(event(0, "llm/start", { invokeid: "a", "session-id": "s" }), event(1, "runner/done", {}))
      expect((await screen.rows()).at(-1)).toMatch(/T time {3}v why {3}, \. back in time {3}x export/)
      expect((await screen.text()).split("Ctrl-C quit")).toHaveLength(1)
    }
    const recording = await show({ columns: 120, rows: 24, link: replay }, event(0, "runner/done", {}))
    const words = /^ Space play {3}Enter read {3}x export {3}Tab next {3}Ctrl-C quit {3}T time {3}v why {3}/
    expect((await recording.rows()).at(-1)).toMatch(words)
  })

  test("keeps its keys beside a notice, as far as they fit", async () => {
    const wide = await show({ columns: 120, rows: 24 })
    wide.feed(sure, name).press("y")
    expect((await wide.pass(2000).rows()).at(-1)).toMatch(/^ Answered: Yes {2,}Enter answer {3}Esc cancel/)
    const narrow = await show({ columns: 40, rows: 10 })
    const said = (await narrow.press("s").rows()).slice(-3).map(row => row.trim())
    expect(said).toEqual([
      "Can't step: no debugger is attached",
      "(start the agent with --debug)",
      "Enter read  Tab next  Ctrl-C quit",
    ])
  })

  test("keeps the key that shows all keys from 60 columns on, and names one key for each hint", async () => {
    const screen = await show({ columns: 60, rows: 20, link: replay })
    screen.feed(...Array.from({ length: 9 }, (_, i) => event(i, "app/note", { n: i })))
    expect((await screen.rows()).at(-1)).toMatch(/^ Space play {2}Enter read .* {2}\? keys *$/)
    const wide = await show({ columns: 120, rows: 20, link: replay })
    expect((await wide.feed(event(0, "app/note", {})).rows()).at(-1)).toContain("   , . frame   : commands   ")
  })

  test("gives a notice that is too long rows of its own, so that a path is whole", async () => {
    const path = `/home/somebody/.local/state/opentui-sidecar/exports/${"tea-".repeat(12)}20261122T044500Z.md`
    for (const columns of [40, 80]) {
      const screen = await show({ columns, rows: 24 })
      const text = `Saved ${path}; redacted 1 likely secret: 1 API key`
      screen.store.ask({ type: "notice/show", text, level: "info" }, { now: NOW, page: 0, lines: 0 })
      const rows = await screen.rows()
      expect(rows.slice(-7).join("").replaceAll(" ", "")).toContain(text.replaceAll(" ", ""))
      expect(rows.at(-1)).toContain("Enter read")
      expect((await screen.press("j").rows()).join("")).not.toContain("Saved")
    }
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
