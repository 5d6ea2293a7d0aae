// Tests at which lines a condition may begin, without folding the run: all that make it true, and few others.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { beginTest } from "../../src/query/begin-test.ts"
import { showTest } from "../../src/query/show-test.ts"
import { delta, event, eventText, ids, line } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"

const start = (seq: number) => event(seq, "llm/start", ids)
const says = (text: string) => (seq: number) => delta(seq, text)
const thinks = (text: string) => (seq: number) => delta(seq, text, { type: "thinking-delta" })
const replies =
  (content: object | null, more: object = {}) =>
  (seq: number) =>
    event(seq, "llm/response", { ...ids, content, ...more })
const text = (said: string) => ({ type: "text", text: said })
const thought = (said: string) => ({ type: "thinking", thinking: said })
const answers = (tool: string) => (seq: number) => event(seq, "llm/tool-result", { ...ids, tool })

const unnumbered = () => line({ event: "note", data: {} })
const after = (one: (seq: number) => Decoded) => (seq: number) => one(seq - 1)
const nobodys = (seq: number) => event(seq, "llm/tool-result", { invokeid: "a", tool: "ls" })

/** Of a longer text the beginning does not matter. */
const LONG = "-".repeat(200)

// Before the first line there may be others, which a sought text may go on from.
test.each([
  ["text~done", [start, says("do"), says("ne")], [1, 3]],
  ["text~done", [start, thinks("do"), says("ne")], [1]],
  ["text~done", [start, says("do"), start, says("ne")], [1]],
  ["text~done", [start, replies([text("do")]), replies([text("ne")])], [1, 3]],
  ["text~done", [start, replies([thought("do")]), replies([thought("ne")])], [1, 3]],
  ["text~done", [start, replies([text("do"), thought("ne")])], [1]],
  ["text~done", [start, replies([text("do")]), says("ne")], [1, 3]],
  ["text~done", [start, replies(null)], [1, 2]],
  ["text~done", [start, replies([text("no")], { "stop-reason": "max_tokens" })], [1, 2]],
  ["text~done", [says(LONG), says("x"), says("done")], [1, 3]],
  ["text~done", [says(LONG), replies([text("x")]), says("y")], [1, 2, 3]],
  ["text~done", [start, says("done"), replies(null), says("x")], [1, 2, 3]],
  ["text~done", [start, says("do"), (seq: number) => delta(seq, "x", { coalesced: 2 })], [1, 3]],
  ["reason~failed", [start, (seq: number) => event(seq, "llm/worker-exit", { ...ids, "is-error": true })], [2]],
  ["tool=grep", [start, answers("grep"), answers("ls")], [2]],
  ["event=llm/response model=m", [start, replies([text("x")])], [2]],
  ["session=s invokeid=a tool=grep", [start, answers("ls"), answers("grep")], [3]],
  ["text~done or tool=grep", [start, unnumbered, after(says("x")), after(nobodys)], [1, 2, 4]],
] as const)("%s may begin, line by line, at certain lines of a run (%#)", (condition, lines, expected) => {
  const found = beginTest(read(condition))?.begin()
  for (const [i, line] of lines.entries()) found?.add(line(i), i + 1)
  expect([found?.found(), found?.found()]).toEqual([[...expected], []])
})

test("a gap before a start that is not decoded may make a text come, and the next line follows it", () => {
  const found = beginTest(read("text~missing"))?.begin()
  for (const [i, seq] of [1, 2, 9].entries()) found?.addStart('"invokeid":"a","session-id":"s"', seq, i + 1)
  found?.add(start(10), 4)
  expect(found?.found()).toEqual([1, 3])
})

test("only the folded run can tell where a sum, a time since its start, or what a row is not begins", () => {
  const known = [
    "tool!=grep",
    "tokens>5",
    "ts>+5s",
    "not error",
    "session=s",
    "event!=llm/start",
    "error ts>14:00",
    'text~""',
    "warning",
    "prompt or tool=grep",
  ]
  expect(known.map(one => beginTest(read(one)))).toEqual(known.map(() => null))
})

test("events whose name rules a condition out are not decoded", () => {
  const names = (condition: string) =>
    ["llm/delta", "llm/error", "llm/start"].filter(name => beginTest(read(condition))?.named(name))
  expect([names("error"), names("event=llm/start")]).toEqual([["llm/error", "llm/start"], ["llm/start"]])
})

test("a line may show a text that it has anywhere", () => {
  const line = eventText(1, "llm/response", { ...ids, content: [text("snow")] })
  const shown = (needle: string) => showTest(read(`text~"${needle}"`))(line)
  expect(["snow", "rain", "{", "true"].map(shown)).toEqual([true, false, true, true])
})
