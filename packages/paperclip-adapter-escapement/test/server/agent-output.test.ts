// Tests what is read from the agent's output.
import { describe, expect, test } from "bun:test"
import { isEscapementUnknownSessionError, parseEscapementOutput } from "../../src/server/index.ts"

describe("the agent's output", () => {
  test.each([
    "Session not found: paperclip-1",
    "error: unknown session 'x'",
    "No such session",
    "checkpoint for x does not exist",
    "Could not find checkpoint",
    "no saved session with that id",
  ])("reports a missing session: %s", text => {
    expect(isEscapementUnknownSessionError(text, "")).toBe(true)
    expect(isEscapementUnknownSessionError("", text)).toBe(true)
  })
  test.each(["chart not found: plan.edn", "no credit left", "", "session started", "model missing\nsession closed"])(
    "does not report a missing session: %s",
    text => expect(isEscapementUnknownSessionError(text, text)).toBe(false),
  )
  test("is read row by row, ignoring other lines", () => {
    const rows = [
      "hello",
      '{"event":"runner/started","data":{"session-id":"s-1"}}',
      '{"event":"llm/response","data":{"content":[{"type":"text","text":"Hi"}],"usage":{"input-tokens":3,"output-tokens":2},"model":"m","provider":"ollama"}}',
      '{"event":"llm/error","data":{"message":"bad"}}',
      '{"broken',
      "[1]",
    ]
    expect(parseEscapementOutput(rows.join("\n"))).toMatchObject({
      ...{ sessionId: "s-1", usage: { inputTokens: 3, outputTokens: 2, cachedInputTokens: 0 }, costUsd: null },
      ...{ model: "m", provider: "ollama", summary: "Hi", errors: ["bad"], ending: null, asked: null, rows: 3 },
      ...{ fault: null, hasWorked: true, hasActed: true },
    })
    expect(parseEscapementOutput("").rows).toBe(0)
  })
})
