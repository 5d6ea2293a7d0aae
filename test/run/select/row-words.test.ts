// Tests the words of the log for every kind of row.
import { describe, expect, test } from "bun:test"
import { rowWords, withoutMarks } from "../../../src/run/select/row-words.ts"
import { event, ids, line, rowsOf, tell } from "../lines.ts"

/** The source, the word and the details of the last row after these lines. */
function words(...lines: Parameters<typeof tell>[0]): readonly [string, string, string] {
  const run = tell(lines)
  const row = rowsOf(run).at(-1)
  if (row === undefined) throw new Error("expected a row")
  const { source, what, text } = rowWords(run, row)
  return [source, what, text]
}

const use = { type: "tool_use", name: "bash", input: { command: "ls" } }
const text = { type: "text", text: "**Hello**\nthere" }

describe("an event in the log", () => {
  test.each([
    ["runner/started", { "chart-id": ":poets" }, "chart", "started", ":poets"],
    ["runner/started", { "chart-id": ":poets", "resume?": true }, "chart", "started", "resumed  :poets"],
    ["runner/start-config", { config: ["run", "draft"] }, "chart", "config", "run › draft"],
    [
      "runner/event-processed",
      { entered: ["review", "vote"], exited: ["draft"], "config-after": ["run", "review"], "event-name": "done.x" },
      ...["chart", "→ review, vote", "from draft  (done.x)"],
    ],
    ["runner/event-processed", { "config-after": ["run", "review"] }, "chart", "→ run › review", ""],
    ["runner/done", { "final-config": ["run", "end"], status: "done" }, "chart", "done", "run › end"],
    ["runner/done", {}, "chart", "done", ""],
    ["runner/aborted", { reason: "killed" }, "chart", "aborted", "killed"],
    ["runner/error", { message: "no" }, "chart", "error", "no"],
    ["llm/start", { ...ids, model: "m" }, "a", "start", "m"],
    ["llm/request", { ...ids, model: "m", "n-messages": 1, "user-blocks": [text] }, "a", "asked", "m · Hello there"],
    ["llm/request", { ...ids, "n-messages": 2 }, "a", "asked", ""],
    [
      "llm/response",
      { ...ids, usage: { "output-tokens": 7 }, content: [text, use] },
      "a",
      "said",
      "Hello there bash(ls)",
    ],
    [
      "llm/response",
      { ...ids, content: [{ type: "text", text: "\n and so on" }], "stop-reason": "end_turn" },
      ...["a", "said", "and so on"],
    ],
    ["llm/response", { ...ids, "stop-reason": "end_turn" }, "a", "said", ""],
    ["llm/response", { ...ids, "stop-reason": "tool_use" }, "a", "said", ""],
    ["llm/response", { ...ids, "stop-reason": "max_tokens" }, "a", "reply truncated", "token limit"],
    ["llm/response", { ...ids, "stop-reason": "refusal" }, "a", "refused", "refusal"],
    ["llm/error", { ...ids, message: "no" }, "a", "model error", "no"],
    [
      "llm/model-down",
      { ...ids, model: "m", category: "rate", message: "slow", remaining: 1 },
      ...["a", "model unavailable", "m  rate  slow  1 model left to try"],
    ],
    [
      "llm/tool-result",
      { ...ids, tool: "bash", "elapsed-ms": 1250, "content-preview": "a\tb" },
      "a",
      "tool",
      "bash  1.3s  a b",
    ],
    ["llm/tool-result", { ...ids, tool: "bash", "is-error": true }, "a", "tool error", "bash"],
    ["llm/worker-exit", { ...ids, reason: "done" }, "a", "session ended", ""],
    ["llm/worker-exit", { ...ids, reason: "error" }, "a", "session ended", "error"],
    ["llm/user-message", { ...ids, text: "hi" }, "a", "user", "hi"],
    ["llm/context-warning", { ...ids, "used-frac": 0.834 }, "a", "context", "83% used"],
    ["llm/context-warning", ids, "a", "context", "nearly full"],
    ["llm/model-policy-empty", { ...ids, policy: "smart", "strict?": true }, "a", "no model", "smart  (strict)"],
    [
      "llm/retry",
      { ...ids, attempt: 2, "max-retries": 5, category: "rate", model: "m" },
      "a",
      "retry",
      "2 of 5  rate  m",
    ],
    ["llm/retry", { ...ids, attempt: 2 }, "a", "retry", "2 of ?"],
    ["llm/retry", { ...ids, category: "rate" }, "a", "retry", "rate"],
    ["human-input/start", { kind: "text", prompt: "Who?", invokeid: "ask" }, "ask", "asks", "Who?  (text)"],
    ["human-input/answer", { kind: "text", answer: "Ada" }, "human", "answer", "Ada"],
    ["human-input/cancelled", {}, "human", "cancelled", ""],
    ["human-input/interrupted", {}, "human", "interrupted", "the agent withdrew the question"],
    ["human-input/error", { message: "no" }, "human", "input error", "no"],
    ["human-input/validation-failed", { errors: ["short", "odd"] }, "human", "invalid answer", "short; odd"],
    [
      "debug/awaiting-step",
      { "event-name": "go", "external?": true },
      "debugger",
      "waiting",
      "for a step  go  (external)",
    ],
    ["debug/awaiting-quit", { msg: "done" }, "debugger", "waiting", "for you to quit  done"],
    ["transcript/serialize-error", {}, "agent", "unwritten row", "the agent couldn't write a value here"],
    ["brand/new", { n: 1 }, "agent", "brand/new", '{"n":1}'],
  ])("%s with %j is of %s: %s, %s", (name, data, ...expected) => {
    // Its session is there already.
    expect(words(event(1, "llm/start", ids), event(2, name, data))).toEqual(expected as [string, string, string])
  })

  test("is of its invocation by name where it has no session, and says what is wrong with it", () => {
    expect(words(event(1, "llm/retry", { invokeid: "poet", attempt: "x" }))).toEqual([
      "poet",
      "retry",
      expect.stringMatching(/^ {2}\[.*attempt.*\]$/),
    ])
  })
})

test("an answer stays in the words of its option, or private, once its asker has asked for something else", () => {
  const options = [{ label: "Always", value: "always 0" }]
  const asks = (id: string, opts: object) =>
    line({ kind: "prompt", "prompt-id": id, invokeid: "a", type: "select", opts: { prompt: "May it?", ...opts } })
  const answer = (seq: number) => event(seq, "human-input/answer", { ...ids, answer: "always 0" }, 1000 * seq)
  const run = tell([
    event(1, "llm/start", ids, 1000),
    ...[asks("one", { options }), answer(2), event(3, "app/note", {}, 3000)],
    ...[asks("two", { secret: true }), answer(4), event(5, "app/note", {}, 5000), asks("three", {})],
  ])
  const answers = rowsOf(run).map(row => rowWords(run, row))
  expect(answers.filter(({ what }) => what === "answer").map(one => one.text)).toEqual(["Always", "(kept private)"])
})

const sidecar = (more: object) => line({ kind: "sidecar", at: 5, ...more })
test.each([
  [[event(1, "x", {}), event(3, "x", {})], "gap", "1 row missing (seq 2)"],
  [[event(1, "x", {}), event(5, "x", {})], "gap", "3 rows missing (seq 2 to 4)"],
  [[sidecar({ what: "refused", op: "step", why: "no debugger" })], "not sent", "step: no debugger"],
  [[sidecar({ what: "disk", rows: 1, absent: 0 })], "disk", "1 row from disk"],
  [
    [sidecar({ what: "disk", rows: 3, absent: 2, approximate: true })],
    "disk",
    "3 rows from disk, 2 not on disk, position approximate",
  ],
  [[sidecar({ what: "disk", rows: 0, absent: 1 })], "disk", "1 row is not on disk"],
  [[sidecar({ what: "disk", rows: 0, absent: 2 })], "disk", "2 rows are not on disk"],
  [[sidecar({ what: "disk", restarted: true })], "disk", "History restarted: the transcript file was rewritten"],
] as const)("after %j the log says by itself: %s, %s", (lines, short, details) => {
  const run = tell(lines)
  const own = rowsOf(run)
    .map(row => rowWords(run, row))
    .filter(({ source }) => source === "sidecar")
  expect(own.map(({ what, text }) => [what, text])).toEqual([[short, details]])
})

const oneLine = (text: string) => withoutMarks(text).replace(/\s+/g, " ").trim()

test("a text is shown on one line without the marks of headings, bold, quotes, fences and tables", () => {
  expect(oneLine("## Plan\n\n1. **Timeline** - minute by minute")).toBe("Plan 1. Timeline - minute by minute")
  expect(oneLine("> The fault lasted a millisecond.\n> Then it was over.")).toBe(
    "The fault lasted a millisecond. Then it was over.",
  )
  expect(oneLine("so:\n\n```ts\nreturn a || b\n```\nDone")).toBe("so: return a || b Done")
  expect(oneLine("| time  | what |\n|-------|:----:|\n| 06:41 | import |")).toBe("time | what 06:41 | import")
})

test("a word that stands out loses its marks, but for code", () => {
  expect(oneLine("*It* was *the pier*, said `a *b* c`.")).toBe("It was the pier, said `a *b* c`.")
})

test("what only looks like a mark stays", () => {
  const texts = ["a # b", "C# and #5", "a > b", "2 * 3 ^ 4", "a | b", "x -- y", "__init__", "a*b*c", "* a", "*a"]
  for (const text of texts) expect(oneLine(text)).toBe(text)
})

test("a long line of dashes takes no longer than one of letters", () => {
  const dashes = `${"-".repeat(50_000)}x`
  expect(withoutMarks(dashes)).toBe(dashes)
})
