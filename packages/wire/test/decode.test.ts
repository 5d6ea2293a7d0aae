// Decodes every kind of line, complete, with keys missing, malformed and hostile; decoding never throws.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { haiku } from "../../../test/fixtures.ts"
import { forAll } from "../../../test/for-all.ts"
import { decode } from "../src/decode.ts"
import { encode } from "../src/encode.ts"
import type { Decoded } from "../src/frame.ts"

/** Decodes `row` as it is on the wire. */
function wire(row: unknown): Decoded {
  return decode(JSON.stringify(row))
}

test("event a transcript row without a kind is an event", () => {
  expect(decode('{"event":"runner/tick","seq":0,"ts":5,"data":{}}')).toMatchObject({ kind: "event", seq: 0, ts: 5 })
  expect(wire({ kind: null, event: "llm/delta", data: { text: "a" } })).toMatchObject({ kind: "delta", text: "a" })
})

describe("phase", () => {
  test("is read whole", () => {
    const row = { kind: "phase", ts: 5, config: ["run", "a"], breadcrumb: ["run"], siblings: ["a", "b\u001b"] }
    expect(wire(row)).toEqual({
      kind: "phase",
      ts: 5,
      config: ["run", "a"],
      breadcrumb: ["run"],
      siblings: ["a", "b␛"],
    })
  })

  test("may lack everything but its config", () => {
    const bare = { kind: "phase", ts: null, config: [], breadcrumb: null, siblings: null } as const
    expect(wire({ kind: "phase", config: [] })).toEqual(bare)
    expect(wire({ kind: "phase", config: [], ts: "now", breadcrumb: "run", siblings: {} })).toEqual(bare)
    expect(wire({ kind: "phase", config: "run" })).toMatchObject({
      kind: "malformed",
      why: "phase.config: expected list, got text",
    })
  })
})

describe("prompt", () => {
  const bare = { kind: "prompt", "prompt-id": "p#1", type: "text" }

  test("is read whole, ids and option values raw", () => {
    const opts = {
      prompt: "Which \u001b?",
      options: [
        { label: "Blue\u0007", value: { "\u001b": 1 } },
        { label: "Green", value: "\u0007" },
      ],
      default: "\u0007",
      min: 1,
    }
    expect(wire({ kind: "prompt", "prompt-id": "p\u0007", invokeid: "i\u0007", type: "select", opts })).toEqual({
      kind: "prompt",
      promptId: "p\u0007",
      invokeid: "i\u0007",
      type: "select",
      question: "Which ␛?",
      options: [
        { label: "Blue␇", value: { "\u001b": 1 } },
        { label: "Green", value: "\u0007" },
      ],
      default: "\u0007",
      opts,
      secret: false,
      faults: [],
    })
  })

  test("may lack its question, its options, its invokeid, and its opts altogether", () => {
    const read = { promptId: "p#1", invokeid: null, question: "", options: [], default: undefined, opts: {} }
    expect(wire(bare)).toMatchObject(read)
    expect(wire({ ...bare, invokeid: 7, opts: [] })).toMatchObject(read)
    expect(wire({ ...bare, opts: { prompt: null, options: null, default: null } })).toMatchObject({ ...read, opts: {} })
    expect(wire({ ...bare, type: "confirm", opts: { default: false } })).toMatchObject({ default: false })
  })

  test("takes bare values as options, and labels without values", () => {
    const options = ["a\u0007", 3, false, null, ["x"], { label: "l\u0007" }, { value: 4 }, { other: 1 }]
    const empty = [{ label: "None", value: null }, { value: null }]
    expect(wire({ ...bare, type: "multi-select", opts: { options: [...options, ...empty] } })).toMatchObject({
      type: "multi",
      options: [
        { label: "a␇", value: "a\u0007" },
        { label: "3", value: 3 },
        { label: "false", value: false },
        { label: "null", value: null },
        { label: '["x"]', value: ["x"] },
        { label: "l␇", value: "l\u0007" },
        { label: "4", value: 4 },
        { label: '{"other":1}', value: { other: 1 } },
        { label: "None", value: null },
        { label: "null", value: null },
      ],
    })
  })

  test("keeps every digit of an integer beyond 2^53, which is answered and shown as it came", () => {
    const digits = ["9007199254740993", "-12345678901234567890"] as const
    const [one, other] = digits
    const text = `{"kind":"prompt","prompt-id":"p#1","type":"select","opts":{"options":[${one},{"value":${other}}],"default":${other}}}`
    const prompt = decode(text)
    if (prompt.kind !== "prompt") throw new Error(`expected a prompt, got ${prompt.kind}`)
    expect(prompt.options.map(({ label }) => label)).toEqual([...digits])
    expect(JSON.stringify(prompt.default)).toBe(other)
    const answers = prompt.options.map(({ value }) => encode({ type: "answer", promptId: "p#1", value }))
    expect(answers).toEqual(digits.map(value => `{"kind":"answer","prompt-id":"p#1","value":${value}}`))
    const again = answers.map(decode).map(frame => (frame.kind === "answer" ? JSON.stringify(frame.value) : ""))
    expect(again).toEqual([...digits])
  })

  test("takes keys of the wrong type as absent and reports them as faults", () => {
    expect(wire({ ...bare, invokeid: 7, opts: { prompt: 1, options: "a" } })).toMatchObject({
      faults: [
        "invokeid: expected text, got number",
        "opts.prompt: expected text, got number",
        "opts.options: expected list, got text",
      ],
    })
    expect(wire({ ...bare, opts: [] })).toMatchObject({ faults: ["opts: expected object, got list"] })
  })

  test.each([
    ["text", 5, undefined, "opts.default: expected text, got number"],
    ["confirm", "yes", undefined, "opts.default: expected true or false, got text"],
    ["select", "b", undefined, 'opts.default: expected one of the options, got "b"'],
    ["select", { b: 1 }, { b: 1 }, null],
    ["multi", "a", undefined, "opts.default: expected list, got text"],
    ["multi", ["a", "x", 3, { b: 1 }], ["a", { b: 1 }], 'opts.default: expected one of the options, got "x"'],
  ])("of type %s reads the default %j, and reports what it can't be", (type, preset, read, fault) => {
    const options = ["a", { label: "Bee", value: { b: 1 } }]
    const faults = fault === null ? [] : [fault]
    expect(wire({ ...bare, type, opts: { options, default: preset } })).toMatchObject({ default: read, faults })
  })

  test("takes the four types and no other", () => {
    for (const type of ["text", "select", "multi", "confirm"]) expect(wire({ ...bare, type })).toMatchObject({ type })
    for (const type of ["custom", "constructor", 7])
      expect(wire({ ...bare, type })).toMatchObject({ kind: "malformed" })
    expect(wire({ ...bare, type: "custom" })).toMatchObject({ why: 'prompt: unknown type "custom"' })
    expect(wire({ ...bare, "prompt-id": 1 })).toMatchObject({
      kind: "malformed",
      why: "prompt.prompt-id: expected text, got number",
    })
  })
})

test("answer is a value or a cancellation", () => {
  const answer = { kind: "answer", promptId: "p#1" }
  expect(wire({ kind: "answer", "prompt-id": "p#1", value: "" })).toMatchObject({
    ...answer,
    cancelled: false,
    value: "",
  })
  expect(wire({ kind: "answer", "prompt-id": "p#1", cancelled: true })).toMatchObject({ ...answer, cancelled: true })
  expect(wire({ kind: "answer", value: 1 })).toMatchObject({
    kind: "malformed",
    why: "answer.prompt-id: expected text, got nothing",
  })
})

describe("debug", () => {
  test("is read whole", () => {
    const row = {
      kind: "debug",
      paused: true,
      "step-budget": 2,
      mode: "paused-at-turn",
      "turn-index": 4,
      "breakpoint-armed": true,
      branch: { "session-id": "s2", parent: "s1", "branch-point": { "node-id": "n", visit: 0, turn: 2 } },
      "branch-error": "no\u001b",
      config: ["run"],
      "pending-events": [{ name: "llm.idle", data: { n: 1 }, target: null, "external?": true, "delivery-time": 5 }],
    }
    expect(wire(row)).toEqual({
      kind: "debug",
      paused: true,
      stepBudget: 2,
      mode: "paused-at-turn",
      turnIndex: 4,
      breakpointArmed: true,
      branch: { sessionId: "s2", parent: "s1", point: { nodeId: "n", visit: 0, turn: 2 } },
      branchError: "no␛",
      config: ["run"],
      pendingEvents: [{ name: "llm.idle", data: '{"n":1}', target: null, external: true, deliveryTime: 5 }],
    })
  })

  test("says nothing of what it leaves out", () => {
    const bare = { stepBudget: null, turnIndex: undefined, breakpointArmed: null, branch: undefined, config: null }
    expect(wire({ kind: "debug", paused: false })).toMatchObject({ paused: false, mode: null, ...bare })
    const wrong = { mode: "newer", "step-budget": "1", "turn-index": "1", "breakpoint-armed": 1, branch: 1 }
    expect(wire({ kind: "debug", paused: false, ...wrong })).toMatchObject({ ...bare, mode: "running" })
    expect(wire({ kind: "debug", "turn-index": null, branch: null })).toMatchObject({ turnIndex: null, branch: null })
    expect(wire({ kind: "debug", branch: {} })).toMatchObject({
      paused: null,
      branch: { sessionId: null, parent: null, point: null },
    })
    expect(wire({ kind: "debug", paused: "yes" })).toMatchObject({ kind: "malformed" })
  })
})

test("control has an op, and for run-finished the final config as a list", () => {
  expect(wire({ kind: "control", op: "run-finished", "final-config": "[:done]" })).toEqual({
    kind: "control",
    op: "run-finished",
    finalConfig: ["[:done]"],
  })
  expect(wire({ kind: "control", op: "run-finished", "final-config": ["done"] })).toMatchObject({
    finalConfig: ["done"],
  })
  expect(wire({ kind: "control", op: "step", n: 2 })).toMatchObject({ op: "step", finalConfig: null })
  expect(wire({ kind: "control" })).toMatchObject({
    kind: "malformed",
    why: "control.op: expected text, got nothing",
  })
})

describe("progress", () => {
  test("has a fraction; a value above 1 is percent", () => {
    const fraction = (pct: unknown) => wire({ kind: "progress", phase: "update", invokeid: "i", pct })
    expect(fraction(0.5)).toEqual({ kind: "progress", phase: "update", invokeid: "i", label: null, fraction: 0.5 })
    for (const [pct, read] of [
      [0, 0],
      [1, 1],
      [40, 0.4],
      [100, 1],
      [250, 1],
      [-1, 0],
      [null, null],
      ["1", null],
    ]) {
      expect(fraction(pct)).toMatchObject({ fraction: read })
    }
  })

  test("is labelled by its label, else by its prompt", () => {
    expect(wire({ kind: "progress", phase: "start", label: "l", prompt: "p" })).toMatchObject({ label: "l" })
    expect(wire({ kind: "progress", phase: "end", prompt: "p" })).toMatchObject({ label: "p" })
    expect(wire({ kind: "progress", phase: "more" })).toMatchObject({ why: 'progress: unknown phase "more"' })
  })
})

test("conversation is read whole, its messages raw", () => {
  const messages = [{ role: "user", text: "a\u001b" }, 7, { role: 1 }]
  const turns = [{ turn: 0, model: "m", system: "s", messages }, "x", {}]
  expect(wire({ kind: "conversation", invokeid: "i", "node-id": "n", visit: 0, turns })).toEqual({
    kind: "conversation",
    invokeid: "i",
    nodeId: "n",
    visit: 0,
    turns: [
      {
        turn: 0,
        model: "m",
        system: "s",
        messages: [
          { role: "user", text: "a\u001b" },
          { role: "", text: "" },
        ],
      },
      { turn: null, model: null, system: null, messages: [] },
    ],
  })
  expect(wire({ kind: "conversation" })).toMatchObject({ invokeid: null, nodeId: null, visit: null, turns: [] })
})

test("model-catalog is read whole", () => {
  const aliases = [{ alias: "smart", targets: [{ provider: "openai", model: "gpt-4o" }, {}] }, { alias: "bare" }]
  expect(wire({ kind: "model-catalog", aliases, preferences: ["smart"] })).toEqual({
    kind: "model-catalog",
    aliases: [
      {
        alias: "smart",
        targets: [
          { provider: "openai", model: "gpt-4o" },
          { provider: null, model: null },
        ],
      },
      { alias: "bare", targets: [] },
    ],
    preferences: ["smart"],
  })
  expect(wire({ kind: "model-catalog" })).toMatchObject({ aliases: [], preferences: null })
})

describe("lines that are not frames", () => {
  test("our own bookkeeping is a note", () => {
    const row = { kind: "sidecar", at: 7, what: "start", url: "x" }
    expect(wire(row)).toEqual({ kind: "note", at: 7, what: "start", data: row })
    expect(wire({ kind: "sidecar" })).toMatchObject({ kind: "note", at: null, what: "" })
  })

  test("an empty line is blank", () => {
    for (const line of ["", " ", "\r", "\t \ufeff"]) expect(decode(line)).toEqual({ kind: "blank" })
  })

  test("a line may be wrapped in space, a carriage return or a byte order mark", () => {
    for (const line of [' {"kind":"control","op":"a"}\r', '\ufeff{"kind":"control","op":"a"}']) {
      expect(decode(line)).toMatchObject({ kind: "control", op: "a" })
    }
  })

  const reasons: readonly (readonly [string, string])[] = [
    ["[]", "expected object, got list"],
    ["null", "expected object, got nothing"],
    ["7", "expected object, got number"],
    ["true", "expected object, got true or false"],
    ["{}", "no kind"],
    ['{"kind":null,"event":7}', "no kind"],
    ['{"kind":7}', "kind: expected text, got number"],
    ['{"kind":"foo\u202e"}', 'unknown kind "foo\\u202e"'],
    ['{"kind":"__proto__"}', 'unknown kind "__proto__"'],
    ['{"kind":"event"}', "event: expected text, got nothing"],
    ['{"kind":"event","event":7}', "event: expected text, got number"],
  ]
  test.each(reasons)("%s is malformed: %s", (line, why) => {
    expect(decode(line)).toEqual({ kind: "malformed", raw: line, length: line.length, why })
  })

  test("a line that is not JSON is malformed, with a sanitized reason", () => {
    const line = `{"kind":"event",\u001b[2J${"x".repeat(10_000)}`
    const decoded = decode(line)
    if (decoded.kind !== "malformed") throw new Error(`decoded as ${decoded.kind}`)
    expect(decoded.why).toStartWith("not JSON: ")
    expect(decoded.why).not.toContain("\u001b")
    expect(decoded.why.length).toBeLessThan(100)
    expect(decoded.raw).toBe(line.slice(0, 4096))
    expect(decoded.length).toBe(line.length)
  })
})

describe("recorded frames that are JSON strings", () => {
  test("are unwrapped and decoded", () => {
    expect(wire('{"kind":"control",\n"op":"a"}')).toMatchObject({ kind: "control", op: "a" })
    expect(wire("boom")).toMatchObject({ kind: "malformed", raw: "boom", length: 4 })
    expect(wire(" ")).toEqual({ kind: "blank" })
  })

  test("are unwrapped only once", () => {
    expect(wire(JSON.stringify('{"kind":"control","op":"a"}'))).toMatchObject({ why: "expected object, got text" })
  })
})

describe("hostile lines", () => {
  test("values nested 10,000 levels deep are decoded under any key", () => {
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`
    const events = ["llm/delta", "llm/response", "runner/start-config", "x"]
    const answers = ["human-input/answer", "human-input/validation-failed"]
    const kinds = ["text", "content", "usage", "config", "answer", "errors", "invokeid"].flatMap(key =>
      [...events, ...answers].map(event => `{"event":"${event}","seq":${deep},"data":{"${key}":${deep}}}`),
    )
    const tool = `{"event":"llm/response","data":{"content":[{"name":"a","input":${deep}},{"type":"tool-result","content":${deep}}]}}`
    const prompt = `{"kind":"prompt","prompt-id":"p","type":"multi","opts":{"options":[${deep}],"default":${deep}}}`
    const kind = `{"kind":${deep}}`
    for (const line of [...kinds, tool, prompt, kind, deep])
      expect(decode(line).kind).toBeOneOf(["delta", "event", "prompt", "malformed"])
  })

  test("lines nested too deep for the stack do not throw", () => {
    const deep = `${"[".repeat(500_000)}${"]".repeat(500_000)}`
    expect(decode(`{"event":"x","data":{"a":${deep}}}`).kind).toBeOneOf(["event", "malformed"])
    expect(decode(`{"event":"llm/response","data":{"content":[{"name":"a","input":${deep}}]}}`).kind).toBeOneOf([
      "event",
      "malformed",
    ])
  })

  test("__proto__ and constructor are ordinary keys", () => {
    expect(decode('{"event":"x","data":{"__proto__":{"invokeid":"evil"},"constructor":1}}')).toMatchObject({
      invokeid: null,
      body: { shown: '{"__proto__":{"invokeid":"evil"},"constructor":1}' },
    })
    expect(decode('{"__proto__":{"kind":"control","op":"a"}}')).toMatchObject({
      kind: "malformed",
      why: "no kind",
    })
  })

  const kinds = ["event", "phase", "prompt", "debug", "control", "progress", "conversation", "model-catalog", "answer"]
  const names = (
    "runner/event-processed llm/delta llm/request llm/response llm/retry human-input/answer " +
    "human-input/validation-failed constructor"
  ).split(" ")
  const keys = (
    "type text invokeid session-id usage output-tokens coalesced content user-blocks config opts " +
    "options label value prompt-id op phase pct branch branch-point turns messages aliases targets " +
    "name input errors answer __proto__"
  ).split(" ")
  const value = fc.letrec(tie => ({
    any: fc.oneof({ depthSize: "small" }, fc.jsonValue(), fc.double(), tie("list"), tie("object")),
    list: fc.array(tie("any"), { maxLength: 4 }),
    object: fc.dictionary(fc.constantFrom(...keys), tie("any"), { maxKeys: 8 }),
  }))
  const row = fc
    .record({
      kind: fc.constantFrom(...kinds),
      event: fc.constantFrom(...names),
      seq: value.any,
      ts: value.any,
      data: value.object,
    })
    .chain(head => value.object.map(more => JSON.stringify({ ...Object(more), ...head })))

  test("no string, JSON value, bytes or near-frame makes decoding throw", async () => {
    const bytes = fc.uint8Array().map(units => String.fromCharCode(...units))
    const json = fc.json({ stringUnit: "binary" })
    await forAll([fc.oneof(fc.string({ unit: "binary" }), bytes, json, row)], 500, line => {
      expect(decode(line).kind).toBeString()
    })
  })
})

test("the haiku recording decodes without malformed lines or faults", () => {
  const counts: Record<string, number> = {}
  for (const line of readFileSync(haiku, "utf8").split("\n")) {
    const decoded = decode(line)
    counts[decoded.kind] = (counts[decoded.kind] ?? 0) + 1
    if (decoded.kind === "event") expect(decoded.faults).toEqual([])
  }
  expect(counts).toEqual({ event: 24, delta: 32, phase: 1, prompt: 1, answer: 1, blank: 1 })
})
