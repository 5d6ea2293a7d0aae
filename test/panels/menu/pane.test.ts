// Tests the session menu: its actions, and the reasons of unavailable ones.
import { expect, test } from "bun:test"
import { event, line } from "../../run/lines.ts"
import { live, NOW, replay, show, URL } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const started = event(1, "llm/start", { invokeid: "poet", "session-id": "session/poet-1", model: "m" })
const attached = line({ kind: "debug", paused: false, "step-budget": 0 })

const open = ": 'actions for' enter"

test("the menu of a session leads to its transcript, a pause and a re-run, and says why one can't be had", async () => {
  const lost = { state: "lost", url: URL, since: NOW, retryAt: NOW, why: "closed", everOpen: true } as const
  const told: string[] = []
  for (const [link, rows, ...lines] of [
    [live, 24, attached, started],
    [live, 24, started],
    [replay, 24, attached, started],
    [lost, 24, attached, started],
    [{ ...lost, api: true }, 24, attached, started],
    [replay, 8, started],
    [live, 24],
  ] as const) {
    const screen = await show({ columns: rows === 8 ? 40 : 80, rows, link }, ...lines)
    told.push(await walked(screen, open, "j", "enter", "escape", open, "G enter", "escape escape", `${open} enter`))
  }
  // What stands beside it stays.
  const beside = await show({ columns: 80, rows: 24 }, attached, started)
  const more: Step = ["another", () => beside.feed(event(2, "llm/error", { invokeid: "judge", "session-id": "j" }))]
  told.push(await walked(beside, "T tab", `${open} j enter`, `${open} enter`, more, "escape"))
  expect(told.join("\n\n")).toMatchSnapshot()
})
