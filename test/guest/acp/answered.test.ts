// Tests what shows of a tool that a person was asked about, of agents that tell little of it, as Gemini CLI does.
import { expect, test } from "bun:test"
import { Conversation } from "../conversation.ts"
import { blocksOf } from "../reading.ts"

/** A conversation whose agent asks whether a tool may run, and is answered. */
function asked(answer: string): { talk: Conversation; tells: (update: object) => void } {
  const talk = new Conversation("acp")
  talk.reply("initialize", { protocolVersion: 1 })
  talk.reply("session/new", { sessionId: "s" })
  const content = [{ type: "content", content: { type: "text", text: "what it would do" } }]
  const toolCall = { toolCallId: "c", kind: "execute", title: "touch a", status: "pending", content }
  const params = { sessionId: "s", toolCall, options: [{ optionId: "yes" }, { optionId: "no" }] }
  talk.says({ jsonrpc: "2.0", id: 0, method: "session/request_permission", params })
  talk.answers(answer)
  const tells = (update: object) =>
    talk.says({ jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: { ...update } } })
  return { talk, tells }
}

const says = (text: string) => ({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } })

test("what a question says of a tool is not what the tool has put out", () => {
  const { talk, tells } = asked("yes")
  tells({ sessionUpdate: "tool_call_update", toolCallId: "c", status: "completed", content: [] })
  expect(blocksOf(talk.run).at(-1)).toMatch(/^tool-result execute[^:]*: $/)
})

test("what the agent says after a tool was refused is another request, though it tells no result", () => {
  const { talk, tells } = asked("no")
  tells(says("As you wish."))
  talk.reply("session/prompt", { stopReason: "end_turn" })
  expect(talk.run.facts.ledger.total.requests).toBe(2)
  expect(blocksOf(talk.run).filter(block => block.startsWith("tool-result"))).toEqual(["tool-result execute failed: "])
})
