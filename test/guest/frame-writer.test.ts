// Folds the frames of a guest's entries: turns, blocks, tool calls, usage and ends.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { reasonOf } from "../../src/run/select/figures.ts"
import { call, folded, gives, init, outcome, say, think, user, written } from "./entries.ts"
import { runFrom } from "./reading.ts"

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
