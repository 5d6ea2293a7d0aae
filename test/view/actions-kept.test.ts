// Keeps what each action makes of the state, one after the other, of a live run and of a recording.
import { describe, expect, test } from "bun:test"
import { noConditions, withCondition } from "../../src/query/conditions.ts"
import { noFilters, withFilter } from "../../src/query/filters.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import type { Run } from "../../src/run/model/run.ts"
import type { Action } from "../../src/view/action.ts"
import { allIgnored } from "../../src/view/questions/ignored-keys.ts"
import { localFrames, nextEnd, reduce } from "../../src/view/reduce.ts"
import * as shownSessions from "../../src/view/select/shown-session.ts"
import * as states from "../../src/view/state.ts"
import type { ViewChange } from "../../src/view/view.ts"
import { deepFreeze } from "../freeze.ts"
import { lost, open, replaying } from "../panels/planned.ts"
import { read } from "../query/filter/parsed.ts"
import { delta, event, line, tell } from "../run/lines.ts"

const started = event(0, "runner/started")
const start = (seq: number, id: string, invokeid = "a") => event(seq, "llm/start", { invokeid, "session-id": id })
const exit = (seq: number, id: string, invokeid = "a") =>
  event(seq, "llm/worker-exit", { invokeid, "session-id": id, reason: "done" })
const asks = line({ kind: "prompt", "prompt-id": "q", invokeid: "b", type: "text", opts: { prompt: "?" } })

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
      filters: { ...withFilter(noFilters, read("error"), "error", null), scanned: { from: 5, to: 9 } },
    },
    conditions: withCondition(noConditions, read("event=app/note"), "pause"),
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
    ["keys are ignored", { type: "view", change: { questions: { ignored: allIgnored(20_000) } } }],
    ["not any more", { type: "tick", now: 21_000 }],
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
    ["recalled again", { type: "recalled", frames: new Map([[1, started]]) as never }],
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
