// Tests the view of time and its keys.
import { expect, test } from "bun:test"
import { cursors } from "../../../src/panels/common/views.ts"
import { waterfallPanel } from "../../../src/panels/waterfall/index.ts"
import { onSession, waterfallNow } from "../../../src/panels/waterfall/update.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { shownState } from "../../../src/view/store.ts"
import { changed } from "../../../src/view/view.ts"
import { fixture, readFrames } from "../../fixtures.ts"
import { delta, event } from "../../run/lines.ts"
import { live, NOW, replay, type Shown, SIZES, show } from "../../screen/screen.tsx"
import { open, Planned, replaying } from "../planned.ts"
import { type Step, walked } from "../steps.ts"

const poet = { invokeid: "poet", "session-id": "p" }
const judge = { invokeid: "judge", "session-id": "j" }
const BEGIN = NOW - 100_000

function feed(screen: Shown): void {
  const call = { type: "tool-use", id: "t", name: "look", input: {} }
  screen.feed(
    event(0, "runner/start-config", { config: ["writing"] }, BEGIN),
    event(1, "llm/start", poet, BEGIN),
    delta(2, "x", { ...poet, ts: BEGIN + 20_000 }),
    event(3, "llm/response", { ...poet, content: [{ type: "text", text: "the first" }, call] }, BEGIN + 40_000),
    event(4, "llm/tool-result", { ...poet, tool: "look" }, BEGIN + 60_000),
    event(5, "llm/start", poet, BEGIN + 60_000),
    event(6, "llm/response", { ...poet, content: [{ type: "text", text: "the second" }] }, BEGIN + 70_000),
    event(7, "llm/worker-exit", { ...poet, reason: "done" }, BEGIN + 70_000),
    event(8, "runner/event-processed", { entered: ["judging"], "config-after": ["judging"] }, BEGIN + 70_000),
    event(9, "llm/start", judge, BEGIN + 70_000),
    event(10, "llm/error", { ...judge, message: "no" }, BEGIN + 90_000),
    event(11, "human-input/start", { ...judge, kind: "text", prompt: "Go on?" }, BEGIN + 92_000),
    event(12, "human-input/answer", { ...judge, kind: "text", answer: "no" }, BEGIN + 98_000),
    event(13, "runner/done", { "final-config": ["judging"] }, BEGIN + 100_000),
  )
}

test.each(SIZES)(
  "the view of time has the states, a bar for each session, the turn that is chosen, at %dx%d",
  async (columns, rows) => {
    const screen = await show({ columns, rows })
    feed(screen)
    // The second turn lasts from 1:00 to 1:10, the first until then, and the run until 1:40.
    const steps = ["T m g", "j", "k", "[ t", "[ t", "z", "] t", "] t", "h", "h", "l", "z", "[ t enter", "T", "T"]
    expect(await walked(screen.pass(60_000), ...steps)).toMatchSnapshot()
  },
)

test("a session with a refused reply or a failed tool is marked, and so is its turn in words", async () => {
  const screen = await show({ columns: 100, rows: 30 })
  screen.feed(
    event(null, "llm/user-message", { ...poet, text: "Go" }, BEGIN - 9000),
    event(0, "llm/start", poet, BEGIN),
    event(1, "llm/tool-result", { ...poet, tool: "look", "is-error": true }, BEGIN + 10_000),
    event(2, "llm/start", judge, BEGIN + 10_000),
    event(3, "llm/response", { ...judge, "stop-reason": "refusal", content: [] }, BEGIN + 20_000),
    event(4, "llm/start", { invokeid: "critic", "session-id": "c" }, BEGIN + 20_000),
    event(5, "llm/start", { invokeid: "late", "session-id": "l" }, null),
    event(6, "app/note", {}, BEGIN + 30_000),
  )
  const clock: Step = ["ten seconds pass", () => screen.pass(10_000).link(Object.assign({}, live))]
  const sizes = [84, 83, 76, 75, 54, 53].map((wide): Step => [`${wide} columns`, () => screen.resize(wide, 30)])
  const low = [12, 11, 10, 9, 8, 7].map((rows): Step => [`${rows} rows`, () => screen.resize(84, rows)])
  const steps = ["T m g", "[ t", "j", "j", "j", clock, "] t", "k k", ...sizes, ...low]
  const none = await show({ columns: 80, rows: 24 }, event(0, "app/note", {}, BEGIN))
  expect([await walked(screen, ...steps, "enter"), await walked(none, "T m")]).toMatchSnapshot()
})

test("the earlier moment of a run is marked on the axis beside its tick, and what began later can't be opened", async () => {
  const screen = await show({ columns: 120, rows: 40 })
  feed(screen)
  const { run } = screen.store.get()
  // A second more moves the ticks from the first column of their part.
  screen.feed(event(14, "app/note", {}, NOW + 1000))
  for (const moment of [30_000, 60_000]) {
    screen.store.dispatch({ type: "show", run: { ...run, lastTs: BEGIN + moment } })
    expect(await screen.press("T").row("↓")).toContain(`↓${moment / 1000}`)
    screen.press("escape")
  }
  // The mark covers the unit of the last tick at some of these moments, and stands at the end of the axis.
  for (let moment = 80_000; moment <= 101_000; moment += 1500) {
    screen.store.dispatch({ type: "show", run: { ...run, lastTs: BEGIN + moment } })
    expect(await screen.press("T").row("↓")).toMatch(/60[ ↓].*90 s[ ↓│]/)
    screen.press("escape")
  }
  const past = await show({ columns: 120, rows: 40 })
  past.feed(event(1, "llm/start", poet, BEGIN))
  const before = past.store.get().run
  feed(past)
  past.store.dispatch({ type: "show", run: before })
  expect(await walked(past, "T m", "] t enter", "z", "z", "j", "enter", "k enter")).toMatchSnapshot()
})

test("of the states that were entered within one column the last is named, and close ones are marks", async () => {
  const enter = (seq: number, state: string, ms: number) =>
    event(seq, "runner/event-processed", { entered: ["outer", state], "config-after": [state] }, BEGIN + ms)
  const states = ["first", "second", "third", "a", "b", "the next"].map((name, i) =>
    enter(i + 2, name, [30_000, 30_010, 30_020, 40_000, 42_000, 60_000][i] ?? 0),
  )
  const screen = await show({ columns: 120, rows: 40 }, event(1, "llm/start", poet, BEGIN), ...states)
  const more = [enter(9, "x-".repeat(50), 80_000), event(10, "app/note", {}, NOW)]
  const long: Step = ["a long name", () => screen.feed(...more)]
  expect(await walked(screen, "T", long, "m", "[ s [ s")).toMatchSnapshot()
})

test("the name of an invocation is cut, never the number of a sibling; ASCII has marks of its own", async () => {
  const screen = await show({ columns: 80, rows: 24, ascii: true })
  feed(screen)
  for (const n of [20, 21]) {
    const ids = { invokeid: "writers-of-poems", "session-id": `session/writers.${n}.7f3a9c21-5b0e` }
    screen.feed(event(n, "llm/start", ids), event(n + 50, "llm/response", { ...ids, content: [] }))
  }
  expect(await walked(screen, "T m")).toMatchSnapshot()
})

test("another session is read from its end and at no chosen turn, as is one whose rows come anew", () => {
  const screen = new Planned(open, [event(1, "llm/start", poet, BEGIN), event(2, "llm/start", judge, BEGIN)])
  const { view } = screen
  const text = { ...view.reader.text, at: { block: "0", row: 1 } }
  const chosen = changed(view, { ...cursors.put(view, { timeTurn: 2 }), reader: { text } })
  const moved = changed(chosen, onSession({ ...shownState(screen.state), view: chosen }, 1))
  const refilled = waterfallPanel.follow(chosen, { type: "refilled" })
  expect([chosen, moved, refilled].map(one => cursors.of(one).timeTurn)).toEqual([2, null, null])
  expect([moved.reader.text.at, moved.list.pinned, refilled.reader.text]).toEqual([null, true, text])
})

test("the clock of the time view runs on only while a live run does and nobody is in the past", () => {
  const lines = [event(1, "llm/start", poet, BEGIN)]
  const over = event(2, "runner/done", {}, BEGIN + 5)
  const past = new Planned(open, lines)
  past.state = reduce(past.state, { type: "show", run: past.state.run })
  const all = [new Planned(open, lines), past, new Planned(replaying, lines), new Planned(open, [...lines, over])]
  const clocks = [...all, new Planned(open, [])].map(
    ({ state }) => waterfallNow(shownState(state), BEGIN + 9000) - BEGIN,
  )
  expect(clocks).toEqual([9000, 0, 0, 5, 9000])
  expect(waterfallNow(shownState(new Planned(open, lines).state), BEGIN - 1)).toBe(BEGIN)
})

test("the ends of a part are told, of one of less than ten seconds to the millisecond", async () => {
  const screen = await show({ link: replay }, ...(await readFrames(fixture("demo"))))
  expect(await screen.press("T", "k", "z", "m").row("TIME")).toContain("· +00:22.973 to +00:30.272 ─")
  expect(await screen.press("g", "[", "t", "[", "t").row("TIME")).toContain("· 00:00 to 00:16 ─")
})

test.each([
  [120, 40, 3],
  [80, 24, 4],
  [80, 24, 5],
])(
  "above more sessions than rows stands how many of each invocation worked, where they are few, at %dx%d",
  async (columns, rows, poets) => {
    const screen = await show({ columns, rows, link: replay })
    // 60 sessions of so many poets, each of 10 s, one after the other.
    for (let n = 0; n < 60; n++) {
      const ids = { invokeid: `poet-${Math.floor((n * poets) / 60)}`, "session-id": `p${n}` }
      screen.feed(event(2 * n, "llm/start", ids, BEGIN + n * 10_000))
      screen.feed(event(2 * n + 1, "llm/error", { ...ids, message: "no" }, BEGIN + n * 10_000 + 10_000))
    }
    const click: Step = ["a click on the third", () => screen.click("   poet-2   ")]
    expect(await walked(screen, "T m", ...(poets === 3 ? [click] : []), "g pagedown", "G z")).toMatchSnapshot()
  },
)
