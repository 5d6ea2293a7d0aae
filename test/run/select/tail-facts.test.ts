// Tests what a list says of a run, from its last frames.
import { describe, expect, test } from "bun:test"
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

describe("what happened last", () => {
  test("is the question that waits, on one line", () => {
    const asks = event(4, "human-input/start", { invokeid: "pick", kind: "text", prompt: "Which\n title?" })
    expect(facts(response, asks)).toMatchObject({ asks: "Which title?", last: "asks: Which title?" })
    const answer = event(5, "human-input/answer", { invokeid: "pick", answer: "x" })
    expect(facts(response, asks, answer)).toMatchObject({ asks: null, last: "a: First snow falls" })
  })

  test("of a run that is over is no question, and why it failed", () => {
    const asks = event(4, "human-input/start", { invokeid: "pick", kind: "text", prompt: "Which?" })
    const error = event(5, "runner/error", { message: "no model\nleft" })
    expect(facts(asks, error)).toMatchObject({ asks: null, last: "no model left", errors: 1 })
  })

  test("is the first line of the last reply, and while it streams its last line", () => {
    expect(facts(response, event(4, "runner/done", {})).last).toBe("a: First snow falls")
    const words = [event(1, "llm/start", { ...ids, model: "m" }), delta(2, "one\ntwo "), delta(3, "three")]
    expect(facts(...words).last).toBe("a: two three")
  })

  test("is the tool that runs", () => {
    const call = { type: "tool_use", id: "t", name: "run_bash", input: {} }
    expect(facts(event(1, "llm/response", { ...ids, content: [call], "stop-reason": "tool_use" })).last).toBe(
      "a runs run_bash",
    )
  })

  test("is the last row of the log where nobody has spoken, and nothing without rows", () => {
    expect(facts().last).toBe("chart started :haiku/tournament")
    expect(tailFacts(tell([]), null)).toMatchObject({ last: "", chart: null, firstTs: null, tokens: 0, bars: [] })
  })
})

test("the chart, times, tokens and states of a run; its beginning is that of its head", () => {
  const state = (seq: number, id: string, from: string[], ts: number) =>
    event(seq, "runner/event-processed", { entered: [id], exited: from, "config-after": [id] }, ts)
  const lines = [state(1, "planning", [], 2000), state(2, "judging", ["planning"], 5000), response]
  const whole = tailFacts(tell([started, ...lines, event(4, "runner/tick", {}, 9000)]), null)
  expect(whole).toMatchObject({ chart: "haiku/tournament", state: "judging", firstTs: 1000, lastTs: 9000, tokens: 12 })
  expect(whole.isWhole).toBe(true)
  expect(whole.states).toEqual([
    { id: "planning", ms: 3000, isActive: false },
    { id: "judging", ms: 4000, isActive: true },
  ])
  const tail = tailFacts(tell([response]), tell([started]))
  expect(tail).toMatchObject({ chart: "haiku/tournament", firstTs: 1000, tokens: 12, isWhole: false })
})

test("a long text is cut, so that thousands of runs fit into memory", () => {
  const error = event(1, "runner/error", { message: "x".repeat(100_000) })
  expect(facts(error).last.length).toBeLessThanOrEqual(400)
})
