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
    expect(isEscapementUnknownSessionError(text, "bye")).toBe(true)
    expect(isEscapementUnknownSessionError("hi", text)).toBe(true)
  })
  test.each(["chart not found: plan.edn", "no credit left", "", "session started", "model missing\nsession closed"])(
    "does not report a missing session: %s",
    text => expect(isEscapementUnknownSessionError(text, text)).toBe(false),
  )
  test("is read row by row, ignoring other lines", () => {
    const rows = ["hello", '{"event":"llm/error","data":{"message":"bad"}}', '{"broken', "[1]", ' {"event":"x"}']
    expect(parseEscapementOutput(rows.join("\n"))).toMatchObject({ errors: ["bad"], rows: 2, hasActed: true })
    expect(parseEscapementOutput("").rows).toBe(0)
  })
})
