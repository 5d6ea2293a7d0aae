// Talks to a scripted agent over the Agent Client Protocol: what a person sees, and what the agent hears.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import type { TalkOptions } from "../../../src/guest/common/talk.ts"
import { forAll } from "../../for-all.ts"
import { Conversation } from "../conversation.ts"
import { blocksOf } from "../reading.ts"

const option = (optionId: string, name: string, kind: string) => ({ optionId, name, kind })
const PERMISSION = {
  toolCall: { toolCallId: "c1", title: "touch a", kind: "execute", rawInput: { command: "touch a" } },
  options: [option("once", "Allow once", "allow_once"), option("no", "Reject", "reject_once")],
}

class Acp extends Conversation {
  constructor(options: Partial<TalkOptions> = {}) {
    super("acp", options)
  }

  /** Up to the first prompt, which the agent has looked at. */
  static begun(options: Partial<TalkOptions> = {}): Acp {
    const begun = new Acp(options)
    begun.reply("initialize", { protocolVersion: 1, agentInfo: { name: "tester", version: "1" } })
    begun.reply("session/new", { sessionId: "s1" })
    begun.heard()
    return begun
  }

  /** What the agent heard, as a method or as a reply to it. */
  said(): readonly Json[] {
    return this.heard().map(({ method, result, error }) => method ?? result ?? error ?? null)
  }

  update(update: JsonObject): void {
    this.says({ method: "session/update", params: { sessionId: "s1", update } })
  }

  asks(params: JsonObject, method = "session/request_permission", id: Json = 0): void {
    this.says({ id, method, params: { sessionId: "s1", ...params } })
  }
}

const chosen = (optionId: string) => ({ outcome: { outcome: "selected", optionId } })
const cancelled = { outcome: { outcome: "cancelled" } }

describe("a conversation over ACP", () => {
  test("whoever leaves refuses what is open, and the agent's input ends", () => {
    const one = Acp.begun()
    one.asks(PERMISSION)
    one.leaves()
    expect(one.said()).toEqual(["session/cancel", cancelled])
    expect(one.isOver).toBe(true)
    expect(one.ends(0).status).toBe("finished")
  })

  test("nothing is allowed where nobody can be asked, and it ends with the first result", () => {
    const one = Acp.begun({ asks: false })
    one.asks(PERMISSION)
    expect(one.said()).toContainEqual(chosen("no"))
    const again = Acp.begun({ once: true })
    again.reply("session/prompt", { stopReason: "end_turn" })
    expect(again.isOver).toBe(true)
    expect(again.questions).toEqual([])
  })

  test("a pause holds the next permission, and continue no more", () => {
    const one = Acp.begun()
    one.does({ type: "pause" })
    expect(one.run.debug?.paused).toBe(true)
    one.asks(PERMISSION)
    expect(one.questions[0]).toStartWith("**Held by your pause.** Your answer lets it go; *continue* holds no more.")
    one.answers("once")
    one.does({ type: "continue" })
    one.asks(PERMISSION)
    expect(one.questions[0]).toStartWith("May it run")
  })

  const mode = (id: string, name: string) => ({ id, name })
  const yolo = { ...mode("yolo", "YOLO"), description: "Asks nothing" }
  const MODES = { currentModeId: "ask", availableModes: [mode("ask", "Ask"), yolo] }
  const model = (modelId: string, name: string) => ({ modelId, name })
  const MODELS = { currentModelId: "m1", availableModels: [model("m1", "One"), model("m2", "Two")] }
  const configOption = (id: string, category: string, values: readonly string[]) => ({
    ...{ id, name: id, category, type: "select", currentValue: values[0] ?? "" },
    options: [{ group: "g", name: "G", options: values.map(value => ({ value, name: value.toUpperCase() })) }],
  })
  const withOffers = (offers: JsonObject): Acp => {
    const one = new Acp()
    one.reply("initialize", { protocolVersion: 1 })
    one.reply("session/new", { sessionId: "s1", ...offers })
    one.said()
    return one
  }
  const configOptions = [
    configOption("model", "model", ["a", "b"]),
    configOption("effort", "thought_level", ["low", "high"]),
  ]

  test.each([
    ["mode", { modes: MODES }, ["Ask", "YOLO – Asks nothing"], ["yolo"], ["session/set_mode", { modeId: "yolo" }]],
    ["model", { models: MODELS }, ["One", "Two"], ["m2"], ["session/set_model", { modelId: "m2" }]],
    [
      "model",
      { models: MODELS, configOptions },
      ["A", "B"],
      ["b"],
      ["session/set_config_option", { configId: "model", value: "b" }],
    ],
    [
      "option",
      { configOptions },
      ["effort"],
      ["effort", "high"],
      ["session/set_config_option", { configId: "effort", value: "high" }],
    ],
  ] as const)("its %s is chosen from %j", (what, offers, labels, answers, [method, params]) => {
    const one = withOffers(offers as JsonObject)
    one.chooses(what)
    expect(one.options).toEqual(labels)
    for (const answer of answers) one.answers(answer)
    expect(one.heard()).toMatchObject([{ method, params: { sessionId: "s1", ...params } }])
    expect(one.questions).toEqual([])
  })

  test("a mode or model that it refuses is not shown as chosen", () => {
    const one = withOffers({ modes: MODES, models: MODELS })
    one.chooses("mode")
    one.answers("yolo")
    one.chooses("model")
    one.answers("m2")
    one.reply("session/set_mode", { code: 1, message: "not now" }, "error")
    one.reply("session/set_model", { code: 1, message: "not now" }, "error")
    expect(blocksOf(one.run)).toEqual(["user: Make it."])
    one.chooses("mode")
    expect(one.run.prompts.at(-1)?.frame.opts.default).toBe("ask")
  })

  test("a reply that names no session is said to be none", () => {
    const one = new Acp()
    one.reply("initialize", { protocolVersion: 1 })
    one.reply("session/new", {})
    expect(one.isOver).toBe(true)
    expect(one.ends(0)).toMatchObject({ status: "error", reason: "its reply to session/new names no session" })
  })

  test("a prompt after one that failed without a word begins a turn of its own", () => {
    const one = Acp.begun()
    one.reply("session/prompt", { code: 1, message: "overloaded" }, "error")
    one.answers("Again.")
    expect(one.run.sessions.map(({ turns }) => turns)).toEqual([2])
  })

  test("a question has its tool's whole title, and an edit that nobody allowed changed nothing", () => {
    const one = Acp.begun()
    const edit = { type: "diff", path: "b", oldText: "1", newText: "" }
    one.asks({ ...PERMISSION, toolCall: { toolCallId: "l", title: "Delete b\nand c", content: [edit] } })
    expect(one.questions[0]).toStartWith("May it run tool: Delete b …?\n\nDelete b\nand c\n\n")
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(blocksOf(one.run).at(-1)).not.toContain("changed b")
  })

  test("an agent that tells no version of the protocol is not taken to speak it", () => {
    const one = new Acp()
    one.reply("initialize", {})
    expect(one.ends(0).reason).toBe("it tells no version of the protocol; version 1 is read")
  })

  test("the arguments that an agent streams as text are not the result of a call that never ran", () => {
    const one = Acp.begun()
    const text = { type: "content", content: { type: "text", text: '{"command":"touch a"}' } }
    one.update({ sessionUpdate: "tool_call", toolCallId: "k", title: "Bash", status: "in_progress", content: [text] })
    one.asks({ ...PERMISSION, toolCall: { toolCallId: "k", title: "Bash" } })
    expect(one.questions[0]).toContain("touch a")
    one.answers("no")
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(blocksOf(one.run).at(-1)).not.toContain("touch a")
  })

  test("files and terminals are refused", () => {
    const one = Acp.begun()
    one.asks({ path: "/etc/passwd" }, "fs/read_text_file", 7)
    expect(one.said()).toEqual([{ code: -32601, message: "fs/read_text_file is not offered by this client" }])
  })
})

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
      const one = Acp.begun()
      for (const line of lines) one.prints(typeof line === "string" ? line : JSON.stringify(line))
      one.interrupts()
      one.leaves()
      const run = one.ends(0)
      expect(run.log.malformed).toEqual([])
      expect(run.prompts.filter(({ state }) => state === "open")).toEqual([])
    }))
})
