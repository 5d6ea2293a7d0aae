// Loads ui-parsers published by others, and runs them on lines of their agents.
import { describe, expect, test } from "bun:test"
import { blocksOf, parserOf, printed, runOf } from "./reading.ts"

async function read(name: string, ...lines: readonly string[]) {
  const run = await runOf(await parserOf(name), printed(...lines))
  return { run, blocks: blocksOf(run), warnings: run.guest.warnings.map(({ why }) => why) }
}

const json = (value: object) => JSON.stringify(value)

describe("published parsers", () => {
  test("hermes (CommonJS, parseStdoutLine)", async () => {
    const { blocks, warnings } = await read(
      "@paperclipai/hermes-paperclip-adapter",
      "[hermes] Session resumed: abc123",
      "  ┊ 💬 I see the project structure.",
      "  ┊ $ ls /home/user/project 0.3s",
      "The project is a CLI tool.",
    )
    expect(warnings).toEqual([])
    expect(blocks).toEqual([
      "note system: [hermes] Session resumed: abc123",
      "text: I see the project structure.",
      'tool-call shell: {"detail":"ls /home/user/project"}',
      expect.stringMatching(/^tool-result shell: .*0\.3s$/),
      "text: The project is a CLI tool.",
    ])
  })
  test("qwen (ES module, both exports, one of them renamed)", async () => {
    const { run, blocks, warnings } = await read(
      "@superbiche/qwen-paperclip-adapter",
      json({ type: "system", subtype: "init", model: "qwen3-coder", session_id: "s1" }),
      json({ type: "assistant", message: { content: [{ type: "text", text: "I look." }] } }),
      "no JSON at all",
      json({ type: "result", subtype: "success", usage: { input_tokens: 8, output_tokens: 3 } }),
    )
    expect(warnings).toEqual([])
    expect(run.turnBuffers[0]?.turn.model).toBe("qwen3-coder")
    expect(run.facts).toMatchObject({ tokens: 3, ledger: { total: { input: 8, output: 3 } } })
    expect(blocks).toEqual([
      "note init: session s1",
      "text: I look.",
      "note stdout: no JSON at all",
      "note result: 8 in · 3 out",
    ])
  })
  test("omp (ES module, parseStdoutLine alone)", async () => {
    const usage = { input: 12, output: 5, cacheRead: 0, cost: { total: 0.01 } }
    const content = [
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Done." },
    ]
    const { run, blocks, warnings } = await read(
      "@agentic-engineering-agency/paperclip-adapter-omp",
      json({ type: "session", id: "s1" }),
      json({ type: "message_end", message: { role: "user", content: [{ type: "text", text: "Go." }] } }),
      json({ type: "message_end", message: { role: "assistant", content, usage } }),
    )
    expect(warnings).toEqual([])
    // The parser says 0 cached, as for each message that tells none.
    expect(run).toMatchObject({
      facts: { tokens: 5 },
      sessions: [{ totalUsage: { input: 12, output: 5, cached: null } }],
    })
    expect({ ...run.sessions[0], ...run.turnBuffers[0]?.turn }).toMatchObject({ model: "omp", turns: 1 })
    expect(blocks).toEqual([
      "note init: session s1",
      "user: Go.",
      "thinking: Hm.",
      "text: Done.",
      "note result: 12 in · 5 out · $0.0100",
    ])
  })
  test("ours, by its name", async () => {
    const ended = "run ■ done: 400 in, 80 out, $0.02; Done."
    const { run, blocks, warnings } = await read("escapement", "[paperclip] run started", "judge │ Hi", ended)
    expect(warnings).toEqual([])
    expect(run.facts).toMatchObject({ tokens: 80, ledger: { total: { input: 400, output: 80, nanos: 2e7 } } })
    expect(blocks).toEqual([
      "note system: [paperclip] run started",
      "text: Hi\n",
      "note result: 400 in · 80 out · $0.0200\nDone.",
    ])
  })
  test.each([
    "@paperclipai/hermes-paperclip-adapter",
    "@superbiche/qwen-paperclip-adapter",
    "@agentic-engineering-agency/paperclip-adapter-omp",
    "escapement",
  ])("%s survives junk", async name => {
    const { run } = await read(name, "", "{", "null", "[1,2", '{"type":7}', "\x1b[31m", "x".repeat(100_000), "\ud800")
    expect(run.status).toBe("finished")
    expect(run.guest.warnings.filter(({ why }) => why.includes("is out"))).toEqual([])
  })
})
