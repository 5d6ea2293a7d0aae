// Tests the view of cost: what was used, paid and waited for, by each way to ask.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { readPrices } from "../../../src/cli/option-value.ts"
import { features } from "../../../src/panels/plan.ts"
import { createStore } from "../../../src/view/store.ts"
import { root } from "../../fixtures.ts"
import { event, tell } from "../../run/lines.ts"
import { live, type Shown, SIZES, show } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const poet = { invokeid: "poet", "session-id": "p", model: "small" }
const judge = { invokeid: "judge", "session-id": "j", model: "large" }
const usage = (input: number, cached: number, output: number, cost: number | null) => ({
  usage: { "input-tokens": input, "cached-tokens": cached, "output-tokens": output, ...(cost && { "cost-usd": cost }) },
})

const FRAMES = [
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
]
const feed = (screen: Shown) => screen.feed(...FRAMES)

test.each(SIZES)(
  "the view of cost lists what was used by each way to ask, and Enter leads to a turn, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows })
    feed(screen)
    const next = "S j enter"
    const steps = ["$ m", "j", next, next, "j", next, "j", next, "enter", "j", "enter", "$", "k D"]
    expect(await walked(screen, ...steps)).toMatchSnapshot()
  },
)

test("the turns of all sessions come dearest first, S sorts by another column or by none, and Enter leads to the turn", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  feed(screen)
  const byIn = "S j j enter"
  const turns = Array.from({ length: 30 }, (_, i) => [
    event(9 + 2 * i, "llm/start", judge, 8000),
    event(10 + 2 * i, "llm/response", { ...judge, ...usage(3000 + i, 0, 1, null) }, 9000),
  ])
  const many: Step = ["30 more turns", () => screen.feed(...turns.flat())]
  const past: Step = ["the past", () => screen.store.dispatch({ type: "show", run: tell(FRAMES.slice(0, 4)) })]
  const steps = ["$ m S j j j j j j enter", byIn, "j j enter", "$ $", "S", "enter", "S g enter", "$ m"]
  expect(
    await walked(screen, ...steps, "S escape", "S G enter", "S G", many, "escape G", past, "g enter"),
  ).toMatchSnapshot()
})

test("what is not there yet is named, and prices that are known are not asked for", async () => {
  const screen = await show({ columns: 80, rows: 24 })
  const told = await walked(screen, "$", "S j j enter", "S j j j j enter", "enter", "j")
  const prices = readPrices(join(root, "fixtures/failing-run/prices.json"))
  const store = createStore({ ...features, link: live, given: { prices } })
  const priced = await show({ columns: 80, rows: 24, store })
  feed(priced)
  expect([told, await walked(priced, "$ m")].join("\n")).toMatchSnapshot()
})

test("columns leave with their room, the least told first, and the notes below the sum with the rows", async () => {
  const screen = await show({ columns: 112, rows: 20 })
  feed(screen)
  // What the second reply tells makes the figures of the first a guess.
  for (const [i, cached] of [300, 4000].entries()) {
    const usage = { "input-tokens": 500, "cache-read-input-tokens": cached, "output-tokens": 10 }
    screen.feed(
      event(9 + 2 * i, "llm/start", judge, 8000),
      event(10 + 2 * i, "llm/response", { ...judge, usage }, 9000),
    )
  }
  screen.press("$", "S", ..."jjjj", "enter", "m")
  const told = (await screen.rows()).slice(-4, -1)
  for (const size of [112, 81, 80, 71, 70, 63, 62, 55, 54, 47, 46, -13, -12]) {
    screen.resize(size < 0 ? 112 : size, size < 0 ? -size : 20)
    const [, , heading = "", first = "", ...rows] = await screen.rows()
    const named = / small /.test(first) ? "its model" : "no model"
    const notes = rows.at(-3)?.includes("No prices") === true ? "notes" : "no notes"
    told.push(`${size}: ${heading.replaceAll(/[│ ]+/g, " ").trim()}, ${named}, ${notes}`)
  }
  expect(told.join("\n")).toMatchSnapshot()
})

test("the reader shows the session of the row under the cursor, and no page from before when $ closes", async () => {
  const screen = await show({ columns: 120, rows: 30 })
  feed(screen)
  const unpinned: Step = [
    "unpinned",
    () => screen.store.dispatch({ type: "view", change: { list: { pinned: false } } }),
  ]
  // A session is read at its end, which the reader follows.
  expect(await walked(screen, "k D", "$ S j j j j enter", "j", unpinned, "enter", "$")).toMatchSnapshot()
  expect(screen.store.get().view.list.pinned).toBe(true)
})

await testWalks("ledger")
