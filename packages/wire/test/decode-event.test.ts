// Decodes every event of docs/contract.md section 9 with each of its keys valid, absent, null and of the wrong type.
import { describe, expect, test } from "bun:test"
import { decode } from "../src/decode.ts"
import type { EventFrame } from "../src/frame.ts"
import type { Json, JsonObject } from "../src/json.ts"

/** Wire key, a valid value, our name, the decoded value, the value if absent, a value of the wrong type, its fault. */
type Key = readonly [string, Json, string, unknown, unknown, Json, string]

/** Keys of one type: a value that decodes to itself, one of the wrong type, its fault, and the value if absent. */
const keysOf =
  (value: Json, wrong: Json, fault: string, none: unknown = null) =>
  (wire: string, ours: string, absent = none): Key => [wire, value, ours, value, absent, wrong, `expected ${fault}`]

const text = keysOf("some text", 7, "text, got number")
const flag = keysOf(true, "yes", "true or false, got text", false)
const texts = keysOf(["run", "planning"], { run: 1 }, "list, got object")
const whole = keysOf(3, 1.5, "whole number of 0 or more, got number")
const count = keysOf(2.5, "2.5", "number of 0 or more, got text")

const NO_USAGE = { input: null, output: null, cached: null }
const TEXT_BLOCK = { type: "text", text: "First snow" }

const TABLE: Record<string, readonly Key[]> = {
  "runner/started": [text("chart-id", "chartId"), flag("resume?", "resume")],
  "runner/start-config": [texts("config", "config")],
  "runner/event-processed": [
    text("event-name", "eventName"),
    texts("config-before", "before"),
    texts("config-after", "after"),
    texts("entered", "entered", []),
    texts("exited", "exited", []),
  ],
  "runner/done": [texts("final-config", "finalConfig"), text("status", "status")],
  "runner/aborted": [text("reason", "reason")],
  "runner/error": [text("message", "message")],
  "runner/tick": [],
  "llm/start": [text("model", "model"), text("session-label", "label")],
  "llm/request": [
    text("model", "model"),
    whole("n-messages", "messages"),
    ["user-blocks", [TEXT_BLOCK], "user", [TEXT_BLOCK], [], "x", "expected list, got text"],
    text("system-preview", "system"),
    text("io/ref", "ioRef"),
  ],
  "llm/response": [
    text("model", "model"),
    ["content", [TEXT_BLOCK], "content", [TEXT_BLOCK], null, {}, "expected list, got object"],
    text("stop-reason", "stopReason"),
    [
      "usage",
      { "input-tokens": 224, "output-tokens": 29 },
      "usage",
      { input: 224, output: 29, cached: null },
      NO_USAGE,
      [29],
      "expected object, got list",
    ],
    count("output-tps", "outputTps"),
    count("elapsed-ms", "elapsedMs"),
    count("context-window", "contextWindow"),
    text("io/ref", "ioRef"),
  ],
  "llm/error": [text("message", "message")],
  "llm/model-down": [
    text("model", "model"),
    text("message", "message"),
    text("category", "category"),
    count("remaining", "remaining"),
  ],
  "llm/tool-result": [
    text("tool", "tool"),
    flag("is-error", "isError"),
    text("content-preview", "preview"),
    count("elapsed-ms", "elapsedMs"),
  ],
  "llm/worker-exit": [text("reason", "reason"), flag("is-error", "isError")],
  "llm/user-message": [text("text", "text")],
  "llm/context-warning": [
    count("used-frac", "usedFrac"),
    text("model", "model"),
    count("input-tokens", "inputTokens"),
    count("context-window", "contextWindow"),
  ],
  "llm/model-policy-empty": [text("policy", "policy"), flag("strict?", "strict")],
  "llm/retry": [
    text("model", "model"),
    text("category", "category"),
    whole("attempt", "attempt"),
    whole("max-retries", "maxRetries"),
  ],
  "human-input/start": [text("kind", "inputKind"), text("prompt", "prompt")],
  "human-input/answer": [text("kind", "inputKind")],
  "human-input/cancelled": [],
  "human-input/error": [text("message", "message")],
  "human-input/validation-failed": [],
  "human-input/interrupted": [],
  "checkpoint/written": [],
  "debug/awaiting-quit": [text("msg", "message")],
  "debug/awaiting-step": [text("event-name", "eventName"), flag("external?", "external")],
  "transcript/serialize-error": [],
}

/** Keys of a body that the table does not cover. */
const BESIDE: Record<string, object> = {
  "llm/response": {
    counts: { reasoning: null, written: null, summed: false, requests: 1, besideInput: null },
    dollars: null,
  },
  "human-input/answer": { answer: undefined, shown: null },
  "human-input/validation-failed": { errors: [] },
}

function eventOf(event: string, data: JsonObject, top: JsonObject = {}): EventFrame {
  const decoded = decode(JSON.stringify({ kind: "event", seq: 5, ts: 1000, event, data, ...top }))
  if (decoded.kind !== "event") throw new Error(`decoded as ${decoded.kind}`)
  return decoded
}

function bodyOf(event: string, data: JsonObject): unknown {
  return eventOf(event, data).body
}

describe.each(Object.entries(TABLE))("%s", (event, keys) => {
  const data = Object.fromEntries(keys.map(([wire, value]) => [wire, value]))
  const read = Object.fromEntries(keys.map(([, , ours, value]) => [ours, value]))
  const absent = Object.fromEntries(keys.map(([, , ours, , value]) => [ours, value]))
  const beside = BESIDE[event] ?? {}

  test("every key is decoded, with the event's position and owner", () => {
    expect<unknown>(eventOf(event, { invokeid: "poet1", "session-id": ":session/x", ...data, more: 1 })).toEqual({
      kind: "event",
      seq: 5,
      ts: 1000,
      name: event,
      invokeid: "poet1",
      sessionId: ":session/x",
      body: { type: event, ...read, ...beside },
      data: { invokeid: "poet1", "session-id": ":session/x", ...data, more: 1 },
      place: null,
      faults: [],
      units: expect.any(Number),
    })
  })

  test("absent keys and null are the same, and no fault", () => {
    const nulls = Object.fromEntries(keys.map(([wire]) => [wire, null]))
    for (const nothing of [{}, nulls]) {
      const frame = eventOf(event, nothing)
      expect<unknown>(frame.body).toEqual({ type: event, ...absent, ...beside })
      expect(frame.faults).toEqual([])
    }
  })

  for (const [wire, , ours, , missing, wrong, fault] of keys) {
    test(`${wire} of the wrong type counts as absent and is reported as a fault; other keys are kept`, () => {
      const frame = eventOf(event, { ...data, [wire]: wrong })
      expect<unknown>(frame.body).toEqual({ type: event, ...read, ...beside, [ours]: missing })
      expect(frame.faults).toEqual([`data.${wire}: ${fault}`])
    })
  }
})

describe("the position of an event", () => {
  test("a seq, ts or id of the wrong type is null and reported as a fault", () => {
    for (const seq of [-1, 1.5, 2 ** 53, "5", true]) {
      const frame = eventOf("llm/start", {}, { seq })
      expect(frame.seq).toBeNull()
      expect(frame.faults).toHaveLength(1)
      expect(frame.faults[0]).toStartWith("seq: expected whole number of 0 or more, got ")
    }
    const frame = eventOf("llm/start", { invokeid: 1, "session-id": [] }, { ts: "now" })
    expect([frame.ts, frame.invokeid, frame.sessionId]).toEqual([null, null, null])
    expect(frame.faults).toEqual([
      "ts: expected epoch ms, got text",
      "data.invokeid: expected text, got number",
      "data.session-id: expected text, got list",
    ])
  })

  test("a ts too large for a number is null", () => {
    expect(decode('{"event":"llm/start","seq":1,"ts":1e999}')).toMatchObject({ seq: 1, ts: null })
  })

  test("data that is not an object counts as absent and is reported as a fault", () => {
    const decoded = decode('{"kind":"event","seq":1,"event":"llm/error","data":"boom"}')
    expect(decoded).toMatchObject({ body: { message: null }, data: {}, faults: ["data: expected object, got text"] })
  })

  test("rows on disk have a chart position", () => {
    const top = { "transcript/node-id": "planning", "transcript/visit": 0, "transcript/turn": 2 }
    expect(eventOf("llm/start", {}, top).place).toEqual({ nodeId: "planning", visit: 0, turn: 2 })
    expect(eventOf("llm/start", {}, { "transcript/node-id": "planning" }).place).toEqual({
      nodeId: "planning",
      visit: null,
      turn: null,
    })
  })

  test("a tool result gets its call id from its own key or from its capture file", () => {
    const ref = "nodes/judging/0/turns/0/tool-results/tu_1.edn"
    const body = (data: JsonObject) => eventOf("llm/tool-result", data).body
    expect(body({ "tool-use-id": "tu_2", "io/ref": ref })).toMatchObject({ callId: "tu_2" })
    expect(body({ tool_use_id: "tu_2" })).toMatchObject({ callId: "tu_2" })
    expect(body({ "io/ref": ref })).toMatchObject({ callId: "tu_1" })
    expect(body({ "io/ref": "nodes/judging/0/turns/0/response.edn" })).not.toHaveProperty("callId")
    expect(body({ tool: "read" })).not.toHaveProperty("callId")
  })

  test("ids stay raw, all shown text is sanitized", () => {
    const frame = eventOf("llm/error", { invokeid: "a\u001b", "session-id": "s\u200b", message: "\u001b[2J" })
    expect([frame.invokeid, frame.sessionId]).toEqual(["a\u001b", "s\u200b"])
    expect(frame.body).toEqual({ type: "llm/error", message: "␛[2J" })
    expect(frame.data.message).toBe("\u001b[2J")
  })
})

describe("blocks", () => {
  const content = (...blocks: Json[]) => eventOf("llm/response", { content: blocks })
  const first = (block: Json) => {
    const { body } = content(block)
    return body.type === "llm/response" ? body.content?.[0] : undefined
  }

  test("a thinking block has its text under thinking or text", () => {
    expect(first({ type: "thinking", thinking: "hm" })).toEqual({ type: "thinking", text: "hm" })
    expect(first({ type: "thinking", text: "hm" })).toEqual({ type: "thinking", text: "hm" })
    expect(first({ thinking: "hm" })).toEqual({ type: "thinking", text: "hm" })
  })

  test("a tool call is recognized by its type, or by name and input", () => {
    const call = { type: "tool-call", name: "save", input: '{"path":"a"}' } as const
    for (const type of ["tool_use", "tool-use", "function", null]) {
      expect(first({ type, name: "save", input: { path: "a" } })).toEqual(call)
    }
    expect(first({ type: "tool-use", name: "now" })).toEqual({ type: "tool-call", name: "now", input: "" })
  })

  test("a tool call's input is printed in full and escaped", () => {
    const block = first({ type: "tool-use", name: "w", input: { body: `\u202e${"x".repeat(5000)}` } })
    expect(block).toEqual({ type: "tool-call", name: "w", input: `{"body":"\\u202e${"x".repeat(5000)}"}` })
  })

  test("a tool result is a text or a list of texts", () => {
    expect(first({ type: "tool_result", content: "ok", is_error: true })).toEqual({
      type: "tool-result",
      text: "ok",
      isError: true,
    })
    expect(first({ type: "tool-result", content: [{ type: "text", text: "a" }, "b", { image: 1 }] })).toEqual({
      type: "tool-result",
      text: 'a\nb\n{"image":1}',
      isError: false,
    })
  })

  test("a call and its result keep their raw call id", () => {
    const id = "toolu_\u202e1"
    expect(first({ type: "tool_use", id, name: "w", input: 1 })).toMatchObject({ type: "tool-call", callId: id })
    expect(first({ type: "tool_result", tool_use_id: id, content: "" })).toMatchObject({ callId: id })
    expect(first({ type: "tool-result", "tool-use-id": id, content: "" })).toMatchObject({ callId: id })
    for (const none of [null, "", 7, {}])
      expect(first({ type: "tool_use", id: none, name: "w" })).not.toHaveProperty("callId")
  })

  test("an unknown block is kept as printed JSON", () => {
    expect(first({ type: "image", url: "x" })).toEqual({
      type: "other",
      name: "image",
      shown: '{"type":"image","url":"x"}',
    })
    expect(first("plain")).toEqual({ type: "text", text: "plain" })
    expect(first(7)).toEqual({ type: "other", name: "number", shown: "7" })
    expect(first(null)).toEqual({ type: "other", name: "nothing", shown: "null" })
  })

  test("a fault in a block names the key with its index", () => {
    const frame = content({ type: "text", text: "a" }, { type: "text", text: 7 })
    expect(frame.faults).toEqual(["data.content[1].text: expected text, got number"])
  })
})

describe("details of bodies", () => {
  test("cached tokens have three spellings", () => {
    for (const key of ["cached-tokens", "cache-read-input-tokens", "cache-read-tokens"]) {
      expect(bodyOf("llm/response", { usage: { [key]: 12 } })).toMatchObject({ usage: { ...NO_USAGE, cached: 12 } })
    }
  })

  test("tokens counted beside the input are added to it", () => {
    const usage = { "input-tokens": 20, "cached-tokens": 300, "cache-write-tokens": 150 }
    expect(bodyOf("llm/response", { usage })).toMatchObject({ usage: { input: 470, cached: 300 } })
    expect(bodyOf("llm/response", { usage: { ...usage, summed: true } })).toMatchObject({
      counts: { written: 150, summed: true },
    })
  })

  test("a negative token count is null and reported as a fault", () => {
    for (const key of ["reasoning-tokens", "thinking-tokens"])
      expect(bodyOf("llm/response", { usage: { [key]: 3 } })).toMatchObject({ counts: { reasoning: 3 } })
    const frame = eventOf("llm/response", { usage: { "output-tokens": -1 } })
    expect(frame.body).toMatchObject({ usage: NO_USAGE })
    expect(frame.faults).toEqual(["data.usage.output-tokens: expected number of 0 or more, got number"])
  })

  test("a final config that is a single text becomes a list of one", () => {
    expect(bodyOf("runner/done", { "final-config": "[:done]" })).toMatchObject({ finalConfig: ["[:done]"] })
  })

  test("members of a config that are not texts are printed", () => {
    expect(bodyOf("runner/start-config", { config: ["run", 7, { a: 1 }] })).toMatchObject({
      config: ["run", "7", '{"a":1}'],
    })
  })

  test("an answer is kept raw and shown on one line", () => {
    const shown = (answer: Json) => bodyOf("human-input/answer", { answer })
    expect(shown("a\nb\u001b")).toMatchObject({ answer: "a\nb\u001b", shown: "a␊b␛" })
    expect(shown(true)).toMatchObject({ answer: true, shown: "true" })
    expect(shown(false)).toMatchObject({ answer: false, shown: "false" })
    expect(shown(["blue", 3])).toMatchObject({ answer: ["blue", 3], shown: "blue, 3" })
    expect(shown([])).toMatchObject({ answer: [], shown: "" })
    expect(shown("")).toMatchObject({ answer: "", shown: "" })
  })

  test("validation errors are accepted in any shape", () => {
    const errors = (value: Json) => bodyOf("human-input/validation-failed", { errors: value })
    expect(errors(["too short", 7])).toMatchObject({ errors: ["too short", "7"] })
    expect(errors("too short")).toMatchObject({ errors: ["too short"] })
    expect(errors({ name: ["too short"] })).toMatchObject({ errors: ['{"name":["too short"]}'] })
  })

  test("an unknown event keeps its name and data", () => {
    const frame = eventOf("cli/config-loaded\u0007", { path: "a\u202eb" })
    expect(frame.name).toBe("cli/config-loaded␇")
    expect(frame.body).toEqual({ type: "other", shown: '{"path":"a\\u202eb"}' })
    expect(eventOf("constructor", {}).body).toEqual({ type: "other", shown: "{}" })
    expect(eventOf("__proto__", {}).body).toEqual({ type: "other", shown: "{}" })
  })
})

describe("llm/delta", () => {
  const row = { kind: "event", seq: 12, ts: 1780798849355, event: "llm/delta" }
  const data = { type: "text-delta", text: "Line", model: "gemma3:1b", invokeid: "planner", "session-id": "session/x" }
  const delta = (more: JsonObject, top: JsonObject = {}) =>
    decode(JSON.stringify({ ...row, ...top, data: { ...data, ...more } }))

  test("is read whole", () => {
    expect(delta({})).toEqual({
      kind: "delta",
      seq: 12,
      ts: 1780798849355,
      invokeid: "planner",
      sessionId: "session/x",
      thinking: false,
      text: "Line",
      model: "gemma3:1b",
      outputTokens: null,
      coalesced: 1,
      whole: false,
    })
  })

  test("thinking, usage and coalesced are read", () => {
    const more = { type: "thinking-delta", usage: { "output-tokens": 40 }, coalesced: 7 }
    expect(delta(more)).toMatchObject({ thinking: true, outputTokens: 40, coalesced: 7 })
  })

  test("absent keys and null are the same, and no fault", () => {
    const nothing = { kind: "delta", seq: null, ts: null, invokeid: null, sessionId: null, thinking: false, text: "" }
    const nulls = { type: null, text: null, model: null, invokeid: null, usage: null, coalesced: null }
    for (const line of [{ event: "llm/delta" }, { event: "llm/delta", seq: null, ts: null, data: nulls }]) {
      expect<unknown>(decode(JSON.stringify(line))).toEqual({
        ...nothing,
        model: null,
        outputTokens: null,
        coalesced: 1,
        whole: false,
      })
    }
  })

  const wrong: readonly (readonly [string, JsonObject, object, string])[] = [
    ["type", { type: 1 }, { thinking: false }, "data.type: expected text, got number"],
    ["model", { model: [] }, { model: null }, "data.model: expected text, got list"],
    ["invokeid", { invokeid: {} }, { invokeid: null }, "data.invokeid: expected text, got object"],
    ["session-id", { "session-id": true }, { sessionId: null }, "data.session-id: expected text, got true or false"],
    ["usage", { usage: "4" }, { outputTokens: null }, "data.usage: expected object, got text"],
    [
      "output-tokens",
      { usage: { "output-tokens": -4 } },
      { outputTokens: null },
      "data.usage.output-tokens: expected number of 0 or more, got number",
    ],
    ["coalesced", { coalesced: 0 }, { coalesced: 1 }, "data.coalesced: expected whole number of 1 or more, got number"],
  ]
  test.each(wrong)(
    "%s of the wrong type counts as absent and is reported as a fault; the text is kept",
    (_key, more, absent, fault) => {
      expect(delta(more)).toMatchObject({ kind: "delta", seq: 12, text: "Line", ...absent, faults: [fault] })
    },
  )

  test("a seq of the wrong type is null and reported as a fault", () => {
    expect(delta({}, { seq: -1 })).toMatchObject({
      kind: "delta",
      seq: null,
      text: "Line",
      faults: ["seq: expected whole number of 0 or more, got number"],
    })
  })

  test("a delta whose text is not a string becomes an event and keeps its seq", () => {
    expect(delta({ text: 7 })).toMatchObject({
      kind: "event",
      name: "llm/delta",
      seq: 12,
      invokeid: "planner",
      body: { type: "other" },
      faults: ["data.text: expected text, got number"],
    })
    expect(decode('{"event":"llm/delta","seq":3,"data":[]}')).toMatchObject({
      kind: "event",
      seq: 3,
      body: { type: "other" },
      faults: ["data: expected object, got list"],
    })
  })
})

test("a ts beyond the range of dates is null and reported as a fault", () => {
  const far = decode('{"kind":"event","seq":1,"ts":9e99,"event":"runner/done","data":{}}')
  expect(far).toMatchObject({ ts: null, faults: [expect.stringContaining("ts: expected epoch ms")] })
  const delta = decode('{"kind":"event","seq":1,"ts":9e99,"event":"llm/delta","data":{"text":"x"}}')
  expect(delta).toMatchObject({ kind: "delta", ts: null, text: "x" })
})
