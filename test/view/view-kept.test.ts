// Keeps what the view's own rules make of intents, frames, links and overlays: tables of inputs with what becomes of each.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Link } from "../../packages/wire/src/link.ts"
import * as reading from "../../src/view/block-reading.ts"
import { stepOf } from "../../src/view/cursor-step.ts"
import { STATES, sessionFilter } from "../../src/view/live-list.ts"
import * as plans from "../../src/view/plan-result.ts"
import { createSlice } from "../../src/view/slice.ts"
import * as states from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { changed, emptyView, isUnchanged, type Overlay } from "../../src/view/view.ts"
import { root } from "../fixtures.ts"
import { open } from "../panels/planned.ts"
import { delta, event, line, tell } from "../run/lines.ts"

const started = event(0, "runner/started")
const start = (seq: number, id: string, invokeid = "a") => event(seq, "llm/start", { invokeid, "session-id": id })
const asks = line({ kind: "prompt", "prompt-id": "q", invokeid: "b", type: "text", opts: { prompt: "?" } })
const LINKS = (await Bun.file(join(root, "fixtures/scripts/links.jsonl")).text()).trimEnd().split("\n")

test("what each connection means, in the present, in the past and once the run is over", () => {
  const links = LINKS.map(one => JSON.parse(one) as unknown as Link)
  const rows = links.flatMap(link =>
    [false, true].flatMap(isPast =>
      ["runner/started", "runner/done", "runner/aborted", "runner/error"].map(name => {
        const run = tell([event(0, "runner/started"), asks, ...(name === "runner/started" ? [] : [event(1, name)])])
        const { run: present } = states.emptyState(link)
        const state = { ...shownState({ ...states.emptyState(link), run }), ...(isPast && { isPast, present }) }
        const { isLive: live, isRecording: recording, isHeard: heard, isGuest: guest, isHistory: history } = states
        const [hears, talks] = [states.hears, states.talks].map(holds => () => holds(link))
        const is = { live, recording, heard, guest, history, hears, talks }
        const flags = Object.entries(is).map(([name, holds]) => holds?.(state) && name)
        const gone = [999, 1000, 5000].map(now => states.goneFor(state, now))
        const shown = [states.timeShown(state, 500), states.timeShown(state, 5000)]
        const what = [
          link.state,
          "api" in link && "api",
          "talks" in link && `talks ${link.talks}`,
          isPast && "past",
          name.slice(7),
        ]
        return `${what.filter(Boolean).join(" ")}: ${flags.filter(Boolean)} gone ${gone} shown ${shown} answerable ${states.answerable(state).length}`
      }),
    ),
  )
  expect([...new Set(rows)].join("\n")).toMatchSnapshot()
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
    const finds = sessionFilter(text)
    return `${text}: ${STATES.flatMap(state => ["Poet 1", "judge"].filter(name => finds(name, state)).map(name => `${name} ${state}`))}`
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
  const places = [null, 0, 1, 2].flatMap(turn =>
    [null, 0, 1, 2, 3, 9].map(entry =>
      JSON.stringify([turn, entry, reading.readingAt({ find: "f" }, session, turn, entry)]),
    ),
  )
  const anchors = [
    reading.startAnchor(undefined),
    reading.startAnchor(session),
    reading.turnAnchor(session, 1),
    reading.turnAnchor(session, 9),
  ]
  expect(
    [...places, ...anchors.map(one => JSON.stringify([one, reading.turnOfAnchor(one)]))].join("\n"),
  ).toMatchSnapshot()
})

test("plans say why they do nothing, and open and close overlays by their type", () => {
  const overlays: readonly Overlay[] = [
    { type: "status", top: 7 },
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
    plans.openFile(state, "a.md", 0),
    plans.openFile(state, "a.md", 7),
    change({ overlays: plans.inFront(state, { type: "bookmarks", cursor: 1 }) }),
    change({ overlays: plans.replacing(state, { type: "status", top: 1 }) }),
    change({ overlays: plans.without(state, "status", "filters") }),
    refuse("step", "no", 3),
    notice("n", "info", 1, 10),
  ]
  const fronts = (["filters", "bookmarks", "status", "palette"] as const).map(type => plans.frontOverlay(state, type))
  const under = [["a", "b"], ["a"], []].map(items => plans.itemUnder(state, "filters", items))
  const front = changed(emptyView, { overlays: overlays.slice(0, 3) })
  const behind = shownState({ ...states.emptyState(open), view: front })
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
    { conditions: { list: [] } },
    { log: {} },
  ] as const
  const slice = createSlice("two", { a: 1, b: 2 })
  const put = changed(emptyView, slice.put(emptyView, { a: 3 }))
  expect(slice.of(changed(put, slice.put(put, { b: 4 })))).toEqual({ a: 3, b: 4 })
  expect(parts.map(part => isUnchanged(emptyView, part))).toEqual([true, true, false, false, false, true])
})
