// Tests how a person moves through the panes, and what each keeps.
import { describe, expect, test } from "bun:test"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { promptKey } from "../../src/run/model/id.ts"
import type { Direction, Fold } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { shownState } from "../../src/view/store.ts"
import { delta, event, groupAt, idAt, line } from "../run/lines.ts"
import { debug, op, open, Planned, replaying } from "./planned.ts"

/** The place of a text that stays at its end. */
const END = Number.MAX_SAFE_INTEGER

describe("the selection in the live pane", () => {
  const sixty = Array.from({ length: 60 }, (_, i) => event(i, "llm/start", { invokeid: `i${i}`, "session-id": "s" }))
  const row = (screen: Planned) => sessionOf(screen.state.run, screen.view.list.selected)

  test("reaches all of 60 rows by key and stops at the ends", () => {
    const screen = new Planned(open, sixty)
    screen.move({ unit: "first" })
    for (let i = 0; i < 60; i++) {
      expect(row(screen)).toBe(i)
      screen.move({ unit: "row", count: 1 })
    }
    expect(row(screen)).toBe(59)
    expect(row(screen.move({ unit: "page", count: -1 }))).toBe(50)
    expect(row(screen.move({ unit: "half", count: -1 }))).toBe(45)
    expect(row(screen.move({ unit: "first" }))).toBe(0)
    expect(row(screen.move({ unit: "row", count: -1 }))).toBe(0)
    expect(row(screen.move({ unit: "last" }))).toBe(59)
  })

  test("follows the working session until a person chooses, and again after End", () => {
    const screen = new Planned(open, sixty.slice(0, 2))
    expect(row(screen)).toBe(1)
    screen.tell(event(60, "llm/response", { invokeid: "i1", "session-id": "s" }))
    expect(row(screen)).toBe(0)
    screen.move({ unit: "last" }).tell(event(61, "llm/start", { invokeid: "i9", "session-id": "s" }))
    expect(row(screen)).toBe(1)
    screen.move({ unit: "follow" }).tell(event(62, "llm/response", { invokeid: "i9", "session-id": "s" }))
    expect(row(screen)).toBe(0)
  })

  test("moves over groups and their sessions, and skips folded ones", () => {
    const of = (invokeid: string, id: string, seq: number) => event(seq, "llm/start", { invokeid, "session-id": id })
    const screen = new Planned(open, [of("g", "1", 0), of("g", "2", 1), of("h", "3", 2)]).move({ unit: "first" })
    const { run } = screen.state
    expect(screen.view.list.selected).toEqual({ type: "group", invocation: groupAt(run, 0) })
    screen.move({ unit: "row", count: 1 }).ask({ type: "cursor/fold", to: "fold" })
    expect(screen.view.list.folded).toEqual([groupAt(run, 0)])
    expect(screen.view.list.selected).toEqual({ type: "group", invocation: groupAt(run, 0) })
    const { selected } = screen.move({ unit: "row", count: 1 }).view.list
    expect(selected).toEqual({ type: "session", session: idAt(run, 2) })
    expect(liveRows(shownState(screen.state), 40).rows).toHaveLength(2)
    screen.move({ unit: "first" }).ask({ type: "cursor/fold", to: "unfold" })
    expect(screen.view.list.folded).toEqual([])
  })

  test("folds each group once, all of them at once, and no session that is alone", () => {
    const all = ["i", "g", "g", "h", "h"].map((invokeid, i) =>
      event(i, "llm/start", { invokeid, "session-id": `${i}` }),
    )
    const screen = new Planned(open, all)
    const [g, h] = [groupAt(screen.state.run, 1), groupAt(screen.state.run, 2)]
    const fold = (to: Fold) => screen.ask({ type: "cursor/fold", to }).view.list
    // The selection follows who works, until a person folds.
    expect(screen.view.list).toMatchObject({ selected: { session: idAt(screen.state.run, 4) }, pinned: false })
    expect(fold("fold")).toMatchObject({ folded: [h], pinned: true, selected: { type: "group", invocation: h } })
    expect(fold("fold").folded).toEqual([h])
    expect([fold("all").folded, fold("all").folded, fold("unfold").unfolded]).toEqual([[g, h], [], [h]])
    expect(fold("unfold").unfolded).toEqual([h])
    expect(fold("fold")).toMatchObject({ folded: [], unfolded: [] })
    screen.move({ unit: "first" })
    expect(fold("fold")).toMatchObject({ folded: [], unfolded: [] })
    expect(screen.move({ unit: "follow" }).view.list).toMatchObject({ pinned: false })
    expect(row(screen)).toBe(4)
    screen.ask({ type: "find/begin" }).ask({ type: "typing/text", text: " g " }).ask({ type: "typing/take" })
    expect(screen.view.list.filter).toBe("g")
  })

  test("shows the end of another session's text when it moves, and keeps its place otherwise", () => {
    const screen = new Planned(open, sixty).ask({ type: "pane/next", step: 1 })
    screen.lines = 100
    screen.move({ unit: "row", count: -15 })
    expect(screen.textTop).toBe(84)
    screen.ask({ type: "pane/next", step: -1 }).move({ unit: "last" })
    expect(screen.textTop).toBe(84)
    expect(screen.move({ unit: "row", count: -1 }).textTop).toBe(null)
  })
})

describe("the log", () => {
  const events = (from: number, count: number) => Array.from({ length: count }, (_, i) => event(from + i, "some/event"))
  const place = (seq: number) => ({ epoch: 0, order: seq, nth: 0 })
  const inLog = (screen: Planned) => screen.ask({ type: "pane/next", step: -1 })

  test("follows its end until the cursor moves, then keeps its rows while others arrive", () => {
    const screen = inLog(new Planned(open, events(0, 600)))
    expect(screen.view).toMatchObject({ focus: "log", log: { cursor: null } })
    screen.move({ unit: "row", count: -1 })
    expect(screen.view.log.cursor).toEqual(place(598))
    screen.tell(...events(600, 500))
    expect(screen.view.log.cursor).toEqual(place(598))
    expect(screen.view.log.seenTo).toEqual(place(599))
    expect(screen.move({ unit: "first" }).view.log.cursor).toEqual(place(0))
    expect(screen.view.log.seenTo).toEqual(place(599))
    expect(screen.move({ unit: "last" }).view.log.cursor).toEqual(place(1099))
    expect(screen.move({ unit: "follow" }).view.log.cursor).toBe(null)
  })

  test("opens the entry under the cursor, or the last one, and scrolls it", () => {
    const screen = inLog(new Planned(open, events(0, 513)))
    expect(screen.ask({ type: "cursor/open" }).view.overlays).toEqual([{ type: "entry", id: place(512), top: 0 }])
    screen.lines = 30
    expect(screen.move({ unit: "page", count: 1 }).view.overlays).toMatchObject([
      { type: "entry", id: place(512), top: 9 },
    ])
    expect(screen.move({ unit: "last" }).view.overlays).toMatchObject([{ type: "entry", id: place(512), top: END }])
    expect(screen.move({ unit: "row", count: 1 }).view.overlays).toMatchObject([
      { type: "entry", id: place(512), top: 20 },
    ])
    expect(inLog(new Planned(open)).ask({ type: "cursor/open" }).view.overlays).toEqual([])
  })

  test("opens the last entry also if a healed gap left whole chunks", () => {
    const rows = [event(0, "zero"), ...events(2, 510), event(600, "last")]
    const screen = inLog(new Planned(open, rows)).tell(event(1, "one"))
    const gapless = screen.tell(...Array.from({ length: 88 }, (_, i) => delta(512 + i, "x")))
    expect(gapless.state.run.log.rows.length).toBe(513)
    expect(gapless.ask({ type: "cursor/open" }).view.overlays).toHaveLength(1)
  })
})

test("in the past of a run what belongs to its question is done, a menu moves, and nothing is sent", () => {
  const screen = new Planned(open, [event(0, "runner/started")])
  screen.state = reduce(screen.state, { type: "show", run: screen.state.run })
  screen.tell(line({ kind: "prompt", "prompt-id": "p", type: "text" }))
  const [{ key } = { key: promptKey("p", null) }] = screen.state.run.prompts
  const draft = () => screen.view.questions.drafts.map(({ text }) => text)
  expect([screen.ask({ type: "prompt/text", key, text: "a" }) && draft()]).toEqual([["a"]])
  screen.ask({ type: "prompt/edited", key, edited: { type: "edited", text: "b", kept: null } })
  expect(draft()).toEqual(["b"])
  const heldAnswer = { key, command: { type: "cancel", promptId: "p" }, words: "", until: 0 } as const
  screen.state = reduce(screen.state, { type: "view", change: { questions: { heldAnswer } } })
  expect(screen.ask({ type: "prompt/release" }).sent).toEqual([{ type: "cancel", promptId: "p" }])
  expect([screen.ask({ type: "program/interrupt" }).sent, screen.said]).toEqual([
    [],
    "You're in the past. End returns to live",
  ])
  const [menu] = screen.ask({ type: "sort/open" }).move({ unit: "follow" }).view.overlays
  expect(menu).not.toMatchObject({ cursor: 0 })
  expect(shownState(screen.state).isPast).toBe(true)
})

test("Tab goes round the places, or between text and log where the list would have one row, and home is alone", () => {
  const started = ["a", "b"].map((invokeid, i) => event(i, "llm/start", { invokeid, "session-id": invokeid }))
  const round = (screen: Planned, step: Direction) =>
    Array.from({ length: 4 }, () => screen.ask({ type: "pane/next", step }).view.focus)
  const chart = event(9, "runner/started", { "chart-id": ":claude" })
  const [alone, screen] = [new Planned(open, [chart, ...started.slice(0, 1)]), new Planned(open, started)]
  expect(round(alone, 1)).toEqual(["log", "text", "log", "text"])
  expect(round(screen, -1)).toEqual(["log", "text", "live", "log"])
  const { state } = screen
  expect(screen.ask({ type: "pane/focus", pane: "log" }).state).toBe(state)
  expect(screen.ask({ type: "pane/focus", pane: "text" }).view.focus).toBe("text")
  screen.state = reduce(screen.state, { type: "view", change: { focus: "home" } })
  expect(round(screen, 1)[0]).toBe("home")
  screen.ask({ type: "pane/maximize" })
  expect([screen.view.maximized, screen.said]).toEqual([true, ""])
  screen.isTiny = true
  screen.ask({ type: "pane/maximize" })
  expect([screen.view.maximized, screen.said]).toEqual([true, "Already full screen · Tab goes on"])
})

test("what is typed for a line that is no more in front is passed over", () => {
  const screen = new Planned(open).ask({ type: "search/begin" })
  screen.ask({ type: "typing/text", text: "late", to: "filter" })
  expect(screen.view.typing).toMatchObject({ to: "run-search", text: "" })
  expect(screen.ask({ type: "typing/text", text: "x", to: "run-search" }).view.typing?.text).toBe("x")
})

test("a read-only screen moves and opens what is asked for, and says why it sends nothing", () => {
  const screen = new Planned(open, [debug])
  screen.state = reduce(screen.state, { type: "view", change: { setup: { readOnly: true } } })
  expect(screen.ask({ type: "waterfall/toggle" }).view.overlays).toEqual([{ type: "waterfall" }])
  expect([screen.ask(op("pause")).sent, screen.said]).toEqual([[], "Nothing is sent: this screen is read-only"])
  const recorded = new Planned(replaying, [debug])
  recorded.state = reduce(recorded.state, { type: "view", change: { setup: { readOnly: true } } })
  expect(recorded.ask(op("pause")).said).not.toContain("read-only")
})
