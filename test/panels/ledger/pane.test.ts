// Tests the view of cost: what was used, paid and waited for, by each way to ask.
import { describe, expect, test } from "bun:test"
import { event } from "../../run/lines.ts"
import { type Shown, show } from "../../screen/screen.tsx"

const poet = { invokeid: "poet", "session-id": "p", model: "small" }
const judge = { invokeid: "judge", "session-id": "j", model: "large" }
const usage = (input: number, cached: number, output: number, cost: number | null) => ({
  usage: { "input-tokens": input, "cached-tokens": cached, "output-tokens": output, ...(cost && { "cost-usd": cost }) },
})

function feed(screen: Shown): void {
  screen.feed(
    event(0, "runner/start-config", { config: ["writing"] }, 0),
    event(1, "llm/start", poet, 1000),
    event(2, "llm/response", { ...poet, ...usage(1000, 0, 100, 0.25) }, 3000),
    event(3, "llm/tool-result", { ...poet, tool: "look", "elapsed-ms": 500, "is-error": true }, 3500),
    event(4, "llm/start", poet, 4000),
    event(
      5,
      "llm/response",
      { ...poet, ...usage(2000, 1500, 50, 0.125), content: [{ type: "text", text: "rain" }] },
      5000,
    ),
    event(6, "runner/event-processed", { entered: ["judging"], "config-after": ["judging"] }, 5000),
    event(7, "llm/start", judge, 6000),
    event(8, "llm/response", { ...judge, ...usage(500, 0, 10, null) }, 7000),
  )
}

/** The words of the row that begins with this name. */
async function words(screen: Shown, name: string): Promise<readonly string[]> {
  const rows = await screen.rows()
  const row = rows.find(one => one.replace(/[│▸]/g, "").trim().startsWith(name)) ?? ""
  return row
    .replace(/[│▸]/g, "")
    .trim()
    .split(/\s{2,}/)
}

describe("the view of cost", () => {
  test("has at 120 columns what is known of each state's requests, tokens, waits and cost, and the run's below", async () => {
    const screen = await show({ columns: 120, rows: 30 })
    feed(screen)
    expect(await screen.press("$", "m").row("COST")).toContain("by state")
    const none = "–"
    expect((await words(screen, "state  ")).join(" ")).toBe("state requests in cached out models tools cost")
    expect(await words(screen, "writing")).toEqual(["writing", "2", "3,000", "50%", "150", "3.0s", "0.5s", "$0.3750"])
    expect(await words(screen, "judging")).toEqual(["judging", "1", "500", none, "10", "1.0s", none, none])
    expect(await words(screen, "run ")).toEqual(["run", "3", "3,500", "43%", "160", "4.0s", "0.5s", "$0.3750+"])
    expect(await screen.row("No prices")).toContain("No prices for 1 reply: start with --prices FILE")
  })

  test("lists with S by model, tool, invocation, session and turn, and Enter leads from a session to a turn", async () => {
    const screen = await show({ columns: 120, rows: 30 })
    feed(screen)
    expect((await words(screen.press("$", "m", "S", "j", "enter"), "small")).at(-1)).toBe("$0.3750")
    expect(await words(screen.press("S", "j", "enter"), "look")).toEqual(["look", "1", "1", "0.5s"])
    expect((await words(screen.press("S", "j", "enter"), "judge")).at(-1)).toBe("–")
    expect(await screen.press("S", "j", "enter").row("COST")).toContain("by session")
    expect(await screen.press("enter").row("COST")).toContain("by turn of poet")
    expect((await words(screen, "turn 2")).slice(0, 2)).toEqual(["turn 2", "small"])
    expect((await words(screen, "session")).at(-1)).toBe("$0.3750")
    screen.press("j", "enter")
    expect(await screen.text()).toMatch(/─ poet ─[\s\S]*└─ turn 2 of 2/)
  })

  test("keeps at 40 columns the name, the input and the cost", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    feed(screen)
    expect(await words(screen.press("$"), "writing")).toEqual(["writing", "3,000", "$0.3750"])
  })

  test("says that there is nothing yet", async () => {
    const screen = await show({ columns: 80, rows: 24 })
    expect(await screen.press("$", "S", "j", "j", "enter").row("no tool yet")).toBeDefined()
    expect(await screen.press("S", ..."jjjj", "enter").row("no turn with a figure for cost yet")).toBeDefined()
  })
})

test("the turns of all sessions come dearest first, S sorts by another column, and Enter leads to the turn", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  feed(screen)
  screen.press("$", "m", "S", ..."jjjjjj", "enter")
  expect(await screen.row("COST")).toContain("by any turn · most cost first")
  expect((await words(screen, "poet · turn 1")).at(-1)).toBe("$0.2500")
  screen.press("S", ..."jj", "enter")
  expect(await screen.row("COST")).toContain("most in first")
  const rows = await screen.rows()
  const order = rows.flatMap(row => row.match(/(poet|judge) · turn \d/)?.[0] ?? [])
  expect(order.slice(0, 3)).toEqual(["poet · turn 2", "poet · turn 1", "judge · turn 1"])
  expect(await screen.press("j", "j", "enter").row("─ judge")).not.toContain("COST")
})

test("the reader shows the session of the row under the cursor, and no page from before when $ closes", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  feed(screen)
  expect(await screen.press("k", "D").row("DATA")).toContain("llm/")
  expect(await screen.press("$", "S", ..."jjjj", "enter").row("COST")).toContain("─ poet ─")
  expect(await screen.press("j").row("COST")).toContain("─ judge ─")
  expect(await screen.press("$").row("NOW")).toContain("TEXT")
})
