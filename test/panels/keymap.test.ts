// Tests that the footer names only keys that have an effect.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { hintsIn, strokeText } from "../../src/keys/key-text.ts"
import { freshRerun, reruns } from "../../src/panels/common/open-rerun.ts"
import { scopeOf } from "../../src/panels/front.ts"
import { keymap } from "../../src/panels/index.ts"
import { promptKey, sessionId } from "../../src/run/model/id.ts"
import { unread } from "../../src/view/block-reading.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { emptyView, type ViewChange } from "../../src/view/view.ts"
import { keyLines } from "../../tools/picture/tables.ts"
import { event, line } from "../run/lines.ts"
import { lost } from "./planned.ts"

const live: Link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 }
const replay: Link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 }

function state(link: Link, lines: readonly Decoded[] = [], view: ViewChange = {}): StoreState {
  const folded = reduce(emptyState(link), { type: "frames", frames: lines })
  return reduce(folded, { type: "view", change: view })
}

function asks(type: string, id = type): Decoded {
  return line({ kind: "prompt", "prompt-id": id, type, opts: { prompt: "?", options: ["a", "b"] } })
}

const scope = (one: StoreState) => scopeOf(shownState(one))
const hints = (one: StoreState) => hintsIn(scope(one), shownState(one), one.run.lastTs ?? 0)

/** The session that `llm/start` of `a` and `s` begins. */
const first = sessionId(0, "a", "s")
const paused = line({ kind: "debug", paused: true, "step-budget": 0 })
const over = event(0, "runner/done", { status: "done" })

const states: readonly (readonly [string, StoreState])[] = [
  ["panes", state(live)],
  ["a recording", state(replay)],
  ["a run that is over", state(live, [over])],
  ["a paused run", state(live, [paused])],
  ["a recording of a paused run", state(replay, [paused])],
  ...["text", "select", "multi", "confirm"].map(type => [type, state(live, [asks(type)])] as const),
  ["two prompts", state(live, [asks("text"), asks("select")])],
  ["a hidden prompt", state(live, [asks("text")], { questions: { promptHidden: true } })],
  ["the conditions", state(live, [], { overlays: [{ type: "conditions", cursor: 0 }] })],
  ["what needs a person", state(live, [asks("text")], { overlays: [{ type: "alerts", cursor: null }] })],
  ["a file", state(live, [], { overlays: [{ type: "file", name: "a", top: 0 }] })],
  [
    "the menu",
    state(live, [event(0, "llm/start", { invokeid: "a", "session-id": "s" })], {
      overlays: [{ type: "menu", session: first, cursor: 0 }],
    }),
  ],
  ...(["turn", "model", "temperature", "system", 0] as const).map(
    field =>
      [
        `the field ${field} of a re-run`,
        state(live, [], {
          overlays: [{ type: "rerun", session: first }],
          ...reruns.put(emptyView, { drafts: [{ ...freshRerun(first), field }] }),
        }),
      ] as const,
  ),
  ["the review of a re-run", state(live, [], { overlays: [{ type: "review", session: first, top: 0 }] })],
]

test.each(states)("the footer hints of %s: every key works, and none is named twice", (_name, one) => {
  const named = hints(one)
  expect(named.length).toBeGreaterThan(0)
  for (const { id } of named) expect(scope(one).bindings.map(binding => binding.id)).toContain(id)
  expect(new Set(named.map(binding => binding.shown)).size).toBe(named.length)
})

test("the footer names what has an effect and is needed there, and help last", () => {
  const begun = event(0, "llm/start", { invokeid: "a", "session-id": "s" })
  const says = event(1, "llm/delta", { invokeid: "a", "session-id": "s", text: "x" })
  const past = (link: Link, ...lines: readonly Decoded[]) => {
    const before = state(link, [begun])
    return reduce(reduce(before, { type: "frames", frames: lines }), { type: "show", run: before.run })
  }
  const search = { text: "x", wanted: 1, filter: { type: "text", text: "x" } } as never
  const log = { filters: { ...emptyView.log.filters, search } }
  const [gone, home] = [{ ...lost, since: -60_000 } as const, { setup: { isFromHome: true } } as const]
  const talks: Link = { state: "running", command: "claude", talks: true }
  const draft = (text: string) => ({ key: promptKey("select", null), text, top: 0, cursor: 0, picked: [] })
  const reads = { text: { ...unread, session: first } }
  const told = [
    ...states,
    ["a recorded question", state(replay, [asks("select")])],
    ["a page over one", state(live, [asks("select")], { overlays: [{ type: "file", name: "a", top: 0 }] })],
    ["a session", state(live, [begun])],
    ["at home", state(live, [begun, over], home)],
    ["its past", past(live, over)],
    ["live", past(live, begun)],
    ["gone", state(gone, [begun])],
    ["failed", state(live, [event(0, "runner/error", {})])],
    ["from home", state(replay, [begun], home)],
    ["all of the screen", state(replay, [begun], { maximized: true })],
    ["the text", state(live, [begun], { focus: "text", maximized: true })],
    ["with words", state(live, [begun, says], { focus: "text" })],
    [
      "held",
      state(live, [begun, event(1, "llm/start", { invokeid: "b", "session-id": "t" }), paused], { focus: "text" }),
    ],
    ["a list that is searched", state(live, [begun], { log })],
    ["the log", state(live, [begun], { focus: "log", maximized: true, log })],
    ["one that is not", state(live, [begun], { focus: "log" })],
    ["an agent CLI", state(talks, [line({ kind: "debug", paused: false })])],
    ["one that is held", state(talks, [paused])],
    ["paused and lost", state(lost, [paused])],
    ["and over", state(live, [paused, over])],
    ["and watched", state(live, [paused], { setup: { readOnly: true } })],
    ["no sessions in time", state(live, [], { overlays: [{ type: "waterfall" }], reader: reads })],
    ...["a", "zz"].map(
      text =>
        [`options with ${text}`, state(live, [asks("select")], { questions: { drafts: [draft(text)] } })] as const,
    ),
  ] as const
  const words = told.map(
    ([name, one]) =>
      `${name}: ${hints(one)
        .map(({ shown, hint }) => `${shown} ${hint}`)
        .join(" · ")}`,
  )
  expect(words.join("\n")).toMatchSnapshot()
})

test("the printed key table has every binding once, group by group", () => {
  const lines = keyLines(keymap.bindings)
  for (const { group, keys, title } of keymap.bindings) {
    const own = lines.filter(one => one.group === group && one.title === title)
    expect(own.length).toBe(1)
    if (keys.length > 0 && keys.length < 3) expect(own[0]?.shown.split(" ")).toContain(strokeText(keys[0] ?? ""))
  }
  const groups = lines.map(one => one.group).filter((group, i, all) => group !== all[i - 1])
  expect(new Set(groups).size).toBe(groups.length)
})

/** Questions, typed lines and forms, whose keys are their own. */
const OWN = ["line", "palette", "menu", "form", "form-line", "form-text", "review", "text", "confirm", "choice"]
OWN.push("answered", "nobody")
/** Other keys for the same as a key that counts. */
const SYNONYMS = "up down left right home shift-tab ctrl-d ctrl-u f1 ctrl-p ctrl-l ctrl-g".split(" ")
/** What a key means that is bound in several places. */
const MEANINGS: { readonly [stroke: string]: string } = {
  enter: "in: open, or go to",
  "+": "add",
  d: "delete or put aside",
  "/": "find here",
  f: "filter the list or the log",
  F: "search everything; again, more",
  "=": "compare",
  o: "open outside",
  v: "why",
}

describe("in the list, the reader and the log", () => {
  const places = keymap.scopeIds.filter(id => !OWN.includes(id))
  const all = places.flatMap(place =>
    keymap.scope(place).bindings.flatMap(one => one.keys.map(stroke => ({ place, stroke, id: one.id }))),
  )

  test("at most 60 keys do something, the second of two not counted", () => {
    const strokes = new Set(all.map(({ stroke }) => stroke.split(" ")[0] ?? "").filter(one => !SYNONYMS.includes(one)))
    expect(strokes.size).toBeLessThanOrEqual(60)
    expect(strokes.size).toBeGreaterThan(50)
  })

  test("a key means one thing", () => {
    const twice = [...new Set(all.map(({ stroke }) => stroke))].filter(stroke => {
      const ids = new Set(all.filter(one => one.stroke === stroke).map(({ id }) => id))
      return ids.size > 1 && MEANINGS[stroke] === undefined
    })
    expect(twice).toEqual([])
  })

  test("the debugger has its keys in the list and the log, and in a reader that is alone", () => {
    const places = (stroke: string) => all.filter(one => one.stroke === stroke).map(({ place }) => place)
    for (const stroke of ["s", "c", "p", "b"]) expect(places(stroke)).toEqual(["panes", "pane-alone", "past"])
  })
})

test("of two bindings of a scope one stroke leads to one, unless the scope means to hide the other", () => {
  const clashes = keymap.scopeIds.flatMap(id => {
    const { bindings } = keymap.scope(id)
    return bindings.flatMap(one =>
      one.keys.flatMap(key => {
        const other = bindings.find(({ keys }) => keys.includes(key))
        return other === one ? [] : [`${id}: ${strokeText(key)} is ${other?.id}, so it can't be ${one.id}`]
      }),
    )
  })
  // What a list has of its own comes before what all places have.
  expect(clashes).toEqual([
    "search-results: F is search/widen, so it can't be search/begin",
    "branches: = is branches/diff, so it can't be transcript/compare",
    "alerts: v is alerts/why, so it can't be why/open",
    "artifacts: o is artifacts/show, so it can't be copy/pager",
  ])
})

test("every binding works in a scope, and is said to be in the first", () => {
  for (const { id } of keymap.bindings) {
    const first = keymap.scopeIds.find(place => keymap.scope(place).bindings.some(one => one.id === id))
    expect([id, keymap.placeOf(id)]).toEqual([id, first ?? "none"])
  }
})
