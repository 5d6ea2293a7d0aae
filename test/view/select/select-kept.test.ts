// Keeps which rows of the log are shown, which session is read, and which overlay has the focus.
import { describe, expect, test } from "bun:test"
import { noFilters, withFilter } from "../../../src/query/filters.ts"
import { rowIdOf } from "../../../src/run/identity/find-by-id.ts"
import { at } from "../../../src/run/model/chunked-list.ts"
import type { Run } from "../../../src/run/model/run.ts"
import * as reading from "../../../src/view/block-reading.ts"
import type { PaneId } from "../../../src/view/pane-names.ts"
import { reduce } from "../../../src/view/reduce.ts"
import * as logRows from "../../../src/view/select/log-rows.ts"
import * as shownSessions from "../../../src/view/select/shown-session.ts"
import * as stack from "../../../src/view/select/stack.ts"
import * as states from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { changed, emptyView, type Overlay, type View, type ViewChange } from "../../../src/view/view.ts"
import { open } from "../../panels/planned.ts"
import { read } from "../../query/filter/parsed.ts"
import { delta, event, groupAt, idAt, line, rowsOf, tell } from "../../run/lines.ts"

const started = event(0, "runner/started")
const start = (seq: number, id: string, invokeid = "a") => event(seq, "llm/start", { invokeid, "session-id": id })
const exit = (seq: number, id: string, invokeid = "a") =>
  event(seq, "llm/worker-exit", { invokeid, "session-id": id, reason: "done" })
const note = line({ kind: "sidecar", at: 1, what: "parser", why: "x" })
const asks = line({ kind: "prompt", "prompt-id": "q", invokeid: "b", type: "text", opts: { prompt: "?" } })

describe("the rows of the log", () => {
  const run = tell([started, ...[1, 2, 3, 4, 5, 6].map(seq => event(seq, seq % 2 === 0 ? "app/even" : "app/odd"))])
  const past = tell([started, event(1, "app/odd"), event(2, "app/even")])
  const of = (change: ViewChange, moment: Run | null = null) => {
    const state = reduce({ ...states.emptyState(open), run }, { type: "view", change })
    return shownState(reduce(state, { type: "show", run: moment }))
  }
  const even = { filters: withFilter(noFilters, read("event=app/even"), "", null) }
  const cursor = (index: number) => {
    const row = at(run.log.rows, index)
    return row === undefined ? null : rowIdOf(run, row)
  }
  test("are counted and stepped through as filters and the moment leave them", () => {
    const all = (
      [
        ["all", of({})],
        ["even", of({ log: even })],
        ["cursor 3", of({ log: { cursor: cursor(3) } })],
        ["even, cursor 3", of({ log: { ...even, cursor: cursor(3) } })],
        ["past", of({}, past)],
        ["even, past", of({ log: even }, past)],
        ["past, with a gap", of({}, tell([started, event(3, "app/odd")]))],
        ["before all", of({}, tell([line({ kind: "phase", config: [] })]))],
        ["part", of({ log: { filters: { ...even.filters, scanned: { from: 1, to: 3 } } } })],
      ] as const
    ).map(([what, state]) => {
      const { followsEnd, cursorPlace, cursorIndex, momentRows, shownAfter, shownFrom } = logRows
      const after = [-Infinity, -9, -2, -1, 0, 1, 2, 9, Infinity].map(count => shownAfter(state, 3, count))
      const from = [shownFrom(state, 0, 3), shownFrom(state, 3, 2), shownFrom(state, 6, 9, -1)]
      const places = [followsEnd(state), cursorPlace(state), cursorIndex(state), momentRows(state)]
      return [what, ...places, JSON.stringify(after), JSON.stringify(from)].join(" ")
    })
    const [row] = rowsOf(run)
    const on =
      row === undefined
        ? []
        : [of({}), of({ log: { seenTo: cursor(1) } }), of({ log: { cursor: cursor(2), seenTo: cursor(1) } })].map(
            state => JSON.stringify(logRows.cursorOn(state, row)),
          )
    expect(
      [...all, ...on, JSON.stringify([run, tell([note]), tell([])].map(logRows.lastRowId))].join("\n"),
    ).toMatchSnapshot()
  })
})

test("the session that is read: the asker's, the reader's or the selected one", () => {
  const run = tell([
    started,
    ...["r", "s", "t"].map((id, i) => start(1 + i, id)),
    start(4, "u", "b"),
    ...["r", "s"].map((id, i) => delta(5 + i, "x", { "session-id": id })),
    exit(7, "t"),
  ])
  const group = { type: "group", invocation: groupAt(run, 0) } as const
  const session = { type: "session", session: idAt(run, 2) } as const
  const other = { type: "session", session: idAt(run, 3) } as const
  const text = { ...reading.unread, session: idAt(run, 1), find: "f" }
  const seen = (lines: Parameters<typeof tell>[0], view: ViewChange) => {
    const state = shownState({ ...states.emptyState(open), run: tell(lines, run), view: changed(emptyView, view) })
    const { shownSession, readSession, logIsBehind, readText } = shownSessions
    const told = [shownSession(state), readSession(state), logIsBehind(state), readText(state).find, state.missingTexts]
    return JSON.stringify(told)
  }
  const status = [{ type: "status", top: 0 }] as const
  const views: readonly ViewChange[] = [
    {},
    { list: { selected: group } },
    { list: { selected: session } },
    { list: { selected: session }, focus: "log" },
    { list: { selected: other }, reader: { reads: "row", text } },
    { list: { selected: session }, reader: { reads: "asker", text }, overlays: status },
    { list: { selected: session }, reader: { reads: "selection", text: { ...text, session: idAt(run, 2) } } },
    { list: { selected: session }, questions: { promptHidden: true } },
    { list: { selected: session }, overlays: [...status, { type: "palette" }] },
  ]
  const rows = views.flatMap(view =>
    [
      seen([], view),
      seen([asks], view),
      seen([exit(8, "s")], view),
      seen([line({ kind: "prompt", "prompt-id": "z", invokeid: "nobody", type: "text", opts: {} })], view),
    ].join(" "),
  )
  expect(rows.join("\n")).toMatchSnapshot()
  const called = { invokeid: "a", "session-id": "w", content: [{ type: "tool_use", id: "1", name: "ls", input: {} }] }
  const calls = tell([start(8, "w"), event(9, "llm/response", called)], run)
  const counts = [calls, tell([exit(10, "w")], calls)].map(({ tally }) => tally.counts.tool)
  expect([shownSessions.sessionOf(calls, group), ...counts]).toEqual([1, 1, 0])
  expect([
    shownSessions.targetOf(run, null),
    shownSessions.targetOf(run, 9),
    shownSessions.sessionOf(run, null),
    shownSessions.sessionOf(run, { type: "group", invocation: '[0,"none"]' as never }),
  ]).toEqual([null, null, null, null])
  const asksAnew = line({ kind: "prompt", "prompt-id": "q", invokeid: "a", type: "text", opts: {} })
  const anew = tell([event(1, "runner/started"), start(2, "s"), started, asksAnew])
  expect(anew.prompts.map(prompt => shownSessions.askerOf(anew, prompt))).toEqual([null])
  const selected = { list: { selected: { type: "session", session: idAt(anew, 0) } } } as const
  const unknown = { ...states.emptyState(open), run: anew, view: changed(emptyView, selected) }
  expect(shownSessions.shownSession(shownState(unknown))).toBe(0)
  const panes: readonly PaneId[] = ["live", "text", "log", "home"]
  const one = tell([event(0, "runner/started", { "chart-id": "c" }), start(1, "s")])
  const focusOf = (view: ViewChange) =>
    shownState({ ...states.emptyState(open), run: one, view: changed(emptyView, view) }).view.focus
  expect(panes.map(focus => focusOf({ focus }))).toEqual(["text", "text", "log", "home"])
  expect(focusOf({ overlays: [{ type: "ledger" }] })).toBe("live")
  const drawn = [[], [delta(2, "x")]].map(
    lines => shownState({ ...states.emptyState(open), run: tell(lines, one) }).view,
  )
  expect(drawn[1]).toBe(drawn[0] ?? emptyView)
})

test("where the focus goes as overlays open and close", () => {
  const page = (type: "status" | "chart"): Overlay => ({ type, top: 0 })
  const palette: Overlay = { type: "palette" }
  const ledger: Overlay = { type: "ledger" }
  const steps: readonly (readonly [string, (view: View) => ViewChange])[] = [
    ["status", () => ({ overlays: [page("status")] })],
    ["chart over it", ({ overlays }) => ({ overlays: [...overlays, page("chart")] })],
    ["palette over it", ({ overlays }) => ({ overlays: [...overlays, palette] })],
    ["closes", ({ overlays }) => ({ overlays: overlays.slice(0, -1) })],
    ["closes", ({ overlays }) => ({ overlays: overlays.slice(0, -1) })],
    ["to the log", () => ({ focus: "log" })],
    ["ledger", ({ overlays }) => ({ overlays: [...overlays, ledger] })],
    ["ledger closes", ({ overlays }) => ({ overlays: overlays.slice(0, -1) })],
    ["ledger", ({ overlays }) => ({ overlays: [...overlays, ledger] })],
    ["bookmarks for it", () => ({ overlays: [page("status"), { type: "bookmarks", cursor: 1 }] })],
    ["page over it", ({ overlays }) => ({ overlays: [...overlays, page("chart")] })],
    ["home", () => ({ overlays: [palette], focus: "home" })],
    ["all close", () => ({ overlays: [], focus: "text" })],
    ["waterfall", () => ({ overlays: [{ type: "waterfall" }] })],
    ["to the log", () => ({ focus: "log" })],
    ["same again", () => ({ overlays: [{ type: "waterfall" }] })],
    ["with a focus", ({ overlays }) => ({ overlays: [...overlays, page("status")], focus: "log" })],
    ["over it, with another", ({ overlays }) => ({ overlays: [...overlays, page("chart")], focus: "text" })],
    ["closes", ({ overlays }) => ({ overlays: overlays.slice(0, -1) })],
    ["another for both", () => ({ overlays: [{ type: "bookmarks", cursor: 0 }] })],
    ["and two", () => ({ overlays: [{ type: "waterfall" }, page("status")] })],
    ["nothing but a notice", () => ({ notice: null })],
    ["all but one close", () => ({ overlays: [{ type: "waterfall" }] })],
  ]
  let view: View = emptyView
  const one = (overlay: Overlay | undefined) => overlay?.type ?? "-"
  const told = steps.map(([what, change]) => {
    view = stack.withFocus(view, change(view))
    const { focus, overlays, below } = view
    const rest = [stack.withoutPages(view), stack.withoutOvers(view), stack.listsIn(view)].map(all =>
      all.map(one).join("+"),
    )
    const fronts = [stack.overIn(view), stack.listIn(view), stack.pageIn(view)].map(one)
    const front = (["live", "text", "log", "home"] as const).map(pane =>
      one(stack.overlayInFront({ overlays, focus: pane })),
    )
    return `${what}: ${focus} ${overlays.map(one)} below ${below} over/list/page ${fronts} front ${front} kept ${rest.join(" | ")}`
  })
  expect(told.join("\n")).toMatchSnapshot()
  const alone = [
    [start(1, "s")],
    [event(0, "runner/started", { "chart-id": "c" }), start(1, "s")],
    [event(0, "runner/started", { "chart-id": "c" }), start(1, "s"), start(2, "t")],
    [event(0, "runner/started", { "chart-id": "c" }), start(1, "s"), line({ kind: "phase", config: ["x"] })],
  ]
  expect(alone.map(lines => stack.isAlone(tell(lines), emptyView))).toEqual([false, true, false, false])
  expect(stack.isAlone(tell(alone[1] ?? []), { overlays: [ledger] })).toBe(false)
})
