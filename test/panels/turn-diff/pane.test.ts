// Tests that a turn that was marked for a comparison can be unmarked.
import { expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { show } from "../../screen/screen.tsx"

const ids = { invokeid: "judge", "session-id": "judge.1" } as const
const frames = [
  event(0, "llm/start", ids),
  event(1, "llm/request", ids),
  event(2, "llm/response", { ...ids, content: [{ type: "text", text: "yes" }] }),
]

test("marking the same turn twice unmarks it", async () => {
  const screen = await show({ columns: 80, rows: 24 }, ...frames)
  expect(await screen.press("enter", "m", "=", "=").text()).toContain("Turn 1 unmarked")
  expect(await screen.text()).not.toContain("TURNS")
})
