// Tests log rows, the run's state, malformed lines and notes of recordings.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { report } from "../../src/run/select/report.ts"
import { attach, delta, event, ids, line, logOf, rowsOf, tell } from "./lines.ts"

describe("log rows", () => {
  test("are made by every event but deltas, ticks and checkpoints", () => {
    const lines = [
      event(0, "cli/config-loaded"),
      event(1, "runner/tick"),
      event(2, "checkpoint/written"),
      delta(3, "x"),
      event(4, "llm/response", ids),
      event(5, "never/heard-of"),
    ]
    expect(logOf(tell(lines))).toEqual(["cli/config-loaded", "llm/response", "never/heard-of"])
  })

  test("are errors, warnings or neither by docs/decisions.md 1.8", () => {
    const level = (name: string, data: object = {}) => rowsOf(tell([event(0, name, data)]))[0]?.level
    const errors = ["llm/error", "llm/model-down", "llm/model-policy-empty", "runner/error", "runner/aborted"]
    for (const name of [...errors, "human-input/error"]) expect(level(name)).toBe("error")
    for (const name of ["llm/retry", "llm/context-warning", "transcript/serialize-error"])
      expect(level(name)).toBe("warning")
    const others = ["runner/done", "llm/worker-exit", "llm/tool-result", "llm/response"]
    for (const name of [...others, "human-input/validation-failed"]) expect(level(name)).toBe("info")
    expect(level("llm/tool-result", { "is-error": true })).toBe("error")
    expect(level("llm/response", { "stop-reason": "max_tokens" })).toBe("warning")
    expect(level("llm/response", { "stop-reason": "refusal" })).toBe("warning")
  })

  test("know their frame, their session and their epoch", () => {
    const lines = [line({ kind: "phase", config: [] }), event(7, "llm/start", ids), event(7, "other", {}, 9)]
    expect(rowsOf(tell(lines))).toMatchObject([
      { line: 1, nth: 0, frame: 2, seq: 7, epoch: 0, session: 0 },
      { line: 2, nth: 0, frame: 3, seq: 7, epoch: 1, session: null },
    ])
  })

  test("number frames by the lines that are frames", () => {
    const lines = [decode(""), decode("garbage"), attach, event(1, "one"), event(1, "one"), event(2, "two")]
    expect(rowsOf(tell(lines)).map(row => row.frame)).toEqual([1, 3])
  })
})

const phase = (config: string[], more: object = {}) => line({ kind: "phase", ts: 5, config, ...more })
const processed = (seq: number, after: string[]) => event(seq, "runner/event-processed", { "config-after": after })
const whole = { breadcrumb: ["run", "b"], siblings: ["a", "b", "c"] }
const finished = (keys: object = { "final-config": "[:done]" }) =>
  line({ kind: "control", op: "run-finished", ...keys })
const done = event(0, "runner/done", { "final-config": ["run", "done"] })
const control = (op: string) => line({ kind: "control", op })

test.each<[what: string, lines: readonly Decoded[], run: object]>([
  ["has the config of a phase, its breadcrumb and siblings", [phase(["b"], whole)], { config: ["b"], ...whole }],
  [
    "has the config of a later event, without another's breadcrumb",
    [phase(["b"], whole), processed(0, ["c"])],
    { config: ["c"], breadcrumb: ["c"], siblings: [] },
  ],
  [
    "has the breadcrumb again once the phase matches",
    [phase(["b"], whole), processed(0, ["c"]), processed(1, ["b"])],
    { config: ["b"], ...whole },
  ],
  [
    "has the config of a later phase",
    [processed(0, ["c"]), phase(["b"], { ...whole, ts: 2000 })],
    { config: ["b"], ...whole },
  ],
  [
    "has no config of an older phase that an attachment repeats",
    [processed(0, ["c"]), phase(["b"], whole)],
    { config: ["c"], breadcrumb: ["c"] },
  ],
  [
    "has the config as its breadcrumb if a phase has none",
    [phase(["run", "b"])],
    { breadcrumb: ["run", "b"], siblings: [] },
  ],
  [
    "keeps its config at events without one",
    [phase(["b"], whole), event(0, "runner/event-processed"), event(1, "runner/done", { status: "done" })],
    { config: ["b"], finalConfig: null, status: "finished" },
  ],
  ["counts phases in its times", [phase([])], { status: "running", firstTs: 5, lastTs: 5 }],
  ["is finished, with the text of its final config", [finished()], { status: "finished", finalConfig: ["[:done]"] }],
  ["may be finished without a final config", [finished({})], { status: "finished", finalConfig: null }],
  ["has the final config of its end", [done, finished()], { status: "finished", finalConfig: ["run", "done"] }],
  ["stays aborted", [event(0, "runner/aborted", { reason: "x" }), finished()], { status: "aborted" }],
  ["is not changed by echoes of our ops", [control("pause"), control("ui-quit")], { status: "waiting" }],
])("a run %s", (_, lines, run) => expect(report(tell(lines))).toMatchObject({ run }))

test("a run that is finished before its last 20 events hides none of them, and counts its controls", () => {
  const last = Array.from({ length: 20 }, (_, i) => event(i + 1, i === 19 ? "runner/done" : "llm/start", ids))
  expect(report(tell([event(0, "runner/started"), finished(), ...last]))).toMatchObject({
    frames: { event: 21, missing: 0, control: 1 },
    run: { status: "finished" },
    log: { entries: 21 },
  })
})

describe("malformed lines", () => {
  test("are counted and shown with their line, their raw text and the reason", () => {
    const run = tell([event(0, "x"), decode('{"kind":"hologram"}'), decode(""), decode("{torn")])
    expect(report(run)).toMatchObject({
      frames: { unread: 2, event: 1 },
      unread: [
        { line: 2, raw: '{"kind":"hologram"}', length: 19, why: 'unknown kind "hologram"' },
        { line: 4, raw: "{torn", length: 5 },
      ],
    })
  })

  test("are kept up to 64 KB in all, the latest, and counted beyond", () => {
    const lines = Array.from({ length: 40 }, (_, i) => decode(`${i} ${"x".repeat(5000)}`))
    const run = tell(lines)
    expect(run.frames.malformed).toBe(40)
    expect(run.log.malformed).toHaveLength(16)
    expect(run.log.malformed.map(one => one.line)).toEqual(Array.from({ length: 16 }, (_, i) => i + 25))
    expect(run.log.malformed[0]).toMatchObject({ length: 5003 })
    expect(run.log.malformed[0]?.raw).toHaveLength(4096)
  })

  test("are kept up to 1,024", () => {
    const run = tell(Array.from({ length: 1500 }, () => decode("x")))
    expect(run.frames.malformed).toBe(1500)
    expect(run.log.malformed).toHaveLength(1024)
    expect(run.log.malformed.at(-1)?.line).toBe(1500)
  })
})

describe("notes", () => {
  const note = (what: string, keys: object) => line({ kind: "sidecar", at: 77, what, ...keys })

  test("of a refused op are sanitized warning rows", () => {
    const run = tell([note("refused", { op: "pause", why: "the line is\u001b[2J down" })])
    expect(logOf(run)).toEqual(["refused pause: the line is\u241b[2J down"])
    expect(rowsOf(run)[0]).toMatchObject({ level: "warning", ts: 77, seq: null, session: null })
    expect(logOf(tell([note("refused", { op: 7 })]))).toEqual(["refused ?: ?"])
  })

  test("of a lost link and one that is back make a row each, but for the first and after the end of the run", () => {
    const link = (state: string) => note("link", { state })
    expect(logOf(tell([link("lost"), link("open")]))).toEqual([])
    const run = tell([link("open"), link("lost"), link("lost"), link("open")])
    expect([logOf(run), run.log.warnings]).toEqual([["connection lost", "connection connected again"], 1])
    const over = tell([line({ kind: "control", op: "run-finished" }), link("lost"), link("open")], run)
    expect(over.log.rows.length).toBe(2)
  })

  test("of an opened link are an attachment; others do not change the run", () => {
    const run = tell([
      note("link", { state: "open" }),
      note("link", { state: "connecting" }),
      note("start", {}),
      note("?", {}),
    ])
    expect(run.attachment.count).toBe(1)
    expect(report(run)).toMatchObject({
      frames: { event: 0, unread: 0 },
      log: { entries: 0 },
      run: { status: "waiting" },
    })
  })
})

test("requested data keeps the latest conversation of each invokeid and the latest catalog", () => {
  const talk = (invokeid: string, text: string) =>
    line({ kind: "conversation", invokeid, turns: [{ turn: 0, messages: [{ role: "user", text }] }] })
  const catalog = line({ kind: "model-catalog", aliases: [{ alias: "smart", targets: [] }], preferences: ["smart"] })
  const run = tell([talk("a", "one"), talk("b", "two"), talk("a", "three"), catalog])
  expect(report(run)).toMatchObject({ frames: { conversation: 3, modelCatalog: 1 } })
  expect(run.facts.conversations.map(one => [one.invokeid, one.turns[0]?.messages[0]?.text])).toEqual([
    ["b", "two"],
    ["a", "three"],
  ])
  expect(run.models.catalog?.preferences).toEqual(["smart"])
})
