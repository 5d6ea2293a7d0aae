// Tests at which lines a condition may begin, without folding the run: all that make it true, and few others.
import { expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { beginTest } from "../../src/query/begin-test.ts"
import { showTest } from "../../src/query/show-test.ts"
import { event, eventText, ids } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"

const IDS = '"invokeid":"a","session-id":"s"'
const at =
  (name: string, data: object = {}) =>
  (seq: number) =>
    eventText(seq, name, { ...ids, ...data })
const start = at("llm/start")
const says = (text: string, more: object = { type: "text-delta" }) => at("llm/delta", { text, ...more })
const thinks = (text: string) => says(text, { type: "thinking-delta" })
const replies = (content: object | null, more: object = {}) => at("llm/response", { content, ...more })
const text = (said: string) => ({ type: "text", text: said })
const thought = (said: string) => ({ type: "thinking", thinking: said })
const answers = (tool: string) => at("llm/tool-result", { tool })

const unnumbered = () => JSON.stringify({ event: "note", data: {} })
const after = (one: (seq: number) => string) => (seq: number) => one(seq - 1)
const other = (kind: string) => () => JSON.stringify({ kind, config: [], phase: "start" })
const nobodys = (seq: number) => eventText(seq, "llm/tool-result", { invokeid: "a", tool: "ls" })

/** Of a longer text the beginning does not matter. */
const LONG = "-".repeat(200)

// Before the first line there may be others, which a sought text may go on from.
test.each([
  ["text~done", [start, says("do"), says("ne")], [1, 3]],
  ["text~done", [start, thinks("do"), says("ne")], [1]],
  ["text~done", [start, says("done do"), start, says("ne")], [1, 2]],
  ["text~done", [start, replies([text("do")]), replies([text("ne")])], [1, 3]],
  ["text~done", [start, replies([thought("do")]), replies([thought("ne")])], [1, 3]],
  ["text~done", [start, replies([text("do"), thought("ne")])], [1]],
  ["text~done", [start, replies([text("do")]), says("ne")], [1, 3]],
  ["text~done", [start, replies(null)], [1, 2]],
  ["text~done", [start, replies([text("no")], { "stop-reason": "max_tokens" })], [1, 2]],
  ["text~done", [says(LONG), says("x"), says("done")], [1, 3]],
  ["text~done", [says(LONG), replies([text("x")]), says("y")], [1, 2, 3]],
  ["text~done", [start, says("done"), replies(null), says("x")], [1, 2, 3]],
  ["text~done", [start, says("do"), says("x", { coalesced: 2 })], [1, 3]],
  ["reason~failed", [start, at("llm/worker-exit", { "is-error": true })], [2]],
  ["tool=grep", [start, answers("grep"), answers("ls")], [2]],
  ["event=llm/response model=m", [start, replies([text("x")])], [2]],
  ["session=s invokeid=a tool=grep", [start, answers("ls"), answers("grep")], [3]],
  ["text~done or tool=grep", [start, unnumbered, after(says("x")), after(nobodys)], [1, 2, 4]],
  ["text~done", [start, says("x", { "session-id": null })], [1, 2]],
  ["text~done", [start, other("phase"), other("progress"), other("debug")], [1, 4]],
  ["text~done", [start, (seq: number) => replies([text("x")])(seq + 5)], [1, 2]],
  ['text~"a[b]"', [start, says("a["), says("b]")], [1, 3]],
  [`text~"${LONG.slice(-70)}."`, [start, says(LONG.slice(-68)), says("--."), says("x")], [1, 3]],
  ["event=llm/response text~x", [start, says("x"), replies([text("x")])], [3]],
] as const)(
  "%s may begin, line by line, at certain lines of a run, whether these are decoded or not (%#)",
  (condition, lines, expected) => {
    const test = beginTest(read(condition))
    const [found, bare] = [test?.begin(), test?.begin()]
    for (const [i, line] of lines.entries()) {
      const [text, place] = [line(i), i + 1]
      const frame = decode(text)
      found?.add(frame, place)
      expect(test?.asksDeltas).toBe(condition.startsWith("text"))
      // A reply that was cut is decoded for its reason.
      if (test?.asksDeltas !== true || !text.includes(IDS) || text.includes("max_tokens")) bare?.add(frame, place)
      else if (frame.kind === "delta") bare?.addDelta(IDS, frame, place)
      else if (text.includes("llm/start")) bare?.addStart(IDS, i, place)
      else if (test.shows(text) || bare?.addReply(JSON.parse(text), place) !== true) bare?.add(frame, place)
    }
    expect([found?.found(), found?.found()]).toEqual([[...expected], []])
    expect(bare?.found()).toEqual([...expected])
  },
)

test("a gap before a start that is not decoded may make a text come, and the next line follows it", () => {
  const found = beginTest(read("text~missing"))?.begin()
  for (const [i, seq] of [1, 2, 9].entries()) found?.addStart(IDS, seq, i + 1)
  found?.add(event(10, "llm/start", ids), 4)
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

test("a line may show a text that it has anywhere, in any case, or that it may hide", () => {
  const sought = [
    ...['text~"SNOW"', 'text~"Kelvin"', 'text~"Straße"', 'text~"zq rainbow"', "text~sn.w", "text~sn*w", 'text~"{"'],
    ...["text~snow text~rain", "text~snow or text~rain", 'text~"12"', 'text~"true"', "text=snow", "error", "not error"],
    ...["error or text~rain", "text~snow turn>1"],
  ]
  const lines = [
    "snow",
    "\u017fnow of \u212aelvin in the STRAẞE",
    "zq",
    "sno**o**w",
    "sn\u200bow",
    "\u0001",
    "a\\b",
    "sun",
  ]
  const told = lines.map(said => {
    const shows = (one: string) => showTest(read(one))(eventText(1, "llm/response", { ...ids, content: [text(said)] }))
    return `${encodeURI(said)} not: ${sought.filter(one => !shows(one)).join(" | ")}`
  })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
