// Tests log rows, malformed lines, notes, and what events change beside what runs-kept.test.ts keeps.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { event, ids, line, rowsOf, tell } from "./lines.ts"

test("problems of a guest's parser are rows of the log, and the first 64 are known besides", () => {
  const notes = Array.from({ length: 70 }, (_, i) => line({ kind: "sidecar", at: i, what: "parser", why: `${i}` }))
  const run = tell(notes)
  const untimed = tell([event(1, "x"), line({ kind: "sidecar", at: null, what: "parser", why: "x" })])
  expect(rowsOf(untimed).map(({ ts }) => ts)).toEqual([1001, null])
  expect([run.log.warnings, run.guest.warnings.length, run.guest.warnings.at(-1)?.why]).toEqual([70, 64, "63"])
})

test("malformed lines are kept up to 64 KB in all and to 1,024, the latest, and counted beyond", () => {
  const lines = Array.from({ length: 40 }, (_, i) => decode(`${i} ${"x".repeat(5000)}`))
  const run = tell(lines)
  expect(run.frames.malformed).toBe(40)
  expect(run.log.malformed.map(one => one.line)).toEqual(Array.from({ length: 16 }, (_, i) => i + 25))
  expect([run.log.malformed[0]?.length, run.log.malformed[0]?.raw.length]).toEqual([5003, 4096])
  const many = fold(emptyRun, Array(1500).fill(decode("x")))
  expect([many.frames.malformed, many.log.malformed.length, many.log.malformed.at(-1)?.line]).toEqual([
    1500, 1024, 1500,
  ])
})

test("a late row has the model that its session had there, and none if it is of no session", () => {
  const starts = (seq: number, model: string) => event(seq, "llm/start", { ...ids, model })
  const result = (seq: number) => event(seq, "llm/tool-result", ids)
  const late = [event(1, "x"), starts(4, "m"), starts(8, "n"), event(6, "x"), result(7), result(5), result(3)]
  expect(rowsOf(tell(late)).flatMap(({ seq, what, model }) => (what.kind === "gap" ? [] : `${seq} ${model}`))).toEqual([
    ...["1 null", "3 n", "4 m", "5 m", "6 null", "7 m", "8 n"],
  ])
  const models = [63, 64].map(others => {
    const rows = Array.from({ length: others }, (_, i) => event(i + 2, "x"))
    const run = tell([starts(1, "m"), ...rows, starts(others + 3, "n"), result(others + 2)])
    return rowsOf(run).at(-2)?.model
  })
  expect(models).toEqual(["m", "n"])
})

test("an entry has its number among those of its line, and a system text that is not said again its place", () => {
  const blocks = ["one", "two"].map(text => ({ type: "text", text }))
  const asked = (seq: number, more = {}) => event(seq, "llm/request", { ...ids, "user-blocks": blocks, ...more })
  const lines = [asked(2, { "system-preview": "kind" }), asked(3), event(4, "llm/user-message", ids)]
  const [session] = tell(lines).sessions
  expect(session && slice(session.entries, 0, 9).map(({ part }) => part)).toEqual([-1, 0, 1, 0, 1, 0])
  expect(session?.systemOrder).toBe(2)
})

test("of ever more bars and conversations the latest are kept", () => {
  const lines = Array.from({ length: 400 }, (_, i) => [
    line({ kind: "progress", phase: "start", invokeid: `i${i}`, pct: 0 }),
    line({ kind: "conversation", invokeid: `i${i}`, turns: [] }),
  ])
  const { progress, conversations } = tell(lines.flat()).facts
  const ends = [progress, conversations].map(all => all.map(({ invokeid }) => invokeid))
  expect(ends.map(all => [all.length, all[0], all.at(-1)].join(" "))).toEqual(["256 i144 i399", "64 i336 i399"])
})
