// Tests what a list says of a run, from its last frames.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { type TailFacts, tailFacts } from "../../../src/run/select/tail-facts.ts"
import { delta, event, ids, tell } from "../lines.ts"

const started = event(0, "runner/started", { "chart-id": ":haiku/tournament" })
const facts = (...lines: Parameters<typeof tell>[0]): TailFacts => tailFacts(tell([started, ...lines]), null)
const response = event(3, "llm/response", {
  ...ids,
  content: [{ type: "text", text: "\n\nFirst snow falls\nand so on" }],
  usage: { "output-tokens": 12 },
})

describe("how a run ended", () => {
  test.each([
    ["done", event(1, "runner/done", {}), "done"],
    ["done with an error", event(1, "runner/done", { status: "error" }), "failed"],
    ["an error", event(1, "runner/error", { message: "no model" }), "failed"],
    ["aborted", event(1, "runner/aborted", { reason: "ui-quit" }), "stopped"],
    ["nothing yet", event(1, "runner/tick", {}), null],
  ] as const)("%s", (_, line, end) => {
    expect(facts(line).end).toBe(end)
  })

  test("a run that began again after its end has none", () => {
    expect(facts(event(1, "runner/done", {}), event(0, "runner/started", {}, 9000)).end).toBeNull()
  })
})

const asks = event(4, "human-input/start", { invokeid: "pick", kind: "text", prompt: "Which\n title?" })
const answer = event(5, "human-input/answer", { invokeid: "pick", answer: "x" })
const error = event(5, "runner/error", { message: "no model\nleft" })
const words = [event(1, "llm/start", { ...ids, model: "m" }), delta(2, "one\ntwo "), delta(3, "three")]
const call = { type: "tool_use", id: "t", name: "run_bash", input: {} }
const calls = event(1, "llm/response", { ...ids, content: [call], "stop-reason": "tool_use" })

test.each<[what: string, lines: readonly Decoded[], told: Partial<TailFacts>]>([
  ["the question that waits, on one line", [response, asks], { asks: "Which title?", last: "asks: Which title?" }],
  ["the first line of the last reply", [response, asks, answer], { asks: null, last: "a: First snow falls" }],
  ["the last reply after the end", [response, event(4, "runner/done", {})], { last: "a: First snow falls" }],
  ["why a run failed, and no question", [asks, error], { asks: null, last: "no model left", errors: 1 }],
  ["the last line of a reply that streams", words, { last: "a: two three" }],
  ["the tool that runs", [calls], { last: "a runs run_bash" }],
  ["the last row of the log where nobody has spoken", [], { last: "chart started :haiku/tournament" }],
])("what happened last is %s", (_, lines, told) => expect(facts(...lines)).toMatchObject(told))

test("nothing has happened in a run without rows", () => {
  expect(tailFacts(tell([]), null)).toMatchObject({ last: "", chart: null, firstTs: null, tokens: 0, bars: [] })
})

test("a long text is cut, so that thousands of runs fit into memory", () => {
  expect(facts(event(1, "runner/error", { message: "x".repeat(100_000) })).last.length).toBeLessThanOrEqual(400)
})

test("a cost of which more than a part is unknown has one +", () => {
  const reply = (seq: number, more: object) =>
    event(seq, "llm/response", {
      ...ids,
      content: [{ type: "text", text: "x" }],
      usage: { "output-tokens": 3 },
      ...more,
    })
  const lines = [event(1, "llm/start", { ...ids, model: "m" }), reply(2, { "cost-usd": 2 }), reply(3, {})]
  expect(tailFacts(tell(lines), tell([started])).cost).toBe("$2.00+")
})
