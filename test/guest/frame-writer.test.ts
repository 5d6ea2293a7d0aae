// Folds the frames of a guest's entries: turns, blocks, tool calls, usage and ends.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { reasonOf } from "../../src/run/select/figures.ts"
import { rowWords } from "../../src/run/select/row-words.ts"
import { rowsOf } from "../run/lines.ts"
import { call, folded, gives, init, outcome, say, think, user, written } from "./entries.ts"
import { runFrom } from "./reading.ts"

describe("blocks", () => {
  test("a block is visible while it streams", () => {
    const run = runFrom(written([say("Hel", true), say("lo", true)]))
    expect(run.turnBuffers[0]).toMatchObject({ turn: { status: "streaming" }, tail: "Hello" })
  })
})

describe("tool calls", () => {
  test("the log shows the name, the duration and the failure", () => {
    const run = folded(call("a", "ls"), gives("a", "no such file", { isError: true }))
    const words = rowsOf(run).map(row => rowWords(run, row))
    expect(words.find(one => one.what === "tool error")?.text).toBe("ls  1.0s  no such file")
  })
})

describe("turns", () => {})

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

describe("a result", () => {})

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
