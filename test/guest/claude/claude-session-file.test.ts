// Tests what a session file of Claude Code tells of its prompts, and at which cost.
import { expect, spyOn, test } from "bun:test"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { ClaudeSessionFile } from "../../../src/guest/claude/claude-session-file.ts"
import { Output } from "../../../src/guest/common/output.ts"

/** The reader of a file in which these prompts follow each other. */
function readerOf(...prompts: readonly JsonObject[]): ClaudeSessionFile {
  const reader = new ClaudeSessionFile(new Output(), { session: null, prompt: null })
  const message = { role: "user", content: "Go." }
  for (const prompt of prompts) reader.read({ type: "user", parentUuid: null, sessionId: "s", message, ...prompt })
  return reader
}

/** How often a log is looked up in for a person who goes back to the first prompt so many times. */
function lookUps(rewinds: number): number {
  using looks = spyOn(Map.prototype, "has")
  readerOf({ uuid: "0" }, ...Array.from({ length: rewinds }, (_, i) => ({ uuid: `${i + 1}`, parentUuid: "0" })))
  return looks.mock.calls.length
}

test("the hundredth rewind costs as little as the first", () => {
  expect(lookUps(200) / lookUps(100)).toBeLessThan(2.1)
})

test.each([
  ["a person's is one", {}, ["1"]],
  ["a subagent's is none", { isSidechain: true, agentId: "a" }, []],
  ["a summary of what came before is none", { isCompactSummary: true }, []],
] as const)("a prompt that follows nothing leaves behind what came before it: %s", (_, more, left) => {
  expect([...(readerOf({ uuid: "1" }, { uuid: "2", ...more }).late?.left?.keys() ?? [])]).toEqual([...left])
})
