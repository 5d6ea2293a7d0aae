// Keeps what each kind of line is read as, whole and with each value of another shape; the contract says what is right.
import { expect, test } from "bun:test"
import { decode } from "../src/decode.ts"
import { isList, isObject, type Json, type JsonObject } from "../src/json.ts"

const OWNER = { invokeid: "poet\u001b", "session-id": ":session/x" }
const HOSTILE = "a\u001b\n\u202eb"
const BLOCKS: Json = [
  "bare",
  { type: "text", text: "First snow" },
  { type: "thinking", thinking: "hm", text: "not this" },
  { type: "tool_use", id: "c\u202e1", name: "save", input: { path: "a\u202e" } },
  { name: "save", input: null },
  { type: "tool_result", tool_use_id: "c1", content: [{ type: "text", text: "a" }, "b", { image: 1 }], is_error: true },
  { type: "image", url: "x" },
  7,
]
const USAGE = {
  "input-tokens": 20,
  "output-tokens": 10,
  "cached-tokens": 300,
  "cache-read-input-tokens": 301,
  "cache-read-tokens": 302,
  "cache-creation-input-tokens": 50,
  "cache-write-tokens": 51,
  "reasoning-tokens": 4,
  "thinking-tokens": 5,
  "cost-usd": 1,
  "total-cost-usd": 2,
  cost: 3,
  summed: true,
}

const EVENTS: readonly (readonly [event: string, data: JsonObject])[] = [
  ["runner/tick", OWNER],
  ["runner/started", { "chart-id": HOSTILE, "resume?": true }],
  ["runner/start-config", { config: ["run", 7, { a: 1 }] }],
  [
    "runner/event-processed",
    {
      "event-name": "go",
      "config-before": ["a"],
      "config-after": ["b"],
      entered: ["b"],
      exited: ["a"],
    },
  ],
  ["runner/done", { "final-config": "[:done]", status: "done" }],
  ["runner/aborted", { reason: "no" }],
  ["runner/error", { message: HOSTILE }],
  ["llm/start", { model: "m", "session-label": HOSTILE }],
  ["llm/request", { model: "m", "n-messages": 3, "user-blocks": BLOCKS, "system-preview": "s", "io/ref": "r" }],
  [
    "llm/response",
    {
      model: "m",
      content: [{ type: "text", text: "First snow" }],
      "stop-reason": "end_turn",
      usage: USAGE,
      requests: 2,
      "cost-usd": 0.5,
      "output-tps": 2.5,
      "elapsed-ms": 3,
      "context-window": 8192,
      "io/ref": "r",
    },
  ],
  [
    "llm/response",
    {
      content: [
        { type: "tool-use", name: "now" },
        { type: "tool-result", "tool-use-id": "c1", content: "a", "is-error": true },
        { thinking: "hm" },
      ],
      usage: { "input-tokens": 5, "cache-read-input-tokens": 30, "thinking-tokens": 5, "total-cost-usd": 2, cost: 3 },
    },
  ],
  ["llm/response", { usage: { "input-tokens": 30, "cached-tokens": 30, "cache-write-tokens": null, cost: 3 } }],
  ["llm/usage", { usage: { "input-tokens": 20, "cache-read-tokens": 10 } }],
  [
    "llm/delta",
    {
      ...OWNER,
      type: "thinking-delta",
      text: HOSTILE,
      model: "m",
      usage: { "output-tokens": 4 },
      coalesced: 7,
      whole: true,
    },
  ],
  ["llm/error", { message: "m" }],
  ["llm/model-down", { model: "m", message: "gone", category: "5xx", remaining: 2 }],
  [
    "llm/tool-result",
    {
      tool: "read",
      "is-error": true,
      "content-preview": '{:content "a\\nb"}',
      "elapsed-ms": 2,
      "tool-use-id": "t1",
      tool_use_id: "t2",
      "io/ref": "nodes/n/0/turns/0/tool-results/t3.edn",
    },
  ],
  ["llm/tool-result", { "io/ref": "nodes/n/0/turns/0/tool-results/t3.edn" }],
  ["llm/worker-exit", { reason: "done", "is-error": true }],
  ["llm/user-message", { text: "hi" }],
  ["llm/context-warning", { "used-frac": 0.9, model: "m", "input-tokens": 9, "context-window": 10 }],
  ["llm/model-policy-empty", { policy: "cheap", "strict?": true }],
  ["llm/retry", { model: "m", category: "5xx", attempt: 1, "max-retries": 3 }],
  ["human-input/start", { kind: "text", prompt: "Who?" }],
  ["human-input/answer", { kind: "multi", answer: ["a\nb", 3] }],
  ["human-input/cancelled", {}],
  ["human-input/error", { message: "m" }],
  ["human-input/validation-failed", { errors: ["too short", 7] }],
  ["human-input/interrupted", {}],
  ["debug/awaiting-quit", { msg: "bye" }],
  ["debug/awaiting-step", { "event-name": "go", "external?": true }],
  ["debug/branch-error", { error: "no" }],
  ["checkpoint/written", {}],
  ["transcript/serialize-error", {}],
  ["adapter/note\n", { text: "a\nb", "is-error": true }],
  ["brand/new\u0007", { anything: HOSTILE }],
  ["__proto__x", { __proto__x: 1 }],
]

const PLACE = { "transcript/node-id": "plan", "transcript/visit": 0, "transcript/turn": 2 }
const FRAMES: readonly JsonObject[] = [
  { event: "llm/error", seq: 5, ts: 1000, ...PLACE, data: { message: "on disk" } },
  { kind: "phase", ts: 5, config: ["run", HOSTILE], breadcrumb: ["run"], siblings: ["a"] },
  {
    kind: "prompt",
    "prompt-id": "p\u0007",
    invokeid: "i\u0007",
    type: "select",
    opts: {
      prompt: HOSTILE,
      options: ["a\u0007", { label: "Bee\u0007", value: { b: 1 } }, { value: 4 }, { other: 1 }, null],
      default: "a\u0007",
      secret: true,
    },
  },
  { kind: "prompt", "prompt-id": "p", type: "multi-select", opts: { options: ["a", "b"], default: ["b", "x", "a"] } },
  { kind: "prompt", "prompt-id": "p", type: "multi", opts: { options: [1, { a: 1 }], default: [{ a: 1 }] } },
  { kind: "prompt", "prompt-id": "p", type: "confirm", opts: { default: true } },
  { kind: "prompt", "prompt-id": "p", type: "text", opts: { default: HOSTILE } },
  { kind: "answer", "prompt-id": "p", value: [1], cancelled: true, secret: true },
  {
    kind: "debug",
    paused: true,
    "step-budget": 2,
    mode: "paused-at-turn",
    "turn-index": 4,
    "breakpoint-armed": true,
    branch: { "session-id": "s2\u001b", parent: "s1", "branch-point": { "node-id": "n", visit: 0, turn: 2 } },
    "branch-error": HOSTILE,
    config: ["run"],
    "pending-events": [{ name: "go", data: { n: 1 }, target: "t", "external?": true, "delivery-time": 5 }],
  },
  { kind: "control", op: "run-finished", "final-config": "[:done]" },
  { kind: "progress", phase: "update", invokeid: "i", label: "l", prompt: "p", pct: 40 },
  {
    kind: "conversation",
    invokeid: "i",
    "node-id": "n",
    visit: 0,
    turns: [{ turn: 0, model: "m", system: "s", messages: [{ role: "user", text: "a\u001b" }] }],
  },
  { kind: "model-catalog", aliases: [{ alias: "a", targets: [{ provider: "p", model: "m" }] }], preferences: ["a"] },
  { kind: "sidecar", at: 7, what: "start" },
]

/** What a value is replaced by: nothing, and a value of every type. */
const OTHERS: readonly (Json | undefined)[] = [
  undefined,
  null,
  "",
  "x",
  true,
  false,
  ["x", null],
  {},
  0,
  1.5,
  -1,
  2 ** 53,
]

/** Our own keys of a line as it is read, each on its own. A reason stands for a line that is none. */
function readAs(row: Json): ReadonlyMap<string, string> {
  const decoded = decode(JSON.stringify(row))
  if (decoded.kind === "malformed") return new Map([["malformed", decoded.why]])
  const { data: _, units: __, opts: ___, body, ...rest } = { data: null, units: 0, opts: null, body: {}, ...decoded }
  return new Map(Object.entries({ ...rest, ...body }).flatMap(([key, value]) => partsOf(key, value)))
}

/** A value as text; of a list of objects, each on its own. */
function partsOf(key: string, value: unknown): readonly (readonly [string, string])[] {
  if (!isList(value) || value.length === 0 || !value.every(isObject)) return [[key, printed(value)]]
  return [[key, `${value.length}`], ...value.map((one, i) => [`${key}.${i}`, printed(one)] as const)]
}

const printed = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replace(
    /[\u007f-\uffff]/g,
    one => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

/** The places of all values that have a name, but not those within a value that is free. */
function* pathsIn(value: Json, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0 && !/^\d+$/.test(path.at(-1) ?? "")) yield path
  if ((isObject(value) || isList(value)) && path.at(-1) !== "input" && path.at(-1) !== "value")
    for (const [key, one] of Object.entries(value)) yield* pathsIn(one, [...path, key])
}

/** The value with another one at this place. */
function replaced(value: Json, [key = "", ...path]: readonly string[], other: Json | undefined): Json {
  const next = path.length === 0 ? other : replaced((value as JsonObject)[key] ?? null, path, other)
  if (isList(value)) return value.with(Number(key), next ?? null)
  const { [key]: _, ...rest } = value as JsonObject
  return next === undefined ? rest : { ...(value as JsonObject), [key]: next }
}

/** What a line is read as, and what changes with each of its values: one line for all that change the same. */
function pictured(row: JsonObject, below = ""): string {
  const whole = readAs(row)
  const lines = [...whole].map(([key, text]) => `${key}: ${text}`)
  for (const path of pathsIn(row)) {
    if (!path.join(".").startsWith(below)) continue
    const changes = new Map<string, string[]>()
    for (const other of OTHERS) {
      const now = readAs(replaced(row, path, other))
      const changed = [...now].filter(([key, text]) => whole.get(key) !== text).map(([key, text]) => `${key}: ${text}`)
      const lost = [...whole.keys()].filter(key => !now.has(key) && !now.has("malformed"))
      const words =
        [...changed, ...lost.map(key => `no ${key}`)].join(", ").replace(/(?<=got )[a-z ]+(?="?\]?$|")/, "that") ||
        "the same"
      changes.set(words, [...(changes.get(words) ?? []), other === undefined ? "absent" : JSON.stringify(other)])
    }
    for (const [words, others] of changes) lines.push(`  ${path.join(".")} ${others.join(" ")} → ${words}`)
  }
  return `${lines.join("\n")}\n`
}

test.each(EVENTS)("the event %s", (event, data) => {
  const below = data.invokeid === undefined ? "data." : ""
  expect(pictured({ kind: "event", seq: 5, ts: 1000, event, data }, below)).toMatchSnapshot()
})

test.each(FRAMES.map(frame => [printed(frame).slice(0, 52), frame] as const))("the line %s", (_, frame) => {
  expect(pictured(frame)).toMatchSnapshot()
})

test("a key of an event that is null is one that is missing, and no fault", () => {
  const known = EVENTS.filter(([event]) => !/^(adapter|brand|__proto__)/.test(event))
  for (const [event, data] of known) {
    const nulls = Object.fromEntries(Object.keys(data).map(key => [key, null]))
    const without = readAs({ kind: "event", event, data: {} })
    expect(readAs({ kind: "event", event, data: nulls })).toEqual(without)
    expect(without.get("faults") ?? "[]").toBe("[]")
  }
})
