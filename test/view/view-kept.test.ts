// Keeps what the view's own rules make of intents, frames, links and overlays: tables of inputs with what becomes of each.
import { describe, expect, test } from "bun:test"
import type { Link } from "../../packages/wire/src/link.ts"
import { noConditions, withCondition } from "../../src/query/conditions.ts"
import { parse } from "../../src/query/filter/parse.ts"
import { noFilters, withFilter } from "../../src/query/filters.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import { rowIdOf } from "../../src/run/identity/find-by-id.ts"
import { at } from "../../src/run/model/chunked-list.ts"
import type { Run } from "../../src/run/model/run.ts"
import type { Action } from "../../src/view/action.ts"
import * as reading from "../../src/view/block-reading.ts"
import { stepOf } from "../../src/view/cursor-step.ts"
import { STATES, sessionFilter } from "../../src/view/live-list.ts"
import type { PaneId } from "../../src/view/pane-names.ts"
import * as plans from "../../src/view/plan-result.ts"
import { localFrames, nextEnd, reduce } from "../../src/view/reduce.ts"
import * as logRows from "../../src/view/select/log-rows.ts"
import * as shownSessions from "../../src/view/select/shown-session.ts"
import * as stack from "../../src/view/select/stack.ts"
import * as states from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { changed, emptyView, isUnchanged, type Overlay, type View, type ViewChange } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { lost, open, replaying, url } from "../panels/planned.ts"
import { delta, event, groupAt, idAt, line, rowsOf, tell } from "../run/lines.ts"

const started = event(0, "runner/started")
const start = (seq: number, id: string, invokeid = "a") => event(seq, "llm/start", { invokeid, "session-id": id })
const exit = (seq: number, id: string, invokeid = "a") =>
  event(seq, "llm/worker-exit", { invokeid, "session-id": id, reason: "done" })
const asks = line({ kind: "prompt", "prompt-id": "q", invokeid: "b", type: "text", opts: { prompt: "?" } })
const filterOf = (text: string) => {
  const read = parse(text)
  if (!("filter" in read)) throw new Error(`expected a filter: ${text}`)
  return read.filter
}

const LINKS: readonly Link[] = [
  ...[
    open,
    lost,
    { ...lost, everOpen: false },
    { ...lost, api: true },
    { state: "connecting", url, attempt: 1 } as const,
  ],
  ...[replaying, { ...replaying, state: "ended" } as const, { state: "closed" } as const],
  ...[{ state: "running", command: "x" } as const, { state: "running", command: "x", talks: true } as const],
  ...[{ state: "exited", command: "x", code: 1 } as const],
]

test("what each connection means, in the present, in the past and once the run is over", () => {
  const rows = LINKS.flatMap(link =>
    [false, true].flatMap(isPast =>
      ["runner/started", "runner/done", "runner/aborted", "runner/error"].map(name => {
        const run = tell([event(0, "runner/started"), asks, ...(name === "runner/started" ? [] : [event(1, name)])])
        const state = { ...shownState({ ...states.emptyState(link), run }), isPast }
        const is = ["isLive", "isRecording", "isHistory", "isHeard", "isGuest"] as const
        const flags = [
          ...is.filter(one => states[one](state)),
          states.hears(link) && "hears",
          states.talks(link) && "talks",
        ]
        const gone = [999, 1000, 5000].map(now => states.goneFor(state, now))
        const shown = [states.timeShown(state, 500), states.timeShown(state, 5000)]
        const what = [link.state, "api" in link && "api", "talks" in link && "talks", isPast && "past", name.slice(7)]
        return `${what.filter(Boolean).join(" ")}: ${flags.filter(Boolean)} gone ${gone} shown ${shown} answerable ${states.answerable(state).length}`
      }),
    ),
  )
  expect([...new Set(rows)].join("\n")).toMatchSnapshot()
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
    ["bookmarks for it", () => ({ overlays: [page("status"), { type: "bookmarks", cursor: 1 }] })],
    ["page over it", ({ overlays }) => ({ overlays: [...overlays, page("chart")] })],
    ["home", () => ({ overlays: [palette], focus: "home" })],
    ["all close", () => ({ overlays: [], focus: "text" })],
    ["waterfall", () => ({ overlays: [{ type: "waterfall" }] })],
    ["same again", () => ({ overlays: [{ type: "waterfall" }] })],
    ["with a focus", ({ overlays }) => ({ overlays: [...overlays, page("status")], focus: "log" })],
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

/** The parts of a state that an action may change, in short. */
function told(state: states.StoreState): { readonly [part: string]: string } {
  const { run, view, link, time, captures, files, recalled, recalledTexts } = state
  const { selected, pinned } = view.list
  const { list, generation, pending, read } = view.conditions
  const parts: object = {
    lines: `${run.frames.lines} of ${states.presentOf(state).frames.lines}`,
    window: `${run.options.rowWindow} ${time.present?.options.rowWindow}`,
    status: run.status,
    link: link.state,
    attached: run.attachment.count,
    selected:
      selected?.type === "session"
        ? run.sessions[shownSessions.sessionOf(run, selected) ?? -1]?.sessionId
        : selected?.type,
    ...{
      pinned,
      focus: view.focus,
      maximized: view.maximized,
      notice: view.notice,
      ops: view.control.ops,
      ignored: view.questions.ignored,
    },
    log: [
      view.log.cursor,
      view.log.times,
      view.log.bookmarks.length,
      view.log.filters.list.length,
      view.log.filters.scanned,
    ],
    conditions: [list.map(({ hits, count }) => [hits, count]), generation, pending.length, read],
    setup: [view.setup.isFromHome, view.setup.readOnly],
    time: [time.present !== null, time.playing, time.read, time.marks === noMarkers],
    kept: [captures.size, files.hasMoreArtifacts, recalled.size, recalledTexts.size],
  }
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, JSON.stringify(value)]))
}

const paused = { kind: "debug", paused: true, "step-budget": 0 }

describe("the state after each action in turn", () => {
  const rich: ViewChange = {
    ...{ focus: "log", maximized: true, notice: { text: "Answered", level: "info", until: 9000 } },
    list: { pinned: true },
    log: {
      times: "clock",
      bookmarks: [{ epoch: 0, seq: 1, note: "" }],
      filters: { ...withFilter(noFilters, filterOf("error"), "error", null), scanned: { from: 5, to: 9 } },
    },
    conditions: withCondition(noConditions, filterOf("event=app/note"), "pause"),
    setup: { isFromHome: true, readOnly: true },
    control: {
      ops: [
        { op: "step", sentAt: 100 },
        { op: "ui-interrupt", sentAt: 200 },
      ],
    },
  }
  const run: Run = tell([started, start(1, "s"), exit(2, "s"), start(3, "t")])
  const ACTIONS: readonly (readonly [string, Action])[] = [
    ["frames", { type: "frames", frames: [started, start(1, "s"), start(2, "t")] }],
    ["a session ends", { type: "frames", frames: [exit(3, "t")] }],
    ["the other too", { type: "frames", frames: [exit(4, "s")] }],
    ["a third", { type: "frames", frames: [start(5, "u"), delta(6, "x", { invokeid: "a", "session-id": "u" })] }],
    ["the view", { type: "view", change: rich }],
    ["a condition", { type: "frames", frames: [event(7, "app/note")] }],
    ["lost", { type: "link", link: lost, now: 300 }],
    ["lost still", { type: "link", link: { ...lost, why: "refused" }, now: 400 }],
    ["open again", { type: "link", link: open, now: 500 }],
    ["a repeated debug", { type: "frames", frames: [line(paused)] }],
    ["debug", { type: "frames", frames: [line(paused)] }],
    ["ours", { type: "local", frames: [{ frame: asks, text: "" }] as never }],
    ["an early moment", { type: "show", run: tell([started]) }],
    ["the same", { type: "show", run: null }],
    ["a moment", { type: "show", run }],
    ["plays", { type: "time", change: { playing: true } }],
    ["on", { type: "play", frames: [exit(4, "t")] }],
    ["frames meanwhile", { type: "frames", frames: [event(8, "app/note")] }],
    ["all is held", { type: "hold" }],
    ["ops", { type: "view", change: { control: rich.control ?? {} } }],
    ["ticks", { type: "tick", now: 5099 }],
    ["an op is late", { type: "tick", now: 5200 }],
    ["a notice ends", { type: "tick", now: 20_000 }],
    ["watched, of before", { type: "watched", generation: 9, found: new Map(), read: 0.5 }],
    ["watched", { type: "watched", generation: 0, found: new Map(), read: 0.5 }],
    ["files", { type: "files", change: { hasMoreArtifacts: true } }],
    ["captured", { type: "captured", ref: "r", captured: { why: "gone" } as never }],
    ["recalled", { type: "recalled", frames: new Map([[1, started]]) as never }],
    ["filled in the past", { type: "refilled", run: tell([started, start(1, "s")]), shown: run, marks: noMarkers }],
    ["filled", { type: "refilled", run, shown: null, marks: noMarkers }],
    ["a moment", { type: "show", run: tell([started]) }],
    ["the end", { type: "link", link: { ...replaying, state: "ended" }, now: 6000 }],
    ["the last moment", { type: "show", run }],
    ["another", { type: "show", run: tell([started]) }],
    ["plays to a breakpoint", { type: "time", change: { playing: true } }],
    ["there", { type: "play", frames: [event(1, "app/note"), event(2, "app/other")] }],
    ["starts again", { type: "restart", now: 7000 }],
    ["restored", { type: "restored", run, marks: noMarkers }],
  ]
  test.each([
    ["live", open],
    ["a recording", replaying],
  ] as const)("%s", (_, link) => {
    let state = deepFreeze(states.emptyState(link, { rowWindow: 5000 }))
    let before = told(state)
    const steps = ACTIONS.map(([what, action]) => {
      const own = localFrames(state, action).map(({ frame }) => `own ${frame.kind}`)
      const next = deepFreeze(reduce(state, action))
      const same = next === state ? ["same"] : []
      const after = told(next)
      const changes = Object.entries(after).flatMap(([part, is]) => (is === before[part] ? [] : [`${part} ${is}`]))
      state = next
      before = after
      return [`${what}:`, ...same, ...own, ...changes, `until ${nextEnd(state.view)}`].join(" ")
    })
    expect(steps.join("\n")).toMatchSnapshot()
  })
  test("of a refused answer, says so in the place of the notice that it was given", () => {
    const answer = line({ kind: "answer", "prompt-id": "q", value: "x" })
    const refused = event(1, "human-input/validation-failed", { invokeid: "b", errors: ["too short", "too dull"] })
    const notice = { text: "Answered", level: "info", until: 9 } as const
    const notices = [[asks], [asks, answer], [asks, answer, refused]].map(before => {
      const told = reduce(states.emptyState(open), { type: "frames", frames: before })
      const shown = reduce(told, { type: "view", change: { notice } })
      return reduce(shown, {
        type: "frames",
        frames: [event(3, "app/note"), ...(before.length === 2 ? [refused] : [])],
      }).view.notice
    })
    expect(notices).toEqual([notice, { text: "Refused: too short: too dull", level: "warning", until: 9 }, notice])
  })
})

test("the steps of a cursor, the cards that are folded, and which sessions a text finds", () => {
  const facts = { page: 7, lines: 100 }
  const moves = [
    ...(["row", "view", "half", "page"] as const).flatMap(unit => [-2, 1].map(count => ({ unit, count }))),
    { unit: "to", count: 3 } as const,
    ...(["first", "last", "follow"] as const).map(unit => ({ unit })),
  ]
  const steps = moves.map(by =>
    [JSON.stringify(by), stepOf(by, 10, facts), stepOf(by, 10, { page: 1, lines: 0 })].join(" "),
  )
  const { foldBlock, folding, isFolded, readingOf, unread } = reading
  const folds = reading.FOLDINGS.map(to => {
    const some = foldBlock(foldBlock(foldBlock(folding(to), "a", true), "b", false), "b", false)
    const both = foldBlock(foldBlock(some, "a", false), "b", true)
    const is = (one: reading.Folds) =>
      ["a", "b", "c"].flatMap(card => [isFolded(one, card, true), isFolded(one, card, false)]).map(Number)
    return JSON.stringify([some, is(some), both, is(both), readingOf({ ...unread, folds: both, find: "x" }, null)])
  })
  const found = ["", "poet", "POET failed", "failed running", "done judge x", "asking"].map(text => {
    const test = sessionFilter(text)
    return `${text}: ${STATES.flatMap(state => ["Poet 1", "judge"].filter(name => test(name, state)).map(name => `${name} ${state}`))}`
  })
  expect([...steps, ...folds, ...found].join("\n")).toMatchSnapshot()
})

test("where a transcript is opened: at its start, a turn, or the entry of a row", () => {
  const run = tell([
    started,
    start(1, "s"),
    delta(2, "one", { invokeid: "a", "session-id": "s" }),
    event(3, "llm/tool-result", { invokeid: "a", "session-id": "s", tool: "t" }),
    start(4, "s"),
    event(5, "llm/user-message", { invokeid: "a", "session-id": "s", text: "hi" }),
    event(6, "llm/user-message", { invokeid: "a", "session-id": "s", text: "so" }),
  ])
  const [session] = run.sessions
  if (session === undefined) throw new Error("expected a session")
  const places = (
    [
      [null, null],
      [0, null],
      [0, 0],
      [0, 1],
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 9],
      [null, 1],
    ] as const
  ).map(([turn, entry]) => JSON.stringify([turn, entry, reading.readingAt({ find: "f" }, session, turn, entry)]))
  const anchors = [reading.startAnchor(undefined), reading.startAnchor(session), reading.turnAnchor(session, 1)]
  expect(
    [...places, ...anchors.map(one => JSON.stringify([one, reading.turnOfAnchor(one)]))].join("\n"),
  ).toMatchSnapshot()
})

test("plans say why they do nothing, and open and close overlays by their type", () => {
  const overlays: readonly Overlay[] = [
    { type: "bookmarks", cursor: 5 },
    { type: "status", top: 0 },
    { type: "filters", cursor: 0 },
  ]
  const state = shownState({ ...states.emptyState(open), view: changed(emptyView, { overlays, focus: "live" }) })
  const { both, change, notice, noMore, nothing, only, refuse, refusalOf } = plans
  const refusals = [
    nothing,
    only({ type: "terminal/bell" }),
    change({ focus: "live" }),
    change({ focus: "log" }),
    notice("Can't step: no", "warning", 1),
    both(notice("one", "info", 1), notice("two", "info", 1)),
    both(notice("one", "info", 1), change({ list: { pinned: false } })),
    both(change({ list: { pinned: true } }), notice("two", "info", 1)),
    refuse("step", "no debugger", 1),
    { actions: [{ type: "tick", now: 1 }], effects: [] } as const,
    noMore("error", 1, 5),
    noMore("error", -1, 5),
  ]
  const opened = [
    plans.toggleOverlay(state, { type: "status", top: 3 }),
    plans.toggleOverlay(state, { type: "ledger" }),
    plans.openFile(state, "a.md"),
    plans.openFile(state, "a.md", 7),
    change({ overlays: plans.inFront(state, { type: "bookmarks", cursor: 1 }) }),
    change({ overlays: plans.replacing(state, { type: "bookmarks", cursor: 1 }) }),
    change({ overlays: plans.without(state, "status", "filters") }),
    refuse("step", "no", 3),
    notice("n", "info", 1, 10),
  ]
  const fronts = (["filters", "bookmarks", "status", "palette"] as const).map(type => plans.frontOverlay(state, type))
  const under = [["a", "b"], ["a"], []].map(items => plans.itemUnder(state, "filters", items))
  const behind = shownState({
    ...states.emptyState(open),
    view: changed(emptyView, { overlays: overlays.slice(0, 2) }),
  })
  const last = [
    plans.frontOverlay(behind, "bookmarks"),
    plans.itemUnder(behind, "bookmarks", ["a", "b"]),
    plans.itemUnder(behind, "filters", ["a"]),
  ]
  expect(
    [
      ...refusals.map(plan => refusalOf(emptyView, plan)),
      ...[...opened, fronts, under, last].map(one => JSON.stringify(one)),
    ].join("\n"),
  ).toMatchSnapshot()
  const parts = [
    { focus: "live" },
    { list: { order: "came", pins: emptyView.list.pins } },
    { list: { order: "newest" } },
    { notice: { text: "", level: "info", until: 0 } },
    { log: {} },
  ] as const
  expect(parts.map(part => isUnchanged(emptyView, part))).toEqual([true, true, false, false, true])
})

describe("the rows of the log", () => {
  const run = tell([started, ...[1, 2, 3, 4, 5, 6].map(seq => event(seq, seq % 2 === 0 ? "app/even" : "app/odd"))])
  const past = tell([started, event(1, "app/odd"), event(2, "app/even")])
  const of = (change: ViewChange, moment: Run | null = null) => {
    const state = reduce({ ...states.emptyState(open), run }, { type: "view", change })
    return shownState(reduce(state, { type: "show", run: moment }))
  }
  const even = { filters: withFilter(noFilters, filterOf("event=app/even"), "", null) }
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
        ["before all", of({}, tell([line({ kind: "phase", config: [] })]))],
        ["part", of({ log: { filters: { ...even.filters, scanned: { from: 0, to: 3 } } } })],
      ] as const
    ).map(([what, state]) =>
      [
        what,
        logRows.followsEnd(state),
        logRows.cursorPlace(state),
        logRows.cursorIndex(state),
        logRows.momentRows(state),
        JSON.stringify([-Infinity, -9, -2, -1, 0, 1, 2, 9, Infinity].map(count => logRows.shownAfter(state, 3, count))),
        JSON.stringify([
          logRows.shownFrom(state, 0, 3),
          logRows.shownFrom(state, 3, 2),
          logRows.shownFrom(state, 6, 9, -1),
        ]),
      ].join(" "),
    )
    const [row] = rowsOf(run)
    const on =
      row === undefined
        ? []
        : [of({}), of({ log: { cursor: cursor(2), seenTo: cursor(1) } })].map(state =>
            JSON.stringify(logRows.cursorOn(state, row)),
          )
    expect(
      [...all, ...on, JSON.stringify([logRows.lastRowId(run), logRows.lastRowId(tell([]))])].join("\n"),
    ).toMatchSnapshot()
  })
})

test("the session that is read: the asker's, the reader's or the selected one", () => {
  const run = tell([
    started,
    start(1, "s"),
    start(2, "t"),
    start(3, "u", "b"),
    delta(4, "x", { invokeid: "a", "session-id": "s" }),
    exit(5, "t"),
  ])
  const group = { type: "group", invocation: groupAt(run, 0) } as const
  const session = { type: "session", session: idAt(run, 1) } as const
  const other = { type: "session", session: idAt(run, 2) } as const
  const text = { ...reading.unread, session: idAt(run, 0), find: "f" }
  const read = (lines: Parameters<typeof tell>[0], view: ViewChange) => {
    const state = shownState({ ...states.emptyState(open), run: tell(lines, run), view: changed(emptyView, view) })
    return JSON.stringify([
      shownSessions.shownSession(state),
      shownSessions.readSession(state),
      shownSessions.logIsBehind(state),
      shownSessions.readText(state).find,
      state.missingTexts,
    ])
  }
  const status = [{ type: "status", top: 0 }] as const
  const views: readonly ViewChange[] = [
    {},
    { list: { selected: group } },
    { list: { selected: session } },
    { list: { selected: session }, focus: "log" },
    { list: { selected: other }, reader: { reads: "row", text } },
    { list: { selected: session }, reader: { reads: "asker", text }, overlays: status },
    { list: { selected: session }, reader: { reads: "selection", text: { ...text, session: idAt(run, 1) } } },
    { list: { selected: session }, questions: { promptHidden: true } },
  ]
  const rows = views.flatMap(view =>
    [
      read([], view),
      read([asks], view),
      read([exit(6, "s")], view),
      read([line({ kind: "prompt", "prompt-id": "z", invokeid: "nobody", type: "text", opts: {} })], view),
    ].join(" "),
  )
  expect(rows.join("\n")).toMatchSnapshot()
  expect([
    shownSessions.targetOf(run, null),
    shownSessions.targetOf(run, 9),
    shownSessions.sessionOf(run, null),
    shownSessions.sessionOf(run, { type: "group", invocation: '[0,"none"]' as never }),
  ]).toEqual([null, null, null, null])
  const panes: readonly PaneId[] = ["live", "text"]
  const one = tell([event(0, "runner/started", { "chart-id": "c" }), start(1, "s")])
  expect(
    panes.map(
      focus => shownState({ ...states.emptyState(open), run: one, view: changed(emptyView, { focus }) }).view.focus,
    ),
  ).toEqual(["text", "text"])
})
