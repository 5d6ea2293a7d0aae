// Tests the status tab.
import { expect, test } from "bun:test"
import { line } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"

test("the status tab says at which turn the debugger holds, what it will do and why a re-run failed", async () => {
  const screen = await show()
  const debug = { kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn", "turn-index": 2 }
  screen.feed(line({ ...debug, "breakpoint-armed": true, "branch-error": "no such turn" }))
  screen.press(":", ..."status", "enter")
  const words = "running, steps left 0, turn 3, will pause before the next turn, re-run failed: no such turn"
  expect((await screen.text()).replaceAll(/[\s│]+/g, " ")).toContain(words)
})
