// Tests duplicates, epochs, gaps and late frames (docs/decisions.md 1.4, 1.5; docs/contract.md section 2).
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Run } from "../../src/run/model/run.ts"
import { report } from "../../src/run/select/report.ts"
import { attach, delta, event, ids, line, logOf, rowsOf, tell } from "./lines.ts"

const started = (seq: number, ts: number, resume = false) => event(seq, "runner/started", { "resume?": resume }, ts)

/** A run without its counts of lines and of duplicates. */
function meaning(run: Run): unknown {
  const { frames, attachment: _, ...rest } = run
  return { ...rest, frames: { ...frames, duplicate: 0, lines: 0 } }
}

function missing(lines: readonly Decoded[], wanted: number): void {
  expect(report(tell(lines))).toMatchObject({ frames: { missing: wanted } })
}

describe("a reconnect", () => {
  const turns = Array.from({ length: 60 }, (_, i): Decoded[] => {
    const owner = { invokeid: `i${i % 3}`, "session-id": `s${i % 5}` }
    const from = 1 + i * 6
    return [
      event(from, "llm/start", owner),
      delta(from + 1, "one ", owner),
      delta(from + 2, "two ", owner),
      delta(from + 3, "three", owner),
      event(from + 4, "llm/response", { ...owner, usage: { "output-tokens": 4 } }),
      event(from + 5, "llm/worker-exit", { ...owner, reason: "done" }),
    ]
  }).flat()

  test("repeats a ring of 256 events and changes only the count of duplicates", () => {
    const before = tell(turns)
    const after = tell([attach, ...turns.slice(-256)], before)
    expect(report(after)).toMatchObject({ frames: { duplicate: 256, missing: 0, event: turns.length } })
    expect(meaning(after)).toEqual(meaning(before))
  })

  test("continues after the ring", () => {
    const after = tell([attach, ...turns.slice(-100), event(361, "llm/start", ids)], tell(turns))
    expect(report(after)).toMatchObject({ frames: { duplicate: 100, missing: 0 }, run: { epochs: 1 } })
  })

  test("shows missed frames as a gap", () => {
    const after = tell([attach, event(400, "llm/start", ids)], tell(turns))
    expect(report(after)).toMatchObject({ frames: { missing: 39 }, log: { warnings: 1 } })
    expect(logOf(after).slice(-2)).toEqual(["gap 361-399: 39", "llm/start"])
  })

  test("may repeat coalesced deltas one by one", () => {
    const before = tell([event(0, "llm/start", ids), delta(7, "abcdefg", { coalesced: 7, ts: 1007 })])
    const single = [..."abcdefg"].map((text, i) => delta(i + 1, text))
    const after = tell([attach, event(0, "llm/start", ids), ...single], before)
    expect(report(after)).toMatchObject({ frames: { duplicate: 8, missing: 0 } })
    expect(meaning(after)).toEqual(meaning(before))
  })

  test("may repeat coalesced deltas of an earlier turn one by one", () => {
    const before = tell([
      event(0, "llm/start", ids),
      delta(7, "abcdefg", { coalesced: 7, ts: 1007 }),
      event(8, "llm/response", ids),
      event(9, "llm/start", ids),
      delta(10, "new"),
    ])
    const single = [..."abcdefg"].map((text, i) => delta(i + 1, text))
    const after = tell([attach, ...single, event(8, "llm/response", ids), event(9, "llm/start", ids)], before)
    expect(meaning(after)).toEqual(meaning(before))
  })

  test("may repeat single deltas coalesced", () => {
    const single = [..."abcdefg"].map((text, i) => delta(i + 1, text))
    const before = tell([event(0, "llm/start", ids), ...single])
    const after = tell([attach, delta(7, "abcdefg", { coalesced: 7 })], before)
    expect(report(after)).toMatchObject({
      frames: { duplicate: 1 },
      invocations: [{ sessions: [{ text: "abcdefg" }] }],
    })
    expect(meaning(after)).toEqual(meaning(before))
  })
})

describe("an epoch", () => {
  test("starts at runner/started below the highest seq, and earlier sessions stay", () => {
    const run = tell([started(1, 10), event(2, "llm/start", ids), delta(3, "old"), started(1, 900), delta(2, "new")])
    expect(report(run)).toMatchObject({
      run: { epochs: 2, status: "running" },
      frames: { duplicate: 0, missing: 0 },
      invocations: [
        { epoch: 0, sessions: [{ text: "old" }] },
        { epoch: 1, sessions: [{ text: "new" }] },
      ],
    })
  })

  test("starts at a known seq with another content", () => {
    const run = tell([event(1, "cli/config-loaded", {}, 10), delta(2, "a"), event(1, "cli/config-loaded", {}, 900)])
    expect(report(run)).toMatchObject({ run: { epochs: 2 }, frames: { duplicate: 0 } })
  })

  test("starts at a resumed run", () => {
    const run = tell([started(0, 10), delta(1, "a"), delta(2, "b"), started(0, 900, true), delta(1, "c")])
    expect(report(run)).toMatchObject({ run: { epochs: 2 }, invocations: [{ epoch: 0 }, { epoch: 1 }] })
  })

  test("starts at a known seq whose content is the same in another arrangement", () => {
    const pairs = [
      [delta(1, "ab", { "session-id": "c" }), delta(1, "a", { "session-id": "bc" })],
      [delta(1, "ab", { "session-id": null, invokeid: "c" }), delta(1, "ab", { "session-id": "c", invokeid: "" })],
      [event(1, "x", { k: [[1], 2] }), event(1, "x", { k: [[1, 2]] })],
      [event(1, "x", { k: ["a", "b"] }), event(1, "x", { k: ["ab"] })],
      [event(1, "x", { k: {} }), event(1, "x", { k: [] })],
      [event(1, "x", { k: "1" }), event(1, "x", { k: 1 })],
    ]
    for (const pair of pairs) expect(tell([delta(0, "first"), ...pair]).epochs).toHaveLength(2)
  })

  test("does not start at a known seq with its keys in another order", () => {
    const run = tell([event(1, "x", { a: 1, b: [2] }), event(1, "x", { b: [2], a: 1 })])
    expect(run.frames.duplicate).toBe(1)
  })

  test("does not start at a repeated frame, nor at a later runner/started", () => {
    const run = tell([started(1, 10), delta(2, "a"), started(1, 10), started(3, 50)])
    expect(report(run)).toMatchObject({ run: { epochs: 1 }, frames: { duplicate: 1 } })
  })

  test("does not start at frames without seq, which are never repeats", () => {
    const run = tell([delta(5, "a"), delta(null, "b"), delta(null, "b"), event(null, "note", {}, 1), delta(6, "c")])
    expect(report(run)).toMatchObject({
      run: { epochs: 1 },
      frames: { duplicate: 0, missing: 0 },
      invocations: [{ sessions: [{ text: "abbc", tokens: 4 }] }],
    })
  })

  test("counts anew, keeps what was missing, and recognizes its own ring", () => {
    const second = [started(1, 900), delta(2, "x", { ts: 901 }), delta(4, "y", { ts: 902 })]
    const run = tell([started(1, 10), delta(5, "a"), ...second, ...second])
    expect(report(run)).toMatchObject({ run: { epochs: 2 }, frames: { missing: 4, duplicate: 3 } })
  })

  test("drops the status, reason, final config and progress of the old run", () => {
    const old = tell([
      started(1, 10),
      event(2, "debug/awaiting-step", { "event-name": "x" }),
      event(3, "runner/done", { "final-config": ["old"], status: "done" }),
      event(4, "runner/error", { message: "late" }),
    ])
    expect(tell([event(1, "cli/config-loaded", {}, 900)], old)).toMatchObject({
      status: "running",
      reason: null,
      awaiting: null,
      progress: [],
      chart: { finalConfig: null },
    })
  })

  test("keeps the debugger of the new attachment and drops the old one", () => {
    const debug = (paused: boolean) => line({ kind: "debug", paused })
    const before = tell([started(1, 10), debug(false), delta(2, "a")])
    expect(tell([attach, debug(true), started(1, 900)], before).debug?.paused).toBe(true)
    expect(tell([attach, started(1, 900)], before).debug).toBe(null)
  })

  test("knows of another agent's debugger only what that one told: a part of it inherits nothing", () => {
    const before = tell([started(1, 10), line({ kind: "debug", paused: true, "step-budget": 3 }), delta(2, "a")])
    const partly = line({ kind: "debug", mode: "running", "breakpoint-armed": true })
    const next = tell([attach, partly, started(1, 900)], before)
    expect(next.debug).toMatchObject({ paused: null, stepBudget: null, breakpointArmed: true })
    expect(tell([attach, partly, delta(2, "a")], before).debug).toMatchObject({ paused: true, stepBudget: 3 })
  })

  test("of the same agent, as a branch or a resumed run, keeps its debugger", () => {
    const before = tell([attach, started(1, 10), line({ kind: "debug", paused: true }), delta(2, "a")])
    expect(tell([started(1, 900)], before)).toMatchObject({ epochs: [{}, {}], debug: { paused: true } })
  })
})

describe("a gap", () => {
  test("is counted, and shown before the frame that revealed it", () => {
    const lines = [delta(1, "a"), event(5, "llm/response", ids)]
    missing(lines, 3)
    expect(logOf(tell(lines))).toEqual(["gap 2-4: 3", "llm/response"])
    expect(rowsOf(tell(lines)).map(row => row.frame)).toEqual([2, 2])
  })

  test("is not assumed before the first frame of a late attachment", () => {
    missing([delta(300, "a"), delta(301, "b")], 0)
  })

  test("is not left by a coalesced delta of 7", () => {
    const run = tell([event(0, "llm/start", ids), delta(7, "abcdefg", { coalesced: 7 })])
    expect(report(run)).toMatchObject({ frames: { missing: 0 }, invocations: [{ tokens: 7 }] })
    expect(logOf(run)).toEqual(["llm/start"])
  })

  test("remains for numbers that a coalesced delta does not explain", () => {
    const run = tell([event(0, "llm/start", ids), delta(10, "c", { coalesced: 7 })])
    expect(report(run)).toMatchObject({ frames: { missing: 3 } })
    expect(logOf(run)).toEqual(["llm/start", "gap 1-9: 3"])
  })

  test("has no row if coalesced deltas of two sessions interleave", () => {
    const run = tell([
      event(0, "runner/tick"),
      delta(5, "135", { coalesced: 3 }),
      delta(6, "246", { "session-id": "t", coalesced: 3 }),
    ])
    expect(report(run)).toMatchObject({ frames: { missing: 0 }, log: { entries: 0, warnings: 0 } })
  })

  test("shrinks as its frames come late, and disappears when none is missing", () => {
    const first = tell([delta(1, "a"), event(4, "llm/response", ids), event(2, "two")])
    expect(report(first)).toMatchObject({ frames: { missing: 1 }, log: { warnings: 1 } })
    expect(logOf(first)).toEqual(["two", "gap 3-3: 1", "llm/response"])
    const healed = tell([event(3, "three")], first)
    expect(report(healed)).toMatchObject({ frames: { missing: 0, event: 4 }, log: { warnings: 0, entries: 3 } })
    expect(logOf(healed)).toEqual(["two", "three", "llm/response"])
  })

  test("is not left by frames 5, 4, 6", () => {
    const run = tell([event(3, "three"), event(5, "five"), event(4, "four"), event(6, "six")])
    expect(report(run)).toMatchObject({ frames: { missing: 0, duplicate: 0 }, run: { epochs: 1 } })
    expect(logOf(run)).toEqual(["three", "four", "five", "six"])
  })

  test("is not left by frames 5, 4, 6 if 5 was the first of all", () => {
    const run = tell([event(5, "five"), event(4, "four"), event(6, "six")])
    expect(report(run)).toMatchObject({ frames: { missing: 0 }, run: { epochs: 1 } })
    expect(logOf(run)).toEqual(["four", "five", "six"])
  })

  test("shrinks by as many numbers as a late coalesced delta explains", () => {
    const run = tell([event(0, "zero"), event(11, "eleven"), delta(10, "abcd", { coalesced: 4 })])
    expect(report(run)).toMatchObject({ frames: { missing: 6 } })
    expect(logOf(run)).toEqual(["zero", "gap 1-9: 6", "eleven"])
  })

  test("is explained by a late coalesced delta too", () => {
    const run = tell([event(0, "zero"), event(8, "eight"), delta(7, "abcdefg", { coalesced: 7 })])
    expect(report(run)).toMatchObject({ frames: { missing: 0 }, log: { warnings: 0 } })
    expect(logOf(run)).toEqual(["zero", "eight"])
  })

  test("is shown for numbers between the first frame and an earlier one", () => {
    const run = tell([event(45, "first"), event(40, "lower")])
    expect(report(run)).toMatchObject({ frames: { missing: 4 }, run: { epochs: 1 } })
    expect(logOf(run)).toEqual(["lower", "gap 41-44: 4", "first"])
    expect(logOf(tell([event(42, "mid")], run))).toEqual(["lower", "gap 41-41: 1", "mid", "gap 43-44: 2", "first"])
  })

  test("stays right if a number that counted as explained comes after all", () => {
    const lines = [delta(10, "a"), delta(12, "b", { coalesced: 5 }), event(11, "eleven"), delta(14, "c")]
    missing(lines, 1)
    expect(logOf(tell(lines))).toEqual(["eleven", "gap 13-13: 1"])
  })

  test("as wide as possible costs nothing and is counted", () => {
    const run = tell([delta(1, "a"), delta(Number.MAX_SAFE_INTEGER, "b")])
    expect(report(run)).toMatchObject({ frames: { missing: Number.MAX_SAFE_INTEGER - 2 } })
  })
})

describe("a late frame", () => {
  test("has its row and its text in seq order", () => {
    const run = tell([delta(1, "a"), delta(3, "c"), delta(2, "b")])
    expect(report(run)).toMatchObject({ invocations: [{ sessions: [{ text: "abc", tokens: 3 }] }] })
  })

  test("passes rows without seq, which stay where they arrived", () => {
    const run = tell([event(1, "one"), event(null, "some"), event(4, "four"), event(null, "other"), event(2, "two")])
    expect(logOf(run)).toEqual(["one", "some", "two", "gap 3-3: 1", "four", "other"])
  })

  test("of a complete reply changes neither text nor status", () => {
    const response = event(4, "llm/response", { ...ids, content: [{ type: "text", text: "abc" }] })
    const run = tell([delta(1, "a"), delta(3, "c"), response, delta(2, "b")])
    expect(report(run)).toMatchObject({
      frames: { missing: 0 },
      invocations: [{ sessions: [{ text: "abc", status: "done" }] }],
    })
  })

  test("of an earlier turn is not added to this one", () => {
    const run = tell([delta(1, "a"), delta(3, "c"), event(4, "llm/start", ids), delta(5, "new"), delta(2, "b")])
    expect(report(run)).toMatchObject({
      frames: { missing: 0 },
      invocations: [{ sessions: [{ text: "new", tokens: 1 }] }],
    })
  })
})
