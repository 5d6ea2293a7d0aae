// Tests how many model requests a guest's output proves, and what its result says of them, by the ledger of its run.
import { describe, expect, test } from "bun:test"
import { FrameWriter } from "../../src/guest/frame-writer.ts"
import type { TranscriptEntry } from "../../src/guest/transcript-entry.ts"
import type { Run } from "../../src/run/model/run.ts"
import { call, folded, gives, note, outcome, say } from "./entries.ts"
import { blocksOf, parserOf, printed, runFrom, runOf } from "./reading.ts"

const read = (id: string): TranscriptEntry => call(id, "read")
const result = (more: object = {}): TranscriptEntry => outcome({ input: 90, output: 4, ...more })

describe("a log that doesn't number its requests", () => {
  test.each([
    ["words before a call", 1, [say("a"), read("1")]],
    ["calls side by side", 1, [read("1"), read("2"), gives("1", "x"), gives("2", "x")]],
    ["words around a note", 1, [say("a"), note("system", "n"), say("b")]],
    ["words after a result", 2, [say("a"), read("1"), gives("1", "x"), say("b")]],
    ["calls one after another", 3, [read("1"), gives("1", "x"), read("2"), gives("2", "x"), say("b")]],
    ["words around a note after a result", 2, [read("1"), gives("1", "x"), say("a"), note("system", "n"), say("b")]],
    ["figures after a result", 1, [read("1"), gives("1", "x"), result()]],
    ["figures alone", 1, [result()]],
    ["words after figures", 2, [say("a"), result(), say("b")]],
  ] as const)("%s", (_, requests, entries) => {
    expect(folded(...entries).facts.ledger.total).toMatchObject({ requests })
  })

  test("with figures of several requests says nothing of the context", () => {
    expect(folded(say("a"), result()).sessions[0]?.usage.input).toBe(90)
    expect(folded(read("1"), gives("1", "x"), say("a"), result()).sessions[0]?.usage.input).toBeNull()
  })

  test("and without figures costs nobody knows what", () => {
    const run = folded(read("1"), gives("1", "x"), say("a"))
    expect(run.facts.ledger.total).toMatchObject({ requests: 2, priced: 0, unpriced: 2 })
  })
})

describe("cached tokens of a parser that doesn't say whether the input counts them", () => {
  test("are no share of the input", () => {
    const run = folded(say("a"), result({ input: 4000, cached: 3000 }))
    expect(run.facts.ledger.total).toMatchObject({ input: 4000, cached: 0 })
    expect(blocksOf(run).at(-1)).toBe("note result: 4,000 in · 4 out · 3,000 cached")
  })
  test("are beside it if they are more", () => {
    const run = folded(say("a"), result({ input: 1000, cached: 3000 }))
    expect(run.facts.ledger.total).toMatchObject({ input: 4000, cached: 3000 })
    expect(blocksOf(run).at(-1)).toBe("note result: 4,000 in (3,000 cached) · 4 out")
  })
})

/** The run of a CLI that printed these events. */
async function printedBy(cli: string, ...events: readonly object[]): Promise<Run> {
  return await runOf(await parserOf(cli), printed(...events.map(event => JSON.stringify(event))))
}

describe("Claude Code", () => {
  const begins = { type: "system", subtype: "init", session_id: "8f14e45f-0", model: "opus", tools: [], uuid: "u" }
  const says = (id: string, content: object, more: object = {}, parent: string | null = null) => ({
    ...{ type: "assistant", parent_tool_use_id: parent, session_id: "8f14e45f-0" },
    message: { id, model: "opus", content: [content], stop_reason: null, usage: { input_tokens: 4 }, ...more },
  })
  const uses = (id: string) => ({ type: "tool_use", id, name: "Read", input: {} })
  const answers = (id: string, parent: string | null = null) => ({
    ...{ type: "user", parent_tool_use_id: parent, session_id: "8f14e45f-0" },
    message: { content: [{ type: "tool_result", tool_use_id: id, content: "x" }] },
  })
  const ends = (more: object = {}) => ({
    ...{ type: "result", subtype: "success", is_error: false, duration_ms: 9000, num_turns: 2, result: "Done." },
    ...{ session_id: "8f14e45f-0", total_cost_usd: 0.5, usage: { input_tokens: 9, output_tokens: 2 }, ...more },
  })
  const text = { type: "text", text: "Done." }

  test("parts of a message are one request, however many results come between them", async () => {
    const parts = [says("m1", uses("a")), answers("a"), says("m1", uses("b")), answers("b")]
    const run = await printedBy("claude", begins, ...parts, says("m2", text), ends())
    expect(run.facts.ledger.total).toMatchObject({ requests: 2, unpriced: 0, nanos: 5e8, calls: 2 })
  })

  test("a subagent's messages are requests too", async () => {
    const sub = [says("s1", uses("b"), {}, "a"), answers("b", "a"), says("s2", text, {}, "a")]
    const run = await printedBy("claude", begins, says("m1", uses("a")), ...sub, answers("a"), says("m2", text), ends())
    expect(run.facts.ledger.total).toMatchObject({ requests: 4, unpriced: 0 })
  })

  test.each([
    ["end_turn", 0],
    ["max_tokens", 1],
  ])("the last reply ended as its message says: %s, which is known as cut: %d", async (stop_reason, cut) => {
    const run = await printedBy("claude", begins, says("m1", text, { stop_reason }), ends())
    expect(run.sessions[0]).toMatchObject({ stopReason: stop_reason, truncatedReplies: cut })
  })

  test("a message's end that counts the input again keeps what its beginning says of the cache", async () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 40, cache_creation_input_tokens: 3000 }
    const event = (of: object) => ({
      type: "stream_event",
      parent_tool_use_id: null,
      session_id: "8f14e45f-0",
      event: of,
    })
    const starts = event({ type: "message_start", message: { id: "m1", model: "opus", usage } })
    const stops = event({ type: "message_delta", delta: {}, usage: { input_tokens: 100, output_tokens: 5 } })
    const run = await printedBy("claude", begins, starts, stops)
    expect(run.facts.ledger.total).toMatchObject({ input: 3140, cached: 40, written: 3000, output: 5 })
  })

  test("an error that the CLI puts in the model's place without words has words", async () => {
    const run = await printedBy("claude", begins, says("m1", {}, { model: "<synthetic>" }), ends({ is_error: true }))
    expect(blocksOf(run).filter(block => block.startsWith("error"))).toEqual([
      "error failed: the request failed",
      "error failed: Done.",
    ])
  })

  test("a run that hits its limit of turns has failed, and says why", async () => {
    const limit = ends({ subtype: "error_max_turns", result: undefined })
    const run = await printedBy("claude", begins, says("m1", uses("a")), answers("a"), limit)
    expect(run.sessions[0]?.error).toBe("max turns")
    expect(run.facts.ledger.total).toMatchObject({ requests: 1, nanos: 5e8, unpriced: 0 })
  })
})

describe("other CLIs", () => {
  test("Gemini CLI's errors and warnings are told apart", async () => {
    const tells = (severity: string) => ({ type: "error", severity, message: `some ${severity}` })
    const run = await printedBy("gemini", tells("error"), tells("warning"))
    expect(blocksOf(run)).toEqual(["note error failed: some error", "note warning: some warning"])
    expect(run.log.errors).toBe(1)
  })

  test("a prompt that Kimi repeats is shown", async () => {
    const run = await printedBy("kimi", { role: "user", content: "Bake." }, { role: "assistant", content: "Baked." })
    expect(blocksOf(run)).toEqual(["user: Bake.", "text: Baked."])
  })

  test("Grok's result counts the turns that its words don't part", async () => {
    const words = ["a", "b", "c"].map(data => ({ type: "text", data }))
    const end = { type: "end", stopReason: "EndTurn", sessionId: "s", num_turns: 3, usage: { input_tokens: 5 } }
    const run = await printedBy("grok", { type: "thought", data: "hm" }, ...words, end)
    expect(run.facts.ledger.total).toMatchObject({ requests: 3 })
  })

  test("Kimi's last words end a run, which has failed if an error came before them", async () => {
    const hint = { role: "meta", type: "session.resume_hint", session_id: "7c9e6679-1" }
    const says = { role: "assistant", content: "Hm." }
    const fails = { role: "error", content: "no credit" }
    const read = async (...events: readonly object[]) => {
      const parser = await parserOf("kimi")
      const writer = new FrameWriter("kimi")
      const frames = await writer.write(parser, printed(...events.map(event => JSON.stringify(event))))
      parser.close()
      return runFrom([...writer.begin(0), ...frames, ...writer.pause(99)])
    }
    expect(await read(says, hint)).toMatchObject({ status: "finished" })
    expect(await read(says, fails, hint)).toMatchObject({ status: "error", reason: "no credit" })
    expect(await read(fails, says, hint)).toMatchObject({ status: "finished" })
    expect(await read(says)).toMatchObject({ status: "running" })
  })

  test.each([
    ["success", { content: "text" }, "tool-result lsToolCall: text"],
    ["success", { path: "a.ts", linesAdded: 3 }, "tool-result lsToolCall: path: a.ts\nlinesAdded: 3"],
    ["error", { error: "no such file" }, "tool-result lsToolCall failed: no such file"],
    ["rejected", { path: "a.ts", reason: "" }, "tool-result lsToolCall failed: path: a.ts"],
    ["failure", { stderr: "boom", exitCode: 2 }, "tool-result lsToolCall failed: stderr: boom\nexitCode: 2"],
  ])("Cursor's tool with the outcome %s %j shows %j", async (outcome, fields, shown) => {
    const tool = (subtype: string, more: object) => ({
      ...{ type: "tool_call", subtype, call_id: "c", tool_call: { lsToolCall: { args: { path: "a.ts" }, ...more } } },
    })
    const run = await printedBy("cursor", tool("started", {}), tool("completed", { result: { [outcome]: fields } }))
    expect(blocksOf(run).at(-1)?.replace(" 1000 ms", "")).toBe(shown)
  })
})
