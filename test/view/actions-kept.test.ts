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
import { attach, delta, event, groupAt, line, tell } from "../run/lines.ts"

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
    window: [run, time.present].map(one => `${one?.options.rowWindow} ${one?.options.textBudget}`).join(", "),
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
    given: [state.definition, state.directory, state.home],
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
      cursor: { epoch: 0, order: 1, nth: 0 },
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
  const given = { rowWindow: 5000, textBudget: 9 }
  const { run: first } = states.emptyState(open, given)
  const run: Run = tell([started, start(1, "s"), exit(2, "s"), start(3, "t")], first)
  const begun = [event(1, "runner/started"), start(2, "s"), start(3, "t")]
  const invocation = groupAt(run, 0)
  const ACTIONS: readonly (readonly [string, Action])[] = [
    ["frames", { type: "frames", frames: [started, start(1, "s"), start(2, "t")] }],
    ["a session ends", { type: "frames", frames: [exit(3, "t")] }],
    ["the other too", { type: "frames", frames: [exit(4, "s")] }],
    ["two more", { type: "frames", frames: [start(5, "v"), start(6, "w")] }],
    ["both end", { type: "frames", frames: [exit(7, "w"), exit(8, "v")] }],
    ["it is pinned", { type: "view", change: { list: { pinned: true } } }],
    ["a third", { type: "frames", frames: [start(9, "u"), delta(10, "x", { invokeid: "a", "session-id": "u" })] }],
    ["its group", { type: "view", change: { list: { selected: { type: "group", invocation }, pinned: false } } }],
    ["more", { type: "frames", frames: [delta(11, "y", { invokeid: "a", "session-id": "u" })] }],
    ["the view", { type: "view", change: rich }],
    ["a condition", { type: "frames", frames: [event(12, "app/note")] }],
    ["lost", { type: "link", link: lost, now: 300 }],
    ["lost still", { type: "link", link: { ...lost, why: "refused" }, now: 400 }],
    ["open again", { type: "link", link: open, now: 500 }],
    ["a repeated debug", { type: "frames", frames: [line(paused)] }],
    ["debug", { type: "frames", frames: [line(paused)] }],
    ["ours", { type: "local", frames: [{ frame: asks, text: "" }] as never }],
    ["an early moment", { type: "show", run: tell([started], first) }],
    ["the same", { type: "show", run: null }],
    ["a moment", { type: "show", run }],
    ["plays", { type: "time", change: { playing: true } }],
    ["on", { type: "play", frames: [exit(4, "t")] }],
    ["frames meanwhile", { type: "frames", frames: [event(13, "app/note")] }],
    ["lost meanwhile", { type: "link", link: lost, now: 600 }],
    ["all is held", { type: "hold" }],
    ["ops", { type: "view", change: { control: rich.control ?? {} } }],
    ["open meanwhile", { type: "link", link: open, now: 700 }],
    ["ops again", { type: "view", change: { control: rich.control ?? {} } }],
    ["open still", { type: "link", link: open, now: 800 }],
    ["ticks", { type: "tick", now: 5099 }],
    ["an op is late", { type: "tick", now: 5199 }],
    ["another", { type: "tick", now: 5200 }],
    ["a notice lasts", { type: "tick", now: 10_199 }],
    ["and ends", { type: "tick", now: 10_200 }],
    ["keys are ignored", { type: "view", change: { questions: { ignored: allIgnored(20_000) } } }],
    ["a clock set back", { type: "tick", now: 15_000 }],
    ["again", { type: "view", change: { questions: { ignored: allIgnored(20_000) } } }],
    ["not any more", { type: "tick", now: 21_000 }],
    [
      "keys are ignored, an op comes behind them",
      {
        type: "view",
        change: { questions: { ignored: allIgnored(22_000) }, control: { ops: [{ op: "step", sentAt: 19_000 }] } },
      },
    ],
    ["both are over", { type: "tick", now: 25_000 }],
    ["the notice too", { type: "tick", now: 30_000 }],
    ...[1, 2, null].flatMap((one): (typeof ACTIONS)[number][] => [
      [`a definition ${one}`, { type: "defined", definition: one as never }],
      [`a directory ${one}`, { type: "directory", directory: one as never }],
      [`a home ${one}`, { type: "home", home: one as never }],
    ]),
    ["watched, of before", { type: "watched", generation: 9, found: new Map(), read: 0.5 }],
    ["watched", { type: "watched", generation: 0, found: new Map(), read: 0.5 }],
    ["watched again", { type: "watched", generation: 0, found: new Map(), read: 0.5 }],
    ["files", { type: "files", change: { hasMoreArtifacts: true } }],
    ["captured", { type: "captured", ref: "r", captured: { why: "gone" } as never }],
    ["recalled", { type: "recalled", frames: new Map([[1, started]]) as never }],
    [
      "filled in the past",
      { type: "refilled", run: tell([started, start(1, "s")]), shown: run, marks: { ...noMarkers } },
    ],
    ["filled", { type: "refilled", run, shown: null, marks: noMarkers }],
    ["the present as a moment", { type: "show", run }],
    ["the present", { type: "show", run: null }],
    ["a moment", { type: "show", run: tell([started], first) }],
    ["a group", { type: "view", change: { list: { selected: { type: "group", invocation }, pinned: true } } }],
    ["no moment of it", { type: "show", run: tell([started, event(1, "app/note")]) }],
    ["not pinned", { type: "view", change: { list: { pinned: false } } }],
    ["reads a recording", { type: "link", link: replaying, now: 5500 }],
    ["the last moment so far", { type: "show", run }],
    ["the end", { type: "link", link: { ...replaying, state: "ended" }, now: 6000 }],
    ["ops of before", { type: "view", change: { control: rich.control ?? {} } }],
    ["they are late", { type: "tick", now: 21_500 }],
    ["the last moment", { type: "show", run }],
    ["another", { type: "show", run: tell([started], first) }],
    ["plays to its end", { type: "time", change: { playing: true } }],
    ["there", { type: "show", run }],
    ["back once more", { type: "show", run: tell([started], first) }],
    ["plays to a breakpoint", { type: "time", change: { playing: true } }],
    ["there", { type: "play", frames: [event(1, "app/note"), event(2, "app/other")] }],
    ["recalled again", { type: "recalled", frames: new Map([[1, started]]) as never }],
    ["marked", { type: "restored", run, marks: { ...noMarkers } }],
    ["plays", { type: "time", change: { playing: true } }],
    ["starts again", { type: "restart", now: 7000 }],
    ["restored, as it began anew", { type: "restored", run: tell([...begun, started]), marks: noMarkers }],
    ["restored", { type: "restored", run, marks: noMarkers }],
  ]
  test.each([
    ["live", open],
    ["a recording", replaying],
  ] as const)("%s", (_, link) => {
    let state = deepFreeze(states.emptyState(link, given))
    let before = told(state)
    const steps = ACTIONS.map(([what, action]) => {
      const own = localFrames(state, action).map(({ frame }) => `own ${frame.kind}`)
      const next = deepFreeze(reduce(state, action))
      const same = next === state ? ["same"] : next.view === state.view ? ["same view"] : []
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
    const another = line({ kind: "prompt", "prompt-id": "r", invokeid: "c", type: "text", opts: { prompt: "?" } })
    const notice = { text: "Answered", level: "info", until: 9 } as const
    const notices = [
      [[asks], []],
      [[asks], [refused]],
      [[], [asks, answer, refused]],
      [[asks, answer], [refused]],
      [[asks, answer], [another]],
      [[asks, answer, refused], []],
      // Another run asks the same, which is no refusal.
      [[attach, event(5, "app/note"), asks, answer, attach, asks], [started]],
    ].map(([before = [], frames = []]) => {
      const told = reduce(states.emptyState(open), { type: "frames", frames: before })
      const shown = reduce(told, { type: "view", change: { notice } })
      const { run, view } = reduce(shown, { type: "frames", frames: [...frames, event(9, "app/note")] })
      return `${run.prompts.map(({ state }) => state)}: ${view.notice?.level} ${view.notice?.text} ${view.notice?.until}`
    })
    expect(notices).toEqual([
      "open: info Answered 9",
      "open: warning Refused: too short: too dull 9",
      "open: warning Refused: too short: too dull 9",
      "open: warning Refused: too short: too dull 9",
      "answered,open: info Answered 9",
      "open: info Answered 9",
      "open: info Answered 9",
    ])
    const texts = { ...states.emptyState(open), recalledTexts: new Map([[{}, []]]) }
    expect(reduce(texts, { type: "restart", now: 1 }).recalledTexts.size).toBe(0)
    expect(reduce(texts, { type: "refilled", run, shown: null, marks: noMarkers }).recalledTexts.size).toBe(0)
  })
})
