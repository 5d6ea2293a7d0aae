// Tests the status tab.
import { afterEach, describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { endScreens, NOW, show } from "../../screen/screen.tsx"

afterEach(endScreens)

const STATUS = "5"

for (const [columns, rows] of [
  [120, 40],
  [80, 24],
] as const) {
  describe(`the status tab at ${columns}x${rows}`, () => {
    test("shows the debugger with its config and pending events, warnings, and malformed lines", async () => {
      const screen = await show({ columns, rows: Math.max(rows, 40) })
      screen.feed(
        line({
          kind: "debug",
          paused: true,
          "step-budget": 3,
          config: ["run", "judging"],
          "pending-events": [
            { name: "llm.idle", data: { n: 1 }, target: "x", "external?": true, "delivery-time": null },
          ],
        }),
        event(
          3,
          "llm/retry",
          { invokeid: "judge", "session-id": "j", attempt: 2, "max-retries": 5, category: "overloaded" },
          NOW,
        ),
        line({ kind: "news" }),
      )
      screen.press("i", STATUS)
      const text = await screen.text()
      expect(text).toMatch(/debugger +paused, steps left 3/)
      expect(text).toMatch(/debugger state +run › judging/)
      expect(text).toMatch(/pending events +1/)
      expect(text).toContain('llm.idle  external  to x  {"n":1}')
      expect(text).toMatch(/warnings +1/)
      screen.press("G")
      const end = await screen.text()
      expect(end).toContain("retry  2 of 5  overloaded")
      expect(end).toContain('{"kind":"news"}')
    })
  })
}

test("the status tab says that the latest warning is too far back to be listed", async () => {
  const screen = await show()
  const retry = { invokeid: "judge", "session-id": "j", attempt: 2, "max-retries": 5, category: "overloaded" }
  screen.feed(event(1, "llm/retry", retry, NOW))
  screen.feed(...Array.from({ length: 5001 }, (_, i) => event(i + 2, "llm/user-message", { ...retry, text: "?" }, NOW)))
  screen.press("i", STATUS, "G")
  expect(await screen.row("none in the latest 5,000 rows")).toContain("w there finds them")
})
