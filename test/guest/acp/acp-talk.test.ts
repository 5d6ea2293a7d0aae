// Talks to hostile agents over the Agent Client Protocol; talks-kept.test.ts keeps what others say and hear.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../for-all.ts"
import { Played } from "../talks.ts"

/** Up to the first prompt. */
function begun(): Played {
  const talk = new Played("acp", { prompt: "Make it." })
  const agent = { protocolVersion: 1, agentInfo: { name: "tester", version: "1" } }
  talk.play("acp", `reply initialize ${JSON.stringify(agent)}`, 'reply session/new {"sessionId":"s1"}')
  return talk
}

describe("hostile agents", () => {
  const method = fc.constantFrom(
    ...["session/update", "session/request_permission", "elicitation/create", "$/cancel_request", "x", ""],
  )
  const kind = fc.constantFrom(
    ...["agent_message_chunk", "tool_call", "tool_call_update", "plan", "usage_update", "user_message_chunk", "odd"],
  )
  const update = fc.record({ sessionUpdate: kind, content: fc.jsonValue(), entries: fc.jsonValue() })
  const loose = fc.dictionary(
    fc.constantFrom("update", "toolCall", "options", "requestedSchema", "sessionId", "requestId", "message"),
    fc.oneof(fc.jsonValue(), update),
  )
  const message = fc.record(
    {
      id: fc.oneof(fc.nat(5), fc.jsonValue()),
      method,
      params: fc.oneof(loose, fc.jsonValue()),
      result: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )

  test("nothing that an agent says throws, and no question is left open", () =>
    forAll([fc.array(fc.oneof(message, fc.string()), { maxLength: 30 })], { seed: 39, numRuns: 300 }, lines => {
      const one = begun()
      const said = lines.map(line => `agent ${typeof line === "string" ? line : JSON.stringify(line)}`)
      one.play(...said, 'do {"type":"ui-interrupt"}', "leave", "ends 0")
      const { run } = one
      expect(run.log.malformed).toEqual([])
      expect(run.prompts.filter(({ state }) => state === "open")).toEqual([])
    }))
})
