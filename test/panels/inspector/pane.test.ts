// Tests the inspector's tabs and its list of invocations.
import { afterEach, describe, expect, test } from "bun:test"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event } from "../../run/lines.ts"
import { endScreens, NOW, type Shown, show } from "../../screen/screen.tsx"

afterEach(endScreens)

const judge = { invokeid: "judge", "session-id": "j.1" } as const
const poet = { invokeid: "poet", "session-id": "p" } as const
const usage = { "input-tokens": 12_431, "output-tokens": 812, "cached-tokens": 10_000 }

function feedTwo(screen: Shown): void {
  screen.feed(
    event(0, "llm/start", { ...poet, model: "gemma3:1b" }, NOW - 20_000),
    event(1, "llm/response", { ...poet, content: [], "stop-reason": "end_turn", usage }, NOW - 6000),
    event(2, "llm/start", { ...judge, model: "qwen3:8b" }, NOW - 5000),
    event(3, "llm/error", { ...judge, message: "connection reset by peer" }, NOW - 4000),
  )
}

/** The columns where the words of a heading end, and where the cells below them end. */
function endsOf(row: string, words: readonly string[]): readonly number[] {
  return words.map(word => row.indexOf(word) + word.length)
}

describe("the invocations tab", () => {
  test("has at 120 columns a column for every figure", async () => {
    const screen = await show({ columns: 120, rows: 40 })
    feedTwo(screen)
    screen.press("i")
    expect(await screen.row("INVOCATIONS")).toContain("INVOCATIONS  2 sessions · newest first")
    const [heading, first, second] = [
      await screen.row("stop reason"),
      await screen.row("judge"),
      await screen.row("poet"),
    ]
    expect(first).toMatch(/✗ judge +qwen3:8b +1 +1\.0s +– +– +– +– +connection rese…/)
    expect(second).toMatch(/✓ poet +gemma3:1b +1 +14s +12,431 +812 +10,000 +12,431 +end_turn/)
    expect(endsOf(heading, ["turns", "time", "out", "cached", "context"])).toEqual(
      [/ 1 /, / 14s /, / 812 /, /10,000 /, /12,431 {2}end/].map((cell, i) => {
        const found = cell.exec(second)
        return (found?.index ?? 0) + (found?.[0].length ?? 0) - (i === 4 ? 5 : 1)
      }),
    )
  })

  test("has at 200 columns the whole reason why a session stopped", async () => {
    const screen = await show({ columns: 200, rows: 40 })
    feedTwo(screen)
    screen.press("i")
    expect(await screen.row("✗ judge")).toMatch(/connection reset by peer +│$/)
  })

  for (const [columns, rows, kept, gone] of [
    [80, 24, ["turns", "time", "in", "out", "context", "stop reason"], "model"],
    [40, 10, ["time", "out"], "turns"],
  ] as const) {
    test(`keeps at ${columns}x${rows} the most important columns, and the rest on the line below`, async () => {
      const screen = await show({ columns, rows })
      feedTwo(screen)
      screen.press("i", "j")
      const heading = await screen.row("invocation ")
      for (const name of kept) expect(heading).toContain(name)
      expect(heading).not.toContain(gone)
      expect(await screen.row("12,431 in,")).toContain("end_turn  12,431 in, 812 out")
    })
  }

  test("counts on while a session works", async () => {
    const screen = await show()
    screen.feed(event(0, "llm/start", judge, NOW - 3000), delta(1, "x", { ...judge, ts: NOW - 1000 }))
    screen.press("i")
    expect(await screen.row("● judge")).toMatch(/judge +– +1 +3\.0s +– +1 /)
    screen.pass(7000)
    screen.feed(delta(2, "y", { ...judge, ts: NOW + 7000 }))
    expect(await screen.row("● judge")).toMatch(/10s +– +2 /)
  })

  test("opens at the selected session, and with Enter the text of the one under the cursor", async () => {
    const lines = await readFrames(fixture("demo"))
    const screen = await show()
    screen.feed(...lines)
    screen.press("g", "i")
    expect(await screen.row("▌")).toContain("planner")
    screen.press("g", "j", "enter")
    expect(await screen.row("┌─")).toContain("TRANSCRIPT  checker")
    screen.press("1")
    expect(await screen.row("▌")).toContain("checker")
  })

  test("is sorted by the next column with S, and says by which", async () => {
    const screen = await show()
    feedTwo(screen)
    screen.press("i", "S")
    expect(await screen.row("INVOCATIONS")).toContain("by name")
    expect(await screen.row("stop reason")).toContain("invocation↓")
    screen.press("S", "S", "S", "S")
    expect(await screen.row("INVOCATIONS")).toContain("by tokens out")
    const rows = await screen.rows()
    expect(rows.findIndex(row => row.includes("poet"))).toBeLessThan(rows.findIndex(row => row.includes("judge")))
    screen.press("S")
    expect(await screen.row("INVOCATIONS")).toContain("newest first")
  })

  test("shows the rows around the cursor among thousands, and reaches the last", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    const many = Array.from({ length: 3000 }, (_, i) =>
      event(i, "llm/start", { invokeid: `one-${i}`, "session-id": "s" }, NOW),
    )
    screen.feed(...many)
    screen.press("i", "G")
    expect(await screen.row("▌")).toContain("one-0 ")
    screen.press("g")
    expect(await screen.row("▌")).toContain("one-2999 ")
  })
})

describe("the inspector's tabs", () => {
  test("change with Tab, Shift-Tab and their numbers, and are left with i and Esc", async () => {
    const screen = await show()
    const title = async () => (await screen.row("┌─")).slice(3).split("  ")[0]
    screen.press("i")
    for (const name of [
      "INVOCATIONS",
      "TRANSCRIPT",
      "CHART",
      "ARTIFACTS",
      "STATUS",
      "AGENT LOG",
      "WATERFALL",
      "LEDGER",
      "CONTEXT",
    ]) {
      expect(await title()).toStartWith(name)
      screen.press("tab")
    }
    expect(await title()).toStartWith("INVOCATIONS")
    screen.press("shift-tab", "shift-tab", "shift-tab")
    expect(await title()).toStartWith("WATERFALL")
    screen.press("5")
    expect(await title()).toStartWith("STATUS")
    screen.press("i")
    expect(await screen.text()).not.toContain("STATUS")
    screen.press("i", "escape")
    expect(await screen.text()).not.toContain("STATUS")
  })
})

test("the inspector names its tabs by number on a small screen, and offers to open only what exists", async () => {
  const screen = await show({ columns: 40, rows: 10 })
  screen.press("i")
  for (const tab of ["1", "2", "3", "4", "5", "6", "7", "8", "9"]) {
    screen.press(tab)
    expect((await screen.rows())[2]?.replaceAll(/[^\d]/g, "")).toBe("123456789")
  }
  screen.press("4")
  expect((await screen.rows()).at(-1)).not.toContain("Enter read")
})

test("the inspector names its tabs on a screen of 80 columns too", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  screen.press("i", "2")
  expect(await screen.row("1 Inv")).toContain("1 Inv  2 Text  3 Chart  4 Files  5 Status  6 Log  7 Time  8 Cost  9 Ctx")
})

describe("/ on the agent log", () => {
  for (const [columns, rows] of [
    [200, 40],
    [40, 10],
  ] as const) {
    test(`searches the whole log at once, and takes every key that is typed, at ${columns}x${rows}`, async () => {
      const screen = await show({ columns, rows })
      const lines = Array.from({ length: 60 }, (_, n) => `INFO line ${n + 1}`)
      screen.store.dispatch({ type: "directory", directory: { path: "/runs/board", error: null } })
      screen.store.dispatch({ type: "logged", lines })
      screen.press("i", "6", "/")
      expect(screen.effects.at(-1)).toMatchObject({ request: { read: "file", name: "escapement.log" } })
      const text = lines.join("\n")
      const open = { name: "escapement.log", title: "escapement.log", text, why: null, isCut: false }
      screen.store.dispatch({ type: "files", change: { open } })
      screen.type("line 42")
      screen.press("enter")
      if (columns > 40) expect(await screen.text()).toContain("/line 42 1 of 1")
      expect(await screen.text()).toContain("INFO line 42")
      screen.press("escape")
      expect(await screen.text()).toContain("AGENT LOG")
    })
  }
})
