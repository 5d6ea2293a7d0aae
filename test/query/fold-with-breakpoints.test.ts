// Tests when breakpoints hit, and what a hit does.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { plan } from "../../src/panels/plan.ts"
import { noConditions, onlyBreakpoint, type Reaction, toggled, withCondition } from "../../src/query/conditions.ts"
import { foldWithBreakpoints, playFrames } from "../../src/query/fold-with-breakpoints.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import type { Effect } from "../../src/view/effect.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { forAll } from "../for-all.ts"
import { deepFreeze } from "../freeze.ts"
import { delta, event, ids, line, rowsOf } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"

const NOW = 1_700_000_000_000
const live: Link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 }
const replay: Link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 }
const attached = line({ kind: "debug", paused: false, "step-budget": 0 })
const paused = line({ kind: "debug", paused: true, "step-budget": 0 })

/** A state with a breakpoint for each of these conditions. */
function watching(conditions: readonly string[], link: Link = live, reaction: Reaction = "pause"): StoreState {
  const all = conditions.reduce((all, text) => withCondition(all, read(text), reaction), noConditions)
  return reduce(emptyState(link), { type: "view", change: { conditions: all } })
}

function feed(state: StoreState, ...lines: readonly Decoded[]): StoreState {
  return reduce(deepFreeze(state), { type: "frames", frames: lines })
}

const hits = (state: StoreState): readonly number[] => state.view.conditions.list.map(one => one.hits)

/** How often a condition has hit after each of these lines, one batch each. */
function counts(condition: string, lines: readonly Decoded[]): readonly number[] {
  let state = watching([condition])
  return lines.map(one => {
    state = feed(state, one)
    return hits(state)[0] ?? -1
  })
}

/** The plan of the hits, as the program asks for it. */
function reported(state: StoreState): { state: StoreState; effects: readonly Effect[] } {
  const { actions, effects } = plan(shownState(state), { type: "conditions/tell" }, { now: NOW, page: 0, lines: 0 })
  return { state: actions.reduce(reduce, state), effects }
}

const sentBy = (effects: readonly Effect[]) => effects.flatMap(one => (one.type === "agent/send" ? [one.command] : []))
const start = (seq: number, invokeid: string, session: string) =>
  event(seq, "llm/start", { invokeid, "session-id": session })
const config = (seq: number, ...states: string[]) => event(seq, "runner/start-config", { config: states })

describe("a breakpoint's condition", () => {
  const judges = ["a", "a", "a", "b", "b"].map((id, seq) => start(seq, "judge-1", id))
  const writers = [5, 6, 7].map(seq => start(seq, "writer", "w"))
  const turn = (seq: number) => [start(seq, "a", "s"), ...[1, 2, 3].map(by => delta(seq + by, "x"))]
  const tool = (seq: number, name: string) => event(seq, "llm/tool-result", { ...ids, tool: name, preview: "x" })
  const reviewed = [
    start(0, "judge", "s"),
    start(1, "other", "t"),
    config(2, "review"),
    delta(3, "x", { invokeid: "judge" }),
  ]
  const asked = line({ kind: "prompt", "prompt-id": "p", invokeid: "judge", type: "text" })
  const again = event(0, "runner/started", { again: true })
  const killed = event(1, "runner/aborted", { reason: "killed" })
  const states = ["draft", "review", "review", "draft", "review"].map((state, seq) => config(seq, state))

  // The lines at which a condition of any kind becomes true are kept in filter/matches.test.ts.
  test.each<[what: string, condition: string, lines: readonly Decoded[], hits: readonly number[]]>([
    ["each time it becomes true, not while it stays true", "state=review", states, [0, 1, 1, 1, 2]],
    ["as a state is entered while the session matches", "invokeid=judge state=review", reviewed, [0, 0, 1, 1]],
    [
      "nothing of an earlier start",
      "invokeid=judge state=review",
      [...reviewed.slice(0, 2), again, config(1, "review")],
      [0, 0, 0, 0],
    ],
    ["as its agent asks", "invokeid=judge prompt", [start(0, "judge", "s"), asked], [0, 1]],
    ["once for the reason of a run", "reason=killed", [start(0, "a", "s"), killed, delta(2, "x")], [0, 1, 1]],
    ["nothing of another session", "tool=bash invokeid=b", [tool(0, "bash")], [0]],
    [
      "once for each session that newly matches",
      "invokeid=judge* turn>=3",
      [...judges, ...writers, start(8, "judge-1", "b")],
      [0, 0, 1, 1, 1, 1, 1, 1, 2],
    ],
    ["once a turn, at the delta that exceeds it", "tokens>1", [...turn(0), ...turn(4)], [0, 0, 1, 1, 1, 1, 2, 2]],
    [
      "for each matching row, where events are asked for",
      "event=llm/tool-result tool=bash",
      [tool(0, "bash"), tool(1, "read"), tool(2, "bash")],
      [1, 1, 2],
    ],
  ])("hits %s: %s", (_, condition, lines, hits) => expect(counts(condition, lines)).toEqual([...hits]))

  test("that hits again before the first hit is reported is reported with both", () => {
    const lines = [config(0, "review"), config(1, "draft"), config(2, "review")]
    const { pending } = lines.reduce((state, one) => feed(state, one), watching(["state=review"])).view.conditions
    expect(pending.map(({ count }) => count)).toEqual([2])
  })

  test("that was true when it was set waits until it becomes true again", () => {
    const before = feed(emptyState(live), start(0, "a", "s"), delta(1, "many words"))
    const conditions = onlyBreakpoint(read("session=s"))
    const state = feed(reduce(before, { type: "view", change: { conditions } }), delta(2, "more"))
    expect(hits(state)).toEqual([0])
  })

  test("does not hit for repeated frames, nor while it is off or only watched", () => {
    const lines = [start(0, "a", "s"), delta(1, "x"), delta(2, "x")]
    const once = feed(watching(["tokens>=2"]), ...lines)
    expect(hits(feed(once, ...lines))).toEqual([1])
    expect(hits(feed(watching(["tokens>=2"], live, "watch"), ...lines))).toEqual([0])
    const off = watching(["tokens>=2"])
    const conditions = toggled(off.view.conditions, 1)
    expect(hits(feed(reduce(off, { type: "view", change: { conditions } }), ...lines))).toEqual([0])
  })

  test("does not hit for the row of its own hit", () => {
    for (const text of ["warning", "kind=breakpoint", "text~breakpoint", "not error"]) {
      let state = reported(feed(watching([text]), start(0, "a", "s"), event(1, "llm/retry", { invokeid: "a" }))).state
      const before = hits(state)
      state = reported(state).state
      expect(hits(state)).toEqual(before)
      expect(state.view.conditions.pending).toEqual([])
    }
  })

  test("stays for a new run, with its hits at zero", () => {
    const state = feed(watching(["session=s"]), start(0, "a", "s"))
    expect(hits(state)).toEqual([1])
    const again = reduce(state, { type: "restart", now: NOW })
    expect(again.view.conditions.list).toEqual(state.view.conditions.list.map(one => ({ ...one, hits: 0 })))
    expect(again.view.conditions.pending).toEqual([])
    expect(hits(feed(again, start(0, "a", "s")))).toEqual([1])
  })
})

const first = [attached, start(0, "judge", "s")]
const down: Link = { state: "lost", url: "ws://127.0.0.1:1/ws", since: 0, retryAt: 1, why: "", everOpen: true }
const BAD = "\u001b]0;x\u0007\u202e"

/** Conditions with what each does, the link, and the lines that come before each report. */
type Hit = readonly [conditions: Readonly<Record<string, Reaction>>, link: Link, ...batches: (readonly Decoded[])[]]

const HITS: { readonly [what: string]: Hit } = {
  "one that pauses, once": [{ "invokeid=judge": "pause" }, live, first, []],
  "one that breaks before the next model turn": [{ "session=s": "turn" }, live, first],
  "one that only logs, also without a connection": [{ "session=s": "log" }, down, first],
  "one of the run, that hits twice": [
    { "state=review": "log" },
    live,
    [attached, config(0, "review"), config(1), config(2, "review")],
  ],
  "several, of which each op is sent once": [
    { "session=s": "pause", "invokeid=judge": "turn", "turn=1": "pause", "turn>=1": "log" },
    live,
    first,
  ],
  "one while a pause is pending, and while the run is paused": [
    { "turn>=1": "pause" },
    live,
    first,
    [start(1, "judge", "t")],
    [paused, start(2, "judge", "u")],
  ],
  "one without a debugger": [{ "session=s": "pause" }, live, [start(0, "judge", "s")]],
  "one without a connection": [{ "session=s": "pause" }, down, first],
  "one in a recording": [{ "session=s": "pause" }, replay, first],
  "one of many sessions": [
    { "turn>=1": "log", "turn>=1 state=x": "log" },
    live,
    [attached, ...Array.from({ length: 70 }, (_, i) => start(i, "judge", `s.${i}`)), config(99, "x")],
  ],
  "one of names that hide something": [
    { [`invokeid="${BAD}"`]: "pause" },
    live,
    [attached, start(0, BAD, "__proto__")],
  ],
}

test.each(Object.entries(HITS))("what becomes of a hit: %s", (_, [conditions, link, ...batches]) => {
  const list = Object.entries(conditions)
  const all = list.reduce((all, [text, reaction]) => withCondition(all, read(text), reaction), noConditions)
  let state = reduce(emptyState(link), { type: "view", change: { conditions: all } })
  const told = batches.map(lines => {
    const { state: next, effects } = reported(feed(state, ...lines))
    state = next
    const { notice, control } = next.view
    return [
      `sends ${sentBy(effects).map(({ type }) => type)}, hits ${hits(next)}, ops ${control.ops.map(({ op }) => op)}`,
      `  ${notice?.level}: ${notice?.text.replaceAll(BAD, "(its name)")}`,
      ...rowsOf(next.run).flatMap(({ what, level }) =>
        what.kind === "breakpoint" ? [`  ${level} ${JSON.stringify(what)}`] : [],
      ),
    ].join("\n")
  })
  // A row of the log has no such character, which a notice loses when it is drawn.
  expect(told.join("")).not.toMatch(/\\u001b|\\u202e|\\u0007|[\u001b\u202e\u0007]/)
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

const anyLine: fc.Arbitrary<Decoded> = fc.oneof(
  fc.tuple(fc.nat(20), fc.constantFrom("a", "b"), fc.constantFrom("s", "t")).map(([seq, a, s]) => start(seq, a, s)),
  fc.tuple(fc.nat(20), fc.string()).map(([seq, text]) => delta(seq, text)),
  fc.tuple(fc.nat(20), fc.constantFrom("x", "y")).map(([seq, state]) => config(seq, state)),
  fc.constantFrom(attached, paused, line({ kind: "prompt", "prompt-id": "p", invokeid: "a", type: "text" })),
)

test("folding with breakpoints gives the same run as folding without, and loses no frame (property)", () =>
  forAll([fc.array(anyLine, { maxLength: 30 })], 100, lines => {
    const state = watching(["error", "state=x invokeid=a", "turn>1", "prompt", "event=llm/start", "not session=s"])
    expect(feed(state, ...lines).run).toEqual(fold(state.run, lines))
  }))

test("folding with breakpoints tests only the sessions that a batch touches, of 2,048", () => {
  const many = Array.from({ length: 2048 }, (_, i) => start(i, "judge", `s.${i}`))
  const run = feed(emptyState(live), ...many).run
  const reads = (conditions: readonly string[]): number => {
    let count = 0
    const get = (inner: object, key: PropertyKey, receiver: unknown): unknown => {
      count++
      return Reflect.get(inner, key, receiver)
    }
    const counting = <T extends object>(target: T): T => new Proxy<T>({ ...target }, { get })
    const sessions = run.sessions.map((one, i) => (i === 7 ? one : counting(one)))
    const streams = run.turnBuffers.map((one, i) => (i === 7 ? one : counting(one)))
    const before = { ...run, sessions, streams }
    const next = [delta(5000, "x", { invokeid: "judge", "session-id": "s.7" }), start(5001, "judge", "s.7")]
    foldWithBreakpoints(before, next, watching(conditions).view.conditions)
    return count
  }
  expect(reads(["tokens>0", "error", "reason~x", "state=review", "event=llm/start"])).toBe(reads([]))
})

test("a recording that plays stops right after the first hit that pauses, and goes on past what is only logged", () => {
  const lines = [config(1, "draft"), config(2, "review"), config(3, "draft"), config(4, "review")]
  const played = (...conditions: readonly (readonly [text: string, reaction: Reaction])[]) => {
    const states = conditions.map(([text, reaction]) => watching([text], replay, reaction))
    const list = states.flatMap(({ view }, key) => view.conditions.list.map(one => ({ ...one, key })))
    const { run, stopped, conditions: after } = playFrames(emptyRun, lines, { ...noConditions, list })
    return [run.frames.lines, stopped, after.list.map(one => one.hits)]
  }

  expect(played(["state=review", "pause"])).toEqual([2, true, [1]])
  expect(played(["state=review", "turn"])).toEqual([2, true, [1]])
  expect(played(["state=review", "log"])).toEqual([4, false, [2]])
  expect(played(["state=review", "log"], ["state=draft seq=3", "pause"])).toEqual([3, true, [1, 1]])
  expect(played(["state=nowhere", "pause"])).toEqual([4, false, [0]])
  expect(played()).toEqual([4, false, []])
})

test("a breakpoint at a time of day follows a change of the offset of the time zone", () => {
  const hour = 3_600_000
  const { conditions } = watching(["ts>=14:00"]).view
  const hit = (zone: number) => playFrames(emptyRun, [event(1, "test/note", {}, 13 * hour)], conditions, zone).stopped
  expect([hit(0), hit(hour), hit(0)]).toEqual([false, true, false])
})
