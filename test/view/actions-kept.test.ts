// Keeps what each action makes of the state, one after the other, of a live run and of a recording.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { noConditions, withCondition } from "../../src/query/conditions.ts"
import { noFilters, withFilter } from "../../src/query/filters.ts"
import { noMarkers } from "../../src/query/timeline-markers.ts"
import type { Run } from "../../src/run/model/run.ts"
import type { Action } from "../../src/view/action.ts"
import { allIgnored } from "../../src/view/questions/ignored-keys.ts"
import { localFrames, nextEnd, reduce } from "../../src/view/reduce.ts"
import { sessionOf } from "../../src/view/select/shown-session.ts"
import * as states from "../../src/view/state.ts"
import { root } from "../fixtures.ts"
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
  const { focus, maximized, notice, control, questions } = view
  const { cursor, times, bookmarks, filters } = view.log
  const { selected, pinned } = view.list
  const { list, generation, pending, read } = view.conditions
  const parts: object = {
    lines: `${run.frames.lines} of ${states.presentOf(state).frames.lines}`,
    window: [run, time.present].map(one => `${one?.options.rowWindow} ${one?.options.textBudget}`).join(", "),
    ...{ status: run.status, link: link.state, attached: run.attachment.count },
    selected: selected?.type === "session" ? run.sessions[sessionOf(run, selected) ?? -1]?.sessionId : selected?.type,
    ...{ pinned, focus, maximized, notice, ops: control.ops, ignored: questions.ignored },
    log: [cursor, times, bookmarks.length, filters.list.length, filters.scanned],
    conditions: [list.map(({ hits, count }) => [hits, count]), generation, pending.length, read],
    setup: [view.setup.isFromHome, view.setup.readOnly],
    time: [time.present !== null, time.playing, time.read, time.marks === noMarkers],
    given: [state.definition, state.directory, state.home],
    kept: [captures.size, files.hasMoreArtifacts, recalled.size, recalledTexts.size],
  }
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, JSON.stringify(value)]))
}

const STEPS = (await Bun.file(join(root, "fixtures/scripts/acts.txt")).text()).trimEnd().split("\n")

describe("the state after each action in turn", () => {
  const given = { rowWindow: 5000, textBudget: 9 }
  const { run: first } = states.emptyState(open, given)
  const run: Run = tell([started, start(1, "s"), exit(2, "s"), start(3, "t")], first)
  const filters = { ...withFilter(noFilters, read("error"), "error", null), scanned: { from: 5, to: 9 } }
  const ops = [
    { op: "step", sentAt: 100 },
    { op: "ui-interrupt", sentAt: 200 },
  ]
  /** What the steps name with `@`, beside frames by their number and their session or name. */
  const NAMES: { readonly [name: string]: unknown } = {
    ...{ run, started, asks, filters, open, lost, replaying, control: { ops }, group: groupAt(run, 0) },
    ...{ refused: { ...lost, why: "refused" }, ended: { ...replaying, state: "ended" } },
    ...{ early: tell([started], first), noted: tell([started, event(1, "app/note")]) },
    ...{ short: tell([started, start(1, "s")]), marks: noMarkers, markers: { ...noMarkers } },
    anew: tell([event(1, "runner/started"), start(2, "s"), start(3, "t"), started]),
    conditions: withCondition(noConditions, read("event=app/note"), "pause"),
    ...{ paused: line({ kind: "debug", paused: true, "step-budget": 0 }), none: new Map() },
    recalled: new Map([[1, started]]),
  }
  const meant = (words: string): unknown => {
    const [verb = "", number = "", name = ""] = words.split(" ")
    const seq = Number(number)
    if (verb === "start") return start(seq, name)
    if (verb === "exit") return exit(seq, name)
    if (verb === "event") return event(seq, name)
    if (verb === "delta") return delta(seq, "x", { invokeid: "a", "session-id": name })
    if (verb === "ignored") return allIgnored(seq)
    if (!(verb in NAMES)) throw new RangeError(`no ${words}`)
    return NAMES[verb]
  }
  const ACTIONS = STEPS.map(step => {
    const [what = ""] = step.split(": ", 1)
    const named = (_: string, one: unknown) => (typeof one === "string" && /^@/.test(one) ? meant(one.slice(1)) : one)
    return [what, JSON.parse(step.slice(what.length + 2), named) as Action] as const
  })
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
    expect(notices.join("\n")).toMatchSnapshot()
    const texts = { ...states.emptyState(open), recalledTexts: new Map([[{}, []]]) }
    expect(reduce(texts, { type: "restart", now: 1 }).recalledTexts.size).toBe(0)
    expect(reduce(texts, { type: "refilled", run, shown: null, marks: noMarkers }).recalledTexts.size).toBe(0)
  })
})
