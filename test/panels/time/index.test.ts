// Tests how a person goes through time, and that nothing can be sent from the past of a live run.
import { expect, test } from "bun:test"
import { locked } from "../../../src/panels/plan.ts"
import { emptyView } from "../../../src/view/view.ts"
import { event, line } from "../../run/lines.ts"
import { replay, show } from "../../screen/screen.tsx"
import { sent } from "../prompt/questions.ts"
import { type Step, walked } from "../steps.ts"

const ids = { invokeid: "poet", "session-id": "p" }
const start = event(1, "llm/start", ids)
const done = event(2, "llm/response", { ...ids, content: [] })
const debug = (paused: boolean, more: object = {}) => line({ kind: "debug", paused, "step-budget": 0, ...more })

test.each([
  ["s", debug(true)],
  ["c", debug(true)],
  ["p", debug(false)],
  ["b", debug(true, { mode: "paused-at-turn", "turn-index": 1 })],
  ["s", debug(true, { mode: "paused-at-turn", "turn-index": 1 })],
])("the key %s is locked in the past of a live run and says why", async (key, state) => {
  const screen = await show({}, start, state)
  const { run } = screen.store.get()
  screen.feed(done)
  screen.store.dispatch({ type: "show", run })
  expect((await screen.press(key).rows()).at(-1)).toContain(locked({ view: emptyView }))
  expect(sent(screen)).toEqual([])
  // In the present the same key works.
  expect(sent(screen.press("end", key))).toHaveLength(1)
})

test("Esc Esc, answers and re-runs are locked in the past of a live run, and a question waits in the badge", async () => {
  const screen = await show({ columns: 100, rows: 24 }, start, done, debug(false))
  const { run } = screen.store.get()
  const prompt = { kind: "prompt", "prompt-id": "q#1", invokeid: "poet", type: "confirm", question: "Go on?" }
  screen.feed(event(3, "llm/start", ids), line(prompt))
  const back: Step = ["into the past", () => screen.store.dispatch({ type: "show", run })]
  const second: Step = ["a second later", () => screen.pass(1000)]
  expect(await walked(screen.pass(5000), back, "y", "escape", second, "escape escape", "o", "enter")).toMatchSnapshot()
  for (const key of ["j", "k", "h", "l", "space", "tab", "enter", "escape", "e", "u", ".", ","]) screen.press(key)
  expect(sent(screen)).toEqual([])
})

test("time is stepped, counted, gone to, played and looped in a replay, from every view, and jumps are gone back", async () => {
  const views = await show({ link: replay, columns: 100, rows: 24 }, start, done, event(3, "llm/start", ids))
  const ticks = await show({ link: replay, columns: 100, rows: 24 })
  ticks.feed(...Array.from({ length: 10 }, (_, n) => event(n, "runner/tick")))
  const jumps = await show(
    { link: replay, columns: 100, rows: 24 },
    event(1, "llm/start", ids),
    event(2, "runner/tick"),
  )
  const { run } = jumps.store.get()
  jumps.feed(event(3, "llm/error", { ...ids, message: "no more tea" }), event(4, "runner/tick"))
  const live = await show({ columns: 100, rows: 24 }, start, event(2, "app/note", {}))
  live.feed(event(3, "llm/error", { ...ids, message: "reset" }), event(4, "app/note", {}))
  const commands = ["50%", "0%", "100%", "150%", "loop", "loop", "back to now", "+1s", "7", "#3", "12:00"]
  expect([
    await walked(views, ...["T", "$", "%"].flatMap(view => [`${view} escape ${view}`, ",", "space", "space", "."])),
    await walked(ticks, "5", ",", ...commands.map(text => `: '${text}' enter escape`), "3 .", "<", ">", "space", ">"),
    await walked(
      jumps,
      "ctrl-o",
      ": '50%' enter",
      ["there", () => jumps.store.dispatch({ type: "show", run })],
      "e",
      "ctrl-o",
      "ctrl-o",
    ),
    // A live run plays by itself; then one frame before the error.
    await walked(live, "space", "<", ">", "E", ","),
  ]).toMatchSnapshot()
  expect(jumps.store.get().time.present).toBeNull()
  expect(live.store.get().time).toMatchObject({ playing: false, speed: 1 })
})

test.each([
  [54, " F the kettle"],
  [55, " F the kettle                Enter accept   Esc cancel"],
])("what is typed into a row of %d columns has all of it, or more than half", async (columns, row) => {
  const screen = await show({ columns, rows: 10 }, start)
  expect((await screen.press("F").type("the kettle").rows()).at(-1)?.trimEnd()).toBe(row)
})

test("playing on at the end of a live run's past leads back to the present", async () => {
  const screen = await show({}, event(1, "llm/start", ids))
  screen.store.dispatch({ type: "show", run: screen.store.get().run })
  expect(screen.store.shown().isPast).toBe(true)
  expect(screen.press("space").store.shown().isPast).toBe(false)
})
