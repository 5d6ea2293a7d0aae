// Talks to a scripted agent over the Agent Client Protocol: what a person sees, and what the agent hears.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import type { TalkOptions } from "../../../src/guest/common/talk.ts"
import { forAll } from "../../for-all.ts"
import { Conversation } from "../conversation.ts"
import { blocksOf, logWords } from "../reading.ts"

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
  test("begins a session with the prompt, and asks for the next one, which waits on its line", () => {
    const one = Acp.begun()
    one.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Made." } })
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(blocksOf(one.run)).toEqual(["user: Make it.", "text: Made."])
    expect(one.run.prompts.map(({ frame }) => [frame.type, frame.question, frame.opts.waits])).toEqual([
      ["text", "What shall it do next?", true],
    ])
    one.answers("Again.")
    expect(one.said()).toEqual(["session/prompt"])
    expect(one.questions).toEqual([])
  })

  test("without a prompt a person is asked for it, in front", () => {
    const one = Acp.begun({ prompt: null })
    expect(one.run.prompts.map(({ frame }) => [frame.question, frame.opts.waits])).toEqual([
      ["What shall it do?", undefined],
    ])
    one.answers("Make it.")
    expect(one.said()).toEqual(["session/prompt"])
  })

  test.each([
    ["once", chosen("once")],
    ["no", chosen("no")],
    [undefined, cancelled],
  ])("a tool may run as the person answers: %j", (answer, reply) => {
    const one = Acp.begun()
    one.asks(PERMISSION)
    expect(one.questions).toEqual(["May it run execute: touch a?\n\n```\ntouch a\n```"])
    one.answers(answer)
    expect(one.said()).toEqual([reply])
    expect(one.questions).toEqual([])
  })

  test("two tools are asked about one after the other", () => {
    const one = Acp.begun()
    one.asks(PERMISSION, undefined, "a")
    one.asks({ ...PERMISSION, toolCall: { toolCallId: "c2", title: "rm b" } }, undefined, "b")
    expect(one.questions).toHaveLength(1)
    one.answers("once")
    one.answers("no")
    expect(one.said()).toEqual([chosen("once"), chosen("no")])
  })

  test("interrupting cancels the turn and answers what is open so", () => {
    const one = Acp.begun()
    one.asks(PERMISSION)
    one.interrupts()
    expect(one.said()).toEqual(["session/cancel", cancelled])
    expect(one.questions).toEqual([])
  })

  test("where nothing is under way, interrupting says so", () => {
    const one = Acp.begun({ prompt: null })
    one.interrupts()
    expect(one.said()).toEqual([])
    expect(logWords(one.run)).toContain("nothing is under way that could be interrupted")
  })

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

  test("what it doesn't offer is said in words", () => {
    const one = withOffers({})
    one.chooses("model")
    expect(logWords(one.run)).toContain("it offers no other model")
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

  test("another session is begun, or an earlier one loaded, beside the first", () => {
    const one = new Acp()
    one.reply("initialize", {
      protocolVersion: 1,
      agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } },
    })
    one.reply("session/new", { sessionId: "s1" })
    one.chooses("session")
    one.reply("session/list", {
      sessions: [{ sessionId: "s1" }, { sessionId: "old", title: "Bake", updatedAt: "2026-03-01" }, { sessionId: "x" }],
    })
    expect(one.options).toEqual(["A new session", "Bake – 2026-03-01", "x"])
    one.answers("old")
    one.says({
      method: "session/update",
      params: {
        sessionId: "old",
        update: { sessionUpdate: "user_message_chunk", content: { type: "text", text: "Bake a cake." } },
      },
    })
    one.reply("session/load", {})
    one.chooses("session", "old")
    one.reply("session/list", { sessions: [] })
    one.answers("new")
    one.reply("session/new", { sessionId: "s3" })
    one.answers("Eat it.")
    expect(one.heard().at(-1)).toMatchObject({ method: "session/prompt", params: { sessionId: "s3" } })
    expect(one.run.sessions.map(({ sessionId }) => sessionId)).toEqual(["s1", "old", "s3"])
    expect(blocksOf(one.run, 1)).toEqual(["user: Bake a cake."])
    expect(one.questions).toEqual(["What shall it do?"])
  })

  const LISTS = { protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities: { list: {} } } }

  test("its sessions are listed page by page, and one of them is loaded with its history", () => {
    const told: string[] = []
    const asked = new Acp({ lists: sessions => void told.push(...sessions.map(({ id }) => id)) })
    asked.reply("initialize", LISTS)
    asked.reply("session/list", { sessions: [{ sessionId: "a", cwd: "/w" }], nextCursor: "2" })
    asked.reply("session/list", { sessions: [{ sessionId: "b" }] })
    expect([told, asked.isOver]).toEqual([["a", "b"], true])
    const one = new Acp({ session: "a", prompt: null })
    one.reply("initialize", LISTS)
    const params = { sessionId: "a", update: { sessionUpdate: "agent_message_chunk", content: { text: "Hello." } } }
    one.says({ method: "session/update", params })
    one.reply("session/load", {})
    expect([blocksOf(one.run), one.questions]).toEqual([["text: Hello."], ["What shall it do?"]])
    expect(one.run.turnBuffers.map(({ turn }) => turn.status)).not.toContain("streaming")
  })

  test("a session that is loaded goes on with the prompt that was given", () => {
    const one = new Acp({ session: "a", prompt: "Go on." })
    one.reply("initialize", LISTS)
    one.reply("session/load", {})
    expect(one.heard()).toMatchObject([
      { method: "session/prompt", params: { sessionId: "a", prompt: [{ text: "Go on." }] } },
    ])
  })

  test("a subagent is a session of its own, with its task, and hands back what it found", () => {
    const one = Acp.begun()
    const told = (state: string) =>
      one.update({
        sessionUpdate: "subagent_update",
        sessionId: "c1",
        title: "Explore",
        description: "Look",
        state: { state },
      })
    const message = (from: string, to: string, text: string) => ({
      ...{ sessionUpdate: "session_message", senderSessionId: from, recipientSessionId: to },
      content: [{ type: "text", text }],
    })
    const child = (update: JsonObject): void =>
      one.says({ method: "session/update", params: { sessionId: "c1", update } })
    told("running")
    one.update(message("s1", "c1", "Look around."))
    child(message("s1", "c1", "Look around."))
    child({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Nothing here." } })
    told("idle")
    one.update(message("c1", "s1", "Nothing here."))
    expect(one.run.sessions.map(({ sessionId, title }) => `${sessionId} ${title}`)).toEqual(["s1 s1", "c1 c1"])
    expect(one.run.invocations.map(({ title }) => title)).toEqual(["tester", "Explore"])
    expect(blocksOf(one.run)).toEqual(["user: Make it.", "note sent: Look around.", "note handed-back: Nothing here."])
    expect(blocksOf(one.run, 1)).toEqual([
      "note subagent: of tester s1: Look",
      "user: Look around.",
      "text: Nothing here.",
    ])
    expect(one.run.turnBuffers.map(({ turn }) => turn.status)).toEqual(["waiting", "done"])
  })

  test("how far its plan is is a bar of its own, until the session is over", () => {
    const one = Acp.begun()
    const entries = ["completed", "in_progress"].map(status => ({ content: `${status} step`, status }))
    one.update({ sessionUpdate: "plan", entries })
    expect(one.run.facts.progress).toEqual([{ invokeid: "tester", label: "in_progress step", fraction: 0.5 }])
    expect(one.ends(0).facts.progress).toEqual([])
  })

  test("a prompt is completed from the agent's commands", () => {
    const one = Acp.begun()
    const availableCommands = [{ name: "plan", description: "Turn it on.\nMore." }]
    one.update({ sessionUpdate: "available_commands_update", availableCommands })
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(one.options).toEqual(["/plan – Turn it on."])
  })

  test("files and terminals are refused", () => {
    const one = Acp.begun()
    one.asks({ path: "/etc/passwd" }, "fs/read_text_file", 7)
    expect(one.said()).toEqual([{ code: -32601, message: "fs/read_text_file is not offered by this client" }])
  })

  test("a form is asked field by field", () => {
    const one = Acp.begun()
    const titled = (value: string, title: string) => ({ const: value, title })
    const properties = {
      colour: { type: "string", title: "Colour", oneOf: [titled("r", "Red"), titled("b", "Blue")] },
      sizes: { type: "array", items: { type: "string", enum: ["S", "L"] } },
      count: { type: "integer" },
      sure: { type: "boolean" },
    }
    const requestedSchema = { type: "object", properties }
    one.asks({ mode: "form", message: "Tell me.", requestedSchema }, "elicitation/create")
    for (const answer of ["b", ["S", "L"], "3", true]) one.answers(answer)
    const content = { colour: "b", sizes: ["S", "L"], count: 3, sure: true }
    expect(one.said()).toEqual([{ action: "accept", content }])
    expect(one.run.prompts.map(({ frame, state }) => `${frame.type} ${state}`)).toEqual([
      ...["select answered", "multi answered", "text answered", "confirm answered"],
    ])
  })

  const WOULD = [{ type: "content", content: { type: "text", text: "what it would do" } }]

  test("what a question says of a tool is not what the tool has put out", () => {
    const one = Acp.begun()
    one.asks({ ...PERMISSION, toolCall: { ...PERMISSION.toolCall, content: WOULD } })
    one.answers("once")
    one.update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content: [] })
    expect(blocksOf(one.run).at(-1)).toMatch(/^tool-result execute[^:]*: $/)
  })

  test("what the agent says after a tool was refused is another request, though it tells no result", () => {
    const one = Acp.begun()
    one.asks({ ...PERMISSION, toolCall: { ...PERMISSION.toolCall, content: WOULD } })
    one.answers("no")
    one.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "As you wish." } })
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(one.run.facts.ledger.total.requests).toBe(2)
    expect(blocksOf(one.run)).toContain("tool-result execute failed: ")
  })

  test("what the agent takes back needs no answer", () => {
    const one = Acp.begun()
    one.asks(PERMISSION)
    one.says({ method: "$/cancel_request", params: { requestId: 0 } })
    expect(one.said()).toEqual([cancelled])
    expect(one.questions).toEqual([])
  })

  test("another version of the protocol, a login and an end are said in words", () => {
    const other = new Acp()
    other.reply("initialize", { protocolVersion: 2 })
    expect(other.isOver).toBe(true)
    expect(other.ends(0)).toMatchObject({
      status: "error",
      reason: "it speaks version 2 of the protocol; version 1 is read",
    })
    const login = new Acp()
    login.reply("initialize", { protocolVersion: 1, authMethods: [{ id: "a", name: "Run `agent login`" }] })
    login.reply("session/new", { code: -32000, message: "Authentication required" }, "error")
    expect(login.ends(0).reason).toBe("Authentication required (to log in: Run `agent login`)")
    const dead = Acp.begun()
    dead.asks(PERMISSION)
    expect(dead.ends(1)).toMatchObject({ status: "error", reason: "exit code 1 before it had answered" })
    expect(Acp.begun().ends(0)).toMatchObject({ status: "error", reason: "exit code 0 before it had answered" })
    expect(dead.questions).toEqual([])
  })

  test("a call whose arguments came as text is shown with them before it is allowed", () => {
    const one = Acp.begun()
    const content = [{ type: "content", content: { type: "text", text: '{"command":"touch a"}' } }]
    one.update({ sessionUpdate: "tool_call", toolCallId: "t", title: "Bash", status: "in_progress", content })
    one.asks({ options: [{ optionId: "yes", name: "Approve once" }], toolCall: { toolCallId: "t", title: "Bash" } })
    expect(blocksOf(one.run)).toContain('tool-call Bash: {"command":"touch a"}')
  })

  test("all edits of a call are its arguments, and where it works else", () => {
    const one = Acp.begun()
    const call = { sessionUpdate: "tool_call", kind: "edit", status: "completed" }
    const diff = (path: string, oldText: string | null) => ({ type: "diff", path, oldText, newText: "b" })
    one.update({ ...call, toolCallId: "e", content: [diff("x.ts", "a"), diff("y.ts", null)] })
    const found = { type: "content", content: { type: "text", text: '{"found":1}' } }
    one.update({ ...call, toolCallId: "f", title: "Find it", content: [found] })
    one.update({ ...call, toolCallId: "l", title: "Look", locations: [{ path: "x.ts", line: 7 }, { path: "y.ts" }] })
    const edited = (file_path: string, old_string: string) => ({ file_path, old_string, new_string: "b" })
    const calls = blocksOf(one.run).filter(block => block.startsWith("tool-call"))
    expect(calls.map(block => JSON.parse(block.slice(block.indexOf("{"))))).toEqual([
      { edits: [edited("x.ts", "a"), edited("y.ts", "")] },
      { title: "Find it" },
      { title: "Look", path: "x.ts:7, y.ts" },
    ])
  })

  test("what an agent logs to its output is shown and changes nothing", () => {
    const one = Acp.begun()
    one.prints("Loading…", "{not json", "[1]", '{"level":"info"}')
    expect(logWords(one.run)).toEqual(expect.arrayContaining(["Loading…", "{not json", "[1]", '{"level":"info"}']))
    one.update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "Made." } })
    one.reply("session/prompt", { stopReason: "end_turn" })
    expect(blocksOf(one.run)).toContain("text: Made.")
    expect(one.questions).toEqual(["What shall it do next?"])
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
