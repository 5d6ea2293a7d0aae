// Tests how a person interrupts the agent and leaves, and that what the program reports meanwhile is seen.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { noFilters } from "../../src/query/filters.ts"
import type { RowId } from "../../src/run/model/id.ts"
import { unread } from "../../src/view/block-reading.ts"
import type { PaneId } from "../../src/view/pane-names.ts"
import { reduce } from "../../src/view/reduce.ts"
import { NOTICE_MS, type Overlay, type View, type ViewChange } from "../../src/view/view.ts"
import { event, idAt, line, tell } from "../run/lines.ts"
import { esc, lost, open, Planned, quit, replaying, type Scenario, told, url } from "./planned.ts"

const guest = { state: "running", command: "claude", talks: true } as const
/** Two sessions, so that there is a list beside the text. */
const two = ["a", "b"].map((id, i) => event(i, "llm/start", { invokeid: id, "session-id": id }))

test("Esc, q, Ctrl-C and :end do what the run and the connection ask for, at the first press and at the second", () => {
  const going = [event(0, "runner/started")]
  const done = [event(0, "runner/started"), event(1, "runner/done")]
  const states: Readonly<Record<string, readonly [Link, readonly Decoded[], ViewChange["setup"]?]>> = {
    "a run": [open, going],
    "of another": [open, going, { isAttached: true }],
    "which is only watched": [open, going, { readOnly: true }],
    "from home": [open, going, { isFromHome: true }],
    "of another, from home": [open, going, { isAttached: true, isFromHome: true }],
    "a lost run": [lost, going],
    "one with HTTP": [{ ...lost, api: true }, going],
    "one that is connected to": [{ state: "connecting", url, attempt: 3 }, going],
    "a run that is done": [open, done],
    "that failed": [open, [event(0, "runner/error")]],
    "that was aborted": [open, [event(0, "runner/aborted")]],
    "and is kept": [open, done, { isKept: true }],
    "and is recorded": [open, done, { recording: true }],
    "and was of another": [open, done, { isAttached: true, isKept: true }],
    "and was watched": [open, done, { isKept: true, readOnly: true }],
    "and is seen from home": [open, done, { isFromHome: true }],
    "a recording": [replaying, going],
    "of a whole run": [replaying, done],
    "from home, too": [replaying, done, { isFromHome: true }],
    "an agent CLI": [guest, going],
    "begun at home": [guest, going, { isFromHome: true }],
    "only printed": [{ state: "running", command: "kimi" }, going],
    "that has exited": [{ state: "exited", command: "claude", code: 0, why: null } as never, going],
  }
  const keys = {
    Esc: esc,
    q: { type: "front/quit" },
    "Ctrl-C": quit,
    ":end": { type: "time/goto", text: "end" },
  } as const
  const told = Object.entries(states).flatMap(([name, [link, lines, setup = {}]]) => [
    name,
    ...Object.entries(keys).flatMap(([key, intent]) => {
      const screen = new Planned(link, lines)
      screen.state = reduce(screen.state, { type: "view", change: { setup } })
      const does = (ms: number) => {
        const words = screen
          .ask(intent, ms)
          .effects.map(one => (one.type === "agent/send" ? one.text : JSON.stringify(one)))
        return `  ${key}${ms === 0 ? "" : " again"}: ${[...words, screen.said].join(" ")}`
      }
      return [does(0), ...(screen.exits ? [] : [does(key === "q" ? 1000 : 900)])]
    }),
  ])
  expect(told.join("\n")).toMatchSnapshot()
})

const conditions = { type: "conditions/toggle" } as const
const times = { type: "waterfall/toggle" } as const
const q = { type: "front/quit" } as const
const seek = { type: "time", change: { seeking: true } } as const
const viewed = (change: ViewChange) => ({ type: "view", change }) as const
type Setup = NonNullable<ViewChange["setup"]>
const setup = (more: Setup) => viewed({ setup: more })
const sought = viewed({ log: { filters: { ...noFilters, search: { text: "x" } as never } } })
const next = { type: "find/step", step: 1 } as const
const chart = event(9, "runner/started", { "chart-id": ":claude" })
const agent = { url, answers: false, facts: null }
const home = { root: "~", runs: [], closed: [], clis: [], facts: new Map(), agent }
const [begun, ended] = [event(0, "runner/started"), event(1, "runner/done")]
const asked = line({ kind: "prompt", "prompt-id": "p", type: "text" })

/** What is open, and what a person has the keys of. */
function stand({ view, state }: Planned): readonly string[] {
  const { focus, maximized, list, home, reader, questions } = view
  const read = [reader.reads, reader.text.find ?? ""].filter(Boolean).join(" ")
  const filters = [list.filter, home.filter].filter(Boolean).join(" ")
  const hidden = questions.promptHidden ? "hidden" : ""
  return [
    view.overlays.map(({ type }) => type).join("+"),
    focus,
    read,
    filters,
    maximized ? "whole" : "",
    hidden,
    state.time.seeking ? "seeks" : "",
  ]
}

const tells = (scenarios: readonly Scenario[], link: Link = open): string => told(scenarios, stand, link)

describe("Esc", () => {
  test("interrupts if pressed twice within a second, and not if it closed something meanwhile", () => {
    const again = Array.from({ length: 4 }, () => [250, esc] as const).flat()
    expect(
      tells([
        ["twice", [], esc, 1000, esc, 1, esc, 1001, esc, 900, esc, 1000, esc, 1001, esc],
        ["over a list", [], conditions, esc, 10, esc, 10, esc, 1000, esc, 10, esc],
        ["between", [], esc, conditions, 10, esc, 10, esc],
        ["on the whole screen", [], { type: "pane/maximize" }, esc, 10, esc],
        ["on a question", [asked], esc, 10, esc],
        ["on a line", [], { type: "find/begin" }, { type: "typing/drop" }, 10, esc, 10, esc],
        ["again and again", [], conditions, times, esc, ...again, ...again, 1000, esc, 10, esc],
        ["for long", [], conditions, ...Array.from({ length: 12 }, () => [500, esc] as const).flat()],
        ["after q", [], conditions, times, q, ...again, 1000, esc, 10, esc],
        ["while it searches", [], seek, esc, 10, esc, seek, q, seek, { type: "cursor/move", by: { unit: "follow" } }],
      ]),
    ).toMatchSnapshot()
  })

  test("closes what is in front: a page on another, what the pane seeks, the text that was read for a question", () => {
    const run = tell(two)
    const list = { filter: "a", selected: { type: "session", session: idAt(run, 0) } } as const
    const reader = { text: { ...unread, session: idAt(run, 0), find: "b" } }
    const page = { type: "status", top: 0 } as const
    const attached = setup({ isAttached: true, isFromHome: true })
    const onPages = (...pages: readonly Overlay[]) =>
      viewed({ overlays: [{ type: "conditions", cursor: 0 }, ...pages], focus: "text" })
    const seeks = (focus: PaneId) => viewed({ focus, maximized: true, reader, list, home: { filter: "h" } })
    const reads = (reads: View["reader"]["reads"], cursor: RowId | null, focus: PaneId = "text") =>
      viewed({ focus, reader: { reads }, log: { cursor }, questions: { promptHidden: true } })
    expect(
      tells([
        ["pages", [], onPages(page), onPages(page, { ...page, top: 1 }), esc, esc, esc],
        ["beside the list", [], onPages(page, { ...page, top: 1 }), viewed({ focus: "live" }), esc],
        ...(["log", "text", "live"] as const).map(focus => [focus, two, seeks(focus), esc] as const),
        ["read for a question", [...two, asked], reads("asker", null), esc],
        ["which closed", two, reads("asker", null), esc],
        ["beside it", [...two, asked], reads("asker", null, "live"), esc, reads("row", null), esc, esc],
        ["of one alone", [chart, ...two.slice(0, 1)], reads("row", null), esc],
        ["of the list", two, reads("selection", { epoch: 0, order: 0, nth: 0 } as RowId), esc],
        ["a menu over a list", [], times, { type: "sort/open" }, esc],
        ["home", [], { type: "home", home }, viewed({ home: { filter: "h" } }), esc, esc, 1000, q],
        ["a search of the log", two, sought, esc, next],
        ["read for a row", two, reads("row", null), esc],
        ["of the log", two, reads("row", { epoch: 0, order: 0, nth: 0 } as RowId), esc],
        ["a run of another from home", [begun], attached, times, esc, 250, esc, 1001, esc],
      ]),
    ).toMatchSnapshot()
  })
})

describe("q", () => {
  test("warns where a finished run is kept nowhere, until another key, and leaves at the second press", () => {
    const [home, kept] = [{ isFromHome: true }, { isKept: true }] as const
    const dismiss = { type: "notice/dismiss" } as const
    const warned = (more: Setup) => [setup(more), q, 999, q, dismiss, 60_000, q, 600_000, q]
    const held = (error: string | null) => ({ type: "directory", directory: { path: "/r", error } }) as const
    expect(
      tells([
        ["own", [ended], ...warned({})],
        ["of another", [ended], ...warned({ isAttached: true })],
        ["from home", [ended], ...warned(home)],
        ["by Esc", [ended], setup(home), esc, NOTICE_MS + 1, esc, dismiss, NOTICE_MS, esc],
        ["by Esc, once closed", [ended], setup(home), times, esc, 999, esc, 1000, esc],
        ["kept, by Esc", [ended], setup({ ...home, ...kept }), esc],
        ["kept", [ended], setup(kept), conditions, times, q, q, 999, q, 1, q],
        ["kept, after Esc", [ended], setup(kept), conditions, esc, 999, q, 1, q],
        ["while something is said", [ended], { type: "notice/show", text: "Saved" }, q, 1000, q],
        ["in a directory", [ended], held(null), q],
        ["in none that is there", [ended], held("gone"), q],
        ["it ends meanwhile", [begun], setup(kept), q, ended, 999, q, 1, q],
        ["its past", [begun], setup(kept), { type: "show", run: tell([begun]) }, ended, q],
        ["read-only", [ended], setup({ ...kept, readOnly: true }), q],
        ["after Esc has warned", two, esc, 10, q],
        ["of another, from home", [begun], setup({ ...home, isAttached: true }), times, q, 1000, q],
      ]),
    ).toMatchSnapshot()
    expect(tells([["a recording", [], conditions, times, q, q, 999, q, 1, q]], replaying)).toMatchSnapshot()
  })
})

test("Ctrl-C, and /quit of an agent CLI, end a run that goes on at the second press, if that comes soon", () => {
  const word = { type: "program/quit-by-word" } as const
  const late = [
    tells([
      ["in time", [begun], quit, 3000, quit],
      ["late", [begun], quit, 3001, quit],
      ["over, and not shown yet", [begun], ended, { type: "show", run: tell([begun]) }, quit],
      ["suspended", [begun], { type: "program/suspend" }, { type: "program/record" }],
      ["interrupted, once over", [begun, ended], { type: "program/interrupt" }],
    ]),
    tells([["a recording", [], { type: "program/record" }, { type: "program/interrupt" }]], replaying),
    tells(
      [
        ["a word", two, word, 30_000, word],
        ["late", two, word, 30_001, word],
        ["suspended", two, { type: "program/suspend" }],
      ],
      guest,
    ),
  ]
  expect(late.join("\n")).toMatchSnapshot()
})

test("an agent CLI is asked for its choices by the session that is read, whose question may take the keyboard at once", () => {
  const [model, ...others] = ["model", "mode", "option", "session"].map(text => ({ type: "time/goto", text }) as const)
  const heard = tells(
    [
      ["asked", two, ...others, model ?? esc],
      ["watched", two, setup({ readOnly: true }), model ?? esc],
    ],
    guest,
  )
  const deaf = [{ ...guest, talks: false }, open].map(link => tells([[link.state, two, model ?? esc]], link))
  expect([heard, ...deaf].join("\n")).toMatchSnapshot()
  const screen = new Planned(guest, two).ask({ type: "time/goto", text: "model" })
  expect(screen.view.questions.settledAt).toBe(screen.now)
})

test("a warning doesn't take the place of one that still stands; information, and one whose time is over, is replaced", () => {
  const disk = { type: "notice/show", text: "Can't record to a.jsonl: disk full" } as const
  const past = { type: "notice/show", text: "Can't store the past of this run any longer: disk full" } as const
  const info = { ...disk, level: "info" } as const
  expect(
    tells([
      ["warnings", [], disk, 10, past, 10, disk],
      ["too late", [], disk, 3 * NOTICE_MS, past],
      ["information", [], info, 10, past, 10, info],
    ]),
  ).toMatchSnapshot()
})
