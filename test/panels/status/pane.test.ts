// Tests the status tab.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { LARGE_SIZES, NOW, show } from "../../screen/screen.tsx"

describe.each(LARGE_SIZES)("the status tab at %dx%d", (columns, rows) => {
  test("shows the debugger with its config and pending events, warnings, and malformed lines", async () => {
    const screen = await show({ columns, rows: Math.max(rows, 40) })
    screen.feed(
      line({
        kind: "debug",
        paused: true,
        "step-budget": 3,
        config: ["run", "judging"],
        "pending-events": [{ name: "llm.idle", data: { n: 1 }, target: "x", "external?": true, "delivery-time": null }],
      }),
      event(
        3,
        "llm/retry",
        { invokeid: "judge", "session-id": "j", attempt: 2, "max-retries": 5, category: "overloaded" },
        NOW,
      ),
      line({ kind: "news" }),
    )
    const text = await screen.press(":", ..."status", "enter", "m").text()
    expect(text).toMatch(/debugger +paused, steps left 3/)
    expect(text).toMatch(/debugger state +run › judging/)
    expect(text).toMatch(/pending events +1/)
    expect(text).toContain('llm.idle  external  to x  {"n":1}')
    expect(text).toMatch(/warnings +1/)
    expect(text).toMatch(/Frames received[\s\S]*event +1[\s\S]*debug +1/)
    screen.press("G")
    const end = await screen.text()
    expect(end).toContain('{"kind":"news"}')
  })
})

test("the status tab says at which turn the debugger holds, what it will do and why a re-run failed", async () => {
  const screen = await show()
  const debug = { kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn", "turn-index": 2 }
  screen.feed(line({ ...debug, "breakpoint-armed": true, "branch-error": "no such turn" }))
  screen.press(":", ..."status", "enter")
  const words = "running, steps left 0, turn 3, will pause before the next turn, re-run failed: no such turn"
  expect((await screen.text()).replaceAll(/[\s│]+/g, " ")).toContain(words)
})
