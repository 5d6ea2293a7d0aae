// Folds the frames of a guest's entries: turns, blocks, tool calls, usage and ends.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { reasonOf } from "../../src/run/select/figures.ts"
import { rowWords } from "../../src/run/select/row-words.ts"
import { logOf, rowsOf } from "../run/lines.ts"
import { call, folded, gives, init, note, outcome, say, think, user, written } from "./entries.ts"
import { blocksOf, runFrom } from "./reading.ts"

describe("blocks", () => {
  test("adjacent deltas are concatenated to one block", () => {
    expect(blocksOf(folded(say("Hel", true), say("lo ", true), say("world", true)))).toEqual(["text: Hello world"])
  })
  test("thinking and text are separate blocks of one reply", () => {
    const run = folded(think("Let ", true), think("me see", true), say("Found", true))
    expect(blocksOf(run)).toEqual(["thinking: Let me see", "text: Found"])
    expect(logOf(run).filter(row => row === "llm/response")).toHaveLength(1)
  })
  test("adjacent whole entries are separated by a line end, those of several lines by an empty line", () => {
    expect(blocksOf(folded(say("one"), say("two"), say("three\nfour"), say("five")))).toEqual([
      "text: one\ntwo\n\nthree\nfour\n\nfive",
    ])
  })
  test("an empty line separates text and does not begin a block", () => {
    expect(blocksOf(folded(say(""), say("one"), say(""), say("two")))).toEqual(["text: one\n\ntwo"])
  })
  test("a change between deltas and whole entries begins a new reply", () => {
    expect(blocksOf(folded(say("str", true), say("eam", true), say("whole"), say("again", true)))).toEqual([
      "text: stream",
      "text: whole",
      "text: again",
    ])
  })
  test("a block is visible while it streams", () => {
    const run = runFrom(written([say("Hel", true), say("lo", true)]))
    expect(run.turnBuffers[0]).toMatchObject({ turn: { status: "streaming" }, tail: "Hello" })
  })
  test("system lines and lines of unknown kinds keep their place", () => {
    const run = folded(note("system", "[x] up"), say("a"), note("hologram", "?"), say("b"), note("stderr", "bad"))
    expect(blocksOf(run)).toEqual(["note system: [x] up", "text: a", "note hologram: ?", "text: b", "note stderr: bad"])
    expect(run.log).toMatchObject({ errors: 0, warnings: 1 })
  })
  test("hostile text is sanitized", () => {
    expect(blocksOf(folded(say("a\x1b[31mb"), call("t", "\x9bname"), note("k\x1b", "\u202e")))).toEqual([
      "text: a\u241b[31mb",
      'tool-call \ufffdname: {"n":1}',
      "note k\u241b: \ufffd",
    ])
  })
})

describe("tool calls", () => {
  test("a result gets the name and the duration from its call", () => {
    expect(blocksOf(folded(say("I look"), call("t1", "read"), gives("t1", "text")))).toEqual([
      "text: I look",
      'tool-call read: {"n":1}',
      "tool-result read 1000 ms: text",
    ])
  })
  test("concurrent calls are paired by id", () => {
    const run = folded(call("a", "slow"), call("b", "quick"), gives("b", "B"), gives("a", "A", { isError: true }))
    expect(blocksOf(run).slice(2)).toEqual(["tool-result quick 1000 ms: B", "tool-result slow failed 3000 ms: A"])
    expect(run.log.errors).toBe(1)
  })
  test("the log shows the name, the duration and the failure", () => {
    const run = folded(call("a", "ls"), gives("a", "no such file", { isError: true }))
    const words = rowsOf(run).map(row => rowWords(run, row))
    expect(words.find(one => one.what === "tool error")?.text).toBe("ls  1.0s  no such file")
  })
  test("a call and its result in one line have no duration, and a result without a call has no name", () => {
    const [first, second] = [call("a", "ls"), gives("a", "x")]
    const run = runFrom(
      written([{ ...first, ts: 5 }, { ...second, ts: 5 }, gives("?", "y")], { code: 0, signal: null }),
    )
    expect(blocksOf(run).slice(1)).toEqual(["tool-result ls: x", "tool-result: y"])
  })
  test("the deltas of a result are joined to one result", () => {
    const parts = [gives("a", "one ", { delta: true }), gives("a", "two", { delta: true })]
    expect(blocksOf(folded(call("a", "ls"), ...parts, say("done"))).slice(1)).toEqual([
      "tool-result ls 2000 ms: one two",
      "text: done",
    ])
  })
})

describe("turns", () => {
  test("there is one invocation with one session, named after the command", () => {
    const run = folded(say("a"), user("b"), say("c"))
    expect(run.invocations.map(one => one.invokeid)).toEqual(["guest"])
    expect(run.sessions).toHaveLength(1)
  })
  test("init and user each begin one, unless the last is still empty, and init sets the model", () => {
    const run = folded(init("m-1"), user("go"), say("a"), user("on"), say("b"))
    expect({ ...run.sessions[0], ...run.turnBuffers[0]?.turn }).toMatchObject({ turns: 2, model: "m-1" })
    expect(blocksOf(run)).toEqual(["note init: session s1", "user: go", "text: a", "user: on", "text: b"])
  })
  test("a guest that only prints text has one, and a guest that only logs has none", () => {
    expect(folded(say("a"), call(null, "x"), say("b")).sessions[0]?.turns).toBe(1)
    expect(folded(note("system", "up")).sessions[0]?.turns).toBe(0)
  })
})

describe("usage", () => {
  test("neither deltas nor lines count as tokens", () => {
    expect(folded(say("a", true), say("b", true)).facts.tokens).toBe(0)
    expect(folded(say("a"), say("b")).facts.tokens).toBe(0)
  })
  test("a failed result without figures keeps those of the one before", () => {
    const run = folded(say("a"), outcome({ output: 122 }), outcome({ output: 0, isError: true, errors: ["no"] }))
    expect(run.facts.tokens).toBe(122)
  })
  test("a result has the figures of the run, whatever was counted before", () => {
    const spoken = [say("a", true), say("b", true), call("t", "x"), say("c", true)]
    const run = folded(...spoken, outcome({ input: 90, output: 1 }))
    expect(run).toMatchObject({ facts: { tokens: 1, ledger: { total: { input: 90 } } } })
    expect(run.sessions[0]?.usage.input).toBe(90)
  })
  test("a second result adds its own", () => {
    expect(folded(say("a"), outcome({ output: 10 }), user("b"), say("c"), outcome({ output: 5 })).facts.tokens).toBe(15)
  })
})

describe("a result", () => {
  test("shows its figures, and its text only if it is new", () => {
    const figures = { input: 1200, output: 30, cached: 0, costUsd: 0.0123, subtype: "success" }
    expect(blocksOf(folded(say("All done"), outcome({ text: "All done", ...figures })))).toEqual([
      "text: All done",
      "note result: 1,200 in · 30 out · $0.0123",
    ])
    expect(blocksOf(folded(say("Working"), outcome({ text: "All done" }))).at(-1)).toBe("note result: All done")
  })
  test("that is an error fails the session with its reasons", () => {
    const run = folded(say("a"), outcome({ isError: true, errors: ["no key", "no luck"] }))
    expect(run.sessions[0]?.error).toBe("no key\nno luck")
    expect(run.turnBuffers[0]?.turn.status).toBe("error")
  })
})

test.each([
  [{ code: 0, signal: null }, "finished", null, "done"],
  [{ code: 3, signal: null }, "error", "exit code 3", "error"],
  [{ code: null, signal: "SIGTERM" }, "aborted", "ended by SIGTERM", "error"],
])("the end of the command by %j ends the run as %s", (end, status, reason, turn) => {
  const run = runFrom(written([say("a")], end))
  expect(run).toMatchObject({ status, reason })
  const [session] = run.sessions
  if (reason !== null) expect(session && reasonOf(session)).toBe(reason)
  expect(run.turnBuffers[0]?.turn.status).toBe(turn as never)
})

test("a run whose result is an error has failed, though its command ends well", () => {
  const failed = outcome({ isError: true, errors: ["no key"] })
  expect(folded(say("a"), failed)).toMatchObject({ status: "error", reason: "no key" })
  expect(folded(failed, outcome({ text: "b" }))).toMatchObject({ status: "finished" })
})

test("every line is a frame, numbered without a gap", () => {
  const said = [init("m"), user("u"), think("t", true), say("s")]
  const all = [...said, call("a", "x"), gives("a", "y"), outcome({ output: 1 })]
  const frames = written(all, { code: 1, signal: null }).map(decode)
  expect(frames.flatMap(frame => ("seq" in frame ? [frame.seq] : []))).toEqual(frames.map((_, index) => index + 1))
})
