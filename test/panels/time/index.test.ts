// Tests how a person goes through time, and that nothing can be sent from the past of a live run.
import { expect, test } from "bun:test"
import { locked } from "../../../src/panels/plan.ts"
import { planGoal } from "../../../src/panels/time/index.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { emptyView } from "../../../src/view/view.ts"
import { delta, event, line } from "../../run/lines.ts"
import { replay, show } from "../../screen/screen.tsx"
import { Planned, replaying } from "../planned.ts"
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
  expect(
    await walked(screen.pass(5000), back, "y", "escape", "s", second, "escape escape", "o", "enter"),
  ).toMatchSnapshot()
  for (const key of ["j", "k", "h", "l", "space", "tab", "enter", "escape", "e", "u", ".", ","]) screen.press(key)
  expect(sent(screen)).toEqual([])
})

test("time is stepped, counted, gone to, played and looped in a replay, from every view, and jumps are gone back", async () => {
  const views = await show({ link: replay, columns: 100, rows: 24 }, start, done, event(3, "llm/start", ids))
  const ticks = await show({ link: replay, columns: 100, rows: 24 })
  ticks.feed(...Array.from({ length: 10 }, (_, n) => event(n, "runner/tick")))
  const jumps = await show({ link: replay, columns: 100, rows: 24 }, start, event(2, "runner/tick"))
  const { run } = jumps.store.get()
  jumps.feed(event(3, "llm/error", { ...ids, message: "no more tea" }), event(4, "runner/tick"))
  const there: Step = ["there", () => jumps.store.dispatch({ type: "show", run })]
  const live = await show({ columns: 100, rows: 24 }, start, event(2, "app/note", {}))
  live.feed(event(3, "llm/error", { ...ids, message: "reset" }), event(4, "app/note", {}), delta(5, "x", ids))
  const commands = ["50%", "0%", "100%", "150%", "loop", "loop", "back to now", "+1s", "7", "#3", "12:00"]
  expect([
    await walked(views, ...["T", "$", "%"].flatMap(view => [`${view} escape ${view}`, ",", "space", "space", "."])),
    await walked(ticks, "5", ",", ...commands.map(text => `: '${text}' enter escape`), "3 .", "<", ">", "space", ">"),
    await walked(jumps, "ctrl-o", ": '50%' enter", there, "e", "ctrl-o", "ctrl-o", there, "2 .", "e", ",", "end"),
    // A live run plays by itself; then one frame before the error.
    await walked(live, ",", "space", "<", ">", "E", ","),
  ]).toMatchSnapshot()
  expect(jumps.store.get().time.present).toBeNull()
  expect(live.store.get().time).toMatchObject({ playing: false, speed: 1 })
})

test.each([
  [54, "F", " F the kettle"],
  [55, "F", " F the kettle                Enter accept   Esc cancel"],
  [50, "/", " / the kettle"],
  [50, "tab /", " / the kettle"],
])("what is typed into a row of %d columns by %s has all of it, or more than half", async (columns, keys, row) => {
  const screen = await show({ columns, rows: 10 }, start)
  screen.press(...keys.split(" ")).type("the kettle")
  expect((await screen.rows()).at(-1)?.trimEnd()).toBe(row)
})

test("playing on in a live run's past follows the log, and at its end leads back to the present", async () => {
  const screen = await show({}, event(1, "llm/start", ids))
  const { run } = screen.store.get()
  screen.store.dispatch({ type: "show", run })
  expect(screen.store.shown().isPast).toBe(true)
  expect(screen.press("space").store.shown().isPast).toBe(false)
  screen.feed(event(2, "app/note", {})).store.dispatch({ type: "show", run })
  expect(await screen.press(":").type("play/p").row("play/pause")).not.toContain("until you step back")
  screen.press("escape").store.dispatch({ type: "view", change: { log: { cursor: { epoch: 0, order: 0, nth: 0 } } } })
  const { time, view } = screen.press("space").store.get()
  expect([time.playing, view.log.cursor, screen.store.shown().isPast]).toEqual([true, null, true])
})

test("a goal is a moment or a condition, sought from then on; a row is gone to from its page, and the pages below stay", () => {
  const screen = new Planned(replaying, [start, done])
  screen.state = reduce(screen.state, { type: "time", change: { playing: true } })
  screen.state = reduce(screen.state, { type: "time", change: { speed: 3 } })
  expect([-1, 1].map(step => screen.ask({ type: "time/speed", step: step as 1 | -1 }).state.time.speed)).toEqual([2, 4])
  const goals = ["7", "e2/1", "error", "tokens>", "no\u001b[1mpe", "12:99"].map(
    text => `${text} → ${JSON.stringify(planGoal(shownState(screen.state), text, 0))}`,
  )
  expect(goals.join("\n")).toMatchSnapshot()
  const entry = { type: "entry", id: { epoch: 0, order: 1, nth: 0 }, top: 0 } as const
  const below = { type: "alerts", cursor: null } as const
  screen.state = reduce(screen.state, { type: "view", change: { focus: "text", overlays: [below, entry] } })
  const { overlays, focus } = screen.ask({ type: "time/row" }).view
  expect([overlays, focus]).toEqual([[below], "log"])
  expect(screen.effects).toEqual([{ type: "time/seek", moment: { type: "frame", frame: 1 } }])
  expect(screen.ask({ type: "time/row" }).said).toBe("No row of the log is open here")
})

test("what is sought in a page is typed below its text alone", async () => {
  const screen = await show({ columns: 80, rows: 24 }, start, done)
  const text = await screen.press("tab", "tab", "k", "enter", "/").text()
  expect(text.match(/text to find/g)).toHaveLength(1)
})
