// Tests the status tab.
import { describe, expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { NOW, show, URL } from "../../screen/screen.tsx"

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
      const text = await screen.press(":", ..."status", "enter", "m").text()
      expect(text).toMatch(/debugger +paused, steps left 3/)
      expect(text).toMatch(/debugger state +run › judging/)
      expect(text).toMatch(/pending events +1/)
      expect(text).toContain('llm.idle  external  to x  {"n":1}')
      expect(text).toMatch(/warnings +1/)
      expect(text).toMatch(/Frames received[\s\S]*event +1[\s\S]*debug +1/)
      const end = await screen.press("G").text()
      expect(end).toContain("retry  2 of 5  overloaded")
      expect(end).toContain('{"kind":"news"}')
    })
  })
}

test("the status tab says at which turn the debugger holds, what it will do and why a re-run failed", async () => {
  const screen = await show()
  const debug = { kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn", "turn-index": 2 }
  screen.feed(line({ ...debug, "breakpoint-armed": true, "branch-error": "no such turn" }))
  screen.press(":", ..."status", "enter")
  const words = "running, steps left 0, turn 3, will pause before the next turn, re-run failed: no such turn"
  expect((await screen.text()).replaceAll(/[\s│]+/g, " ")).toContain(words)
})

test("the status tab says that the latest warning is too far back to be listed", async () => {
  const screen = await show()
  const retry = { invokeid: "judge", "session-id": "j", attempt: 2, "max-retries": 5, category: "overloaded" }
  screen.feed(event(1, "llm/retry", retry, NOW))
  screen.feed(...Array.from({ length: 5001 }, (_, i) => event(i + 2, "llm/user-message", { ...retry, text: "?" }, NOW)))
  screen.press(":", ..."status", "enter", "m", "G")
  expect(await screen.row("none in the latest 5,000 rows")).toContain("w there finds them")
})

test("the status tab shows the beginning of a reply that was cut, not all of it", async () => {
  const screen = await show({ columns: 80, rows: 60 })
  const ids = { invokeid: "judge", "session-id": "j" }
  const content = [{ type: "text", text: "word ".repeat(1000) }]
  screen.feed(
    event(1, "llm/start", ids, NOW),
    event(2, "llm/response", { ...ids, content, "stop-reason": "max_tokens" }, NOW),
  )
  const rows = await screen.press(":", ..."status", "enter", "m").rows()
  expect(rows.filter(row => row.includes("word word"))).toHaveLength(3)
})

const gone = { state: "lost", url: URL, since: NOW, retryAt: NOW, why: "closed", everOpen: true } as const

test.each([
  [{ state: "connecting", url: URL, attempt: 1 }, `connecting to ${URL}`],
  [{ state: "open", url: URL, since: NOW - 65_000 }, `connected for 1m05s, ${URL}`],
  [gone, `${URL}: closed │`],
  [{ ...gone, api: true }, `${URL}: closed; using HTTP`],
  [{ state: "ended", path: "a.jsonl", incompleteLength: 7 }, "recording a.jsonl, 7 characters of an incomplete last"],
  [{ state: "running", command: "claude", talks: true }, "claude is running; it takes answers and prompts"],
  [{ state: "running", command: "claude" }, "claude is running; nothing is sent to it"],
  [{ state: "exited", command: "claude", code: 3 }, "claude ended with exit code 3"],
  [{ state: "closed" }, "connection closed"],
] as const)("the status tab says of the link %j how it stands", async (link, words) => {
  const screen = await show({ link }, event(1, "runner/started"))
  const text = await screen.press(":", ..."status", "enter", "m").text()
  expect(text.replaceAll(/ +/g, " ")).toContain(words)
})
