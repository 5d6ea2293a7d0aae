// Tests how a person moves through the panes, and what each keeps.
import { describe, expect, test } from "bun:test"
import { liveRows } from "../../src/panels/common/session-rows.ts"
import { reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import { shownState } from "../../src/view/store.ts"
import { delta, event, groupAt, idAt } from "../run/lines.ts"
import { debug, op, open, Planned } from "./planned.ts"

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

test("a read-only screen moves and opens what is asked for, and says why it sends nothing", () => {
  const screen = new Planned(open, [debug])
  screen.state = reduce(screen.state, { type: "view", change: { setup: { readOnly: true } } })
  expect(screen.ask({ type: "waterfall/toggle" }).view.overlays).toEqual([{ type: "waterfall" }])
  expect([screen.ask(op("pause")).sent, screen.said]).toEqual([[], "Nothing is sent: this screen is read-only"])
})
