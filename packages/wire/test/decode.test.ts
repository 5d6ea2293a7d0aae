// Decodes lines: what holds for every kind of them, malformed and hostile ones too. Decoding never throws.
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { haiku } from "../../../test/fixtures.ts"
import { forAll } from "../../../test/for-all.ts"
import { callEssence } from "../src/call-arguments.ts"
import { decode, replyRow } from "../src/decode.ts"
import { encode } from "../src/encode.ts"
import { type Decoded, isFrame } from "../src/frame.ts"

/** Decodes `row` as it is on the wire. */
function wire(row: unknown): Decoded {
  return decode(JSON.stringify(row))
}

test("a prompt keeps every digit of an integer beyond 2^53, which is answered and shown as it came", () => {
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

test("a tool call's input is read in full, and escaped, and of an event in the queue 400 characters", () => {
  const waiting = [392, 394].map(size => ({ data: { x: "y".repeat(size) } }))
  const shown = ['"}', "y…"].map(end => ({ data: `{"x":"${"y".repeat(392)}${end}` }))
  expect(wire({ kind: "debug", "pending-events": waiting })).toMatchObject({ pendingEvents: shown })
  const block = { type: "tool-use", name: "w", input: { body: `\u202e${"x".repeat(5000)}` } }
  const input = `{"body":"\\u202e${"x".repeat(5000)}"}`
  expect(wire({ event: "llm/response", data: { content: [block] } })).toMatchObject({ body: { content: [{ input }] } })
})

test("a row of a whole reply is read without decoding it, and no other row is", () => {
  const row = { event: "llm/response", seq: 3, ts: 5, data: { invokeid: "a", "session-id": "s", content: [] } }
  const read = { seq: 3, ts: 5, invokeid: "a", sessionId: "s", data: row.data }
  expect([replyRow(row), replyRow({ kind: "event", ...row })]).toEqual([read, read])
  const lacking = ["invokeid", "session-id", "content"].map(key => ({ ...row, data: { ...row.data, [key]: null } }))
  const others = [
    { kind: "phase" },
    { event: "llm/start" },
    { seq: 1.5 },
    { seq: "3" },
    { ts: null },
    { data: [] },
    { data: null },
  ]
  for (const other of others) lacking.push({ ...row, ...(other as object) })
  expect(lacking.map(one => replyRow(one))).toEqual(lacking.map(() => null))
})

test.each([
  ['{"command":"ls -l","path":"a"}', "ls -l"],
  ['{"n":7,"path":"a\\nb"}', "a b"],
  ['{"n":7}', "n: 7"],
  ['{"cmd":"echo \\"a\\" C:\\\\b"}', 'echo "a" C:\\b'],
  [`{"n":7,"x":"${"y".repeat(400)}","path":"a"}`, "n: 7"],
  ["null", ""],
  ['"said"', 'said"'],
  ["{}", ""],
  ["[1,2]", "[1,2]"],
  ["y".repeat(160), "y".repeat(160)],
  ["y".repeat(161), `${"y".repeat(160)}…`],
])("the essence of the call %s is %j", (input, essence) => expect<string>(callEssence(input)).toBe(essence))

test("an event is none of ours by an object's own names", () => {
  const other = { type: "other", shown: '{"text":"t"}' }
  for (const event of ["constructor", "__proto__", "my/adapter/line"])
    expect(wire({ event, data: { text: "t" } })).toMatchObject({ name: event, body: other })
})

test("a ts beyond the range of dates is null and a fault, for a delta too", () => {
  for (const event of ["runner/done", "llm/delta"]) {
    expect(wire({ event, ts: 8.64e15 })).toMatchObject({ ts: 8.64e15 })
    for (const ts of [8.64e15 + 1, -9e99]) {
      const faults = [expect.stringContaining("ts: expected epoch ms")]
      expect(wire({ event, ts })).toMatchObject({ ts: null, faults })
    }
  }
  expect(decode('{"kind":"progress","phase":"update","pct":1e999}')).toMatchObject({ fraction: null })
})

describe("lines that are not frames", () => {
  test("our own bookkeeping is a note", () => {
    const row = { kind: "sidecar", at: 7, what: "start", url: "x" }
    expect(wire(row)).toEqual({ kind: "note", at: 7, what: "start", data: row })
    expect(wire({ kind: "sidecar" })).toMatchObject({ kind: "note", at: null, what: "" })
  })

  test("an empty line is blank", () => {
    for (const line of ["", " ", "\r", "\t \ufeff"]) expect(decode(line)).toEqual({ kind: "blank" })
    const lines = ["", "{", '{"kind":"sidecar"}', '{"event":"x"}']
    expect(lines.filter(line => isFrame(decode(line)))).toEqual(['{"event":"x"}'])
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

  test.each(["\u001b[2J", " "])("a line that is not JSON behind %j is malformed, with a sanitized reason", behind => {
    const line = `{"kind":${behind}${"x".repeat(10_000)}`
    const decoded = decode(line)
    if (decoded.kind !== "malformed") throw new Error(`decoded as ${decoded.kind}`)
    expect(decoded.why).toStartWith("not JSON: ")
    expect(decoded.why).not.toContain("\u001b")
    expect(decoded.why.length).toBeLessThan(100)
    expect(decoded.raw).toBe(line.slice(0, 4096))
    expect(decoded.length).toBe(line.length)
  })
})

test("recorded frames that are JSON strings are unwrapped, once, and decoded", () => {
  expect(wire('{"kind":"control",\n"op":"a"}')).toMatchObject({ kind: "control", op: "a" })
  for (const more of ["", ',"cancelled":true'])
    expect(wire(`{"kind":"answer","prompt-id":"p"${more}}`)).toMatchObject({ why: "an answer, which only we send" })
  expect(wire("boom")).toMatchObject({ kind: "malformed", raw: "boom", length: 4 })
  expect(wire(" ")).toEqual({ kind: "blank" })
  expect(wire(JSON.stringify('{"kind":"control","op":"a"}'))).toMatchObject({ why: "expected object, got text" })
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
    const call = `{"event":"llm/response","data":{"content":[{"name":"a","input":${deep}}]}}`
    expect(decode(call).kind).toBeOneOf(["event", "malformed"])
  })

  test("__proto__ and constructor are ordinary keys", () => {
    expect(decode('{"event":"x","data":{"__proto__":{"invokeid":"evil"},"constructor":1}}')).toMatchObject({
      invokeid: null,
      body: { shown: '{"__proto__":{"invokeid":"evil"},"constructor":1}' },
    })
    expect(decode('{"__proto__":{"kind":"control","op":"a"}}')).toMatchObject({ why: "no kind" })
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
