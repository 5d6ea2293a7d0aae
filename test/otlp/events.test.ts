// Keeps the spans of events told one by one: how each kind of work begins, goes on, fails, is cut and ends.
import { expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { event, ids } from "../run/lines.ts"
import { spansOfFrames } from "./spans.ts"

/** `ts` is the event's own time, s; by default one more than that of the event before. */
type Told = readonly [name: string, data?: object, ts?: number]

const start = (model: string, more: object = {}): Told => ["llm/start", { model, ...more }]
const request = (more: object): Told => ["llm/request", more]
const reply = (more: object = {}): Told => ["llm/response", more]
const used = (input: number | null, output: number | null, more: object = {}): Told =>
  reply({ usage: { "input-tokens": input, "output-tokens": output, ...more } })
const says = (...texts: readonly string[]) => ({ content: texts.map(text => ({ type: "text", text })) })
const calls = (...names: readonly string[]) => ({
  content: names.map(name => ({ type: "tool_use", id: name, name, input: { path: name } })),
})
const result = (id: string, more: object = {}): Told => ["llm/tool-result", { "tool-use-id": id, ...more }]
const fault = (message: string | null): Told => ["llm/error", { message }]
const word: Told = ["llm/delta", { type: "text-delta", text: "a" }]
const exit = (reason: string | null, isError = false): Told => ["llm/worker-exit", { reason, "is-error": isError }]
const down = (more: object = {}): Told => ["llm/model-down", { model: "m", message: "refused", ...more }]
const started: Told = ["runner/started", { "chart-id": ":c" }]
const done: Told = ["runner/done"]
const moved = (entered: readonly string[], exited: readonly string[], after?: readonly string[]): Told => [
  "runner/event-processed",
  { entered, exited, ...(after && { "config-after": after }) },
]
const asked: Told = ["human-input/start", { kind: "text", prompt: "Who?" }]
const captured = { "replay/source": "captured" }
const nobody = { invokeid: null, "session-id": null }

const ENDS: { readonly [what: string]: readonly Told[] } = {
  "a call that is cut by another": [start("m"), word, start("n"), used(1, 2), done],
  "a call that is cut by the end of its worker": [start("m"), word, exit("done"), done],
  "a call that is cut by the end of the run": [start("m"), word, done],
  "a call and a tool that are open when the run is left": [start("m"), reply(calls("t")), start("m"), word],
  "a tool that is open when the run ends": [start("m"), reply(calls("t")), done],
  "nothing open when the run ends": [start("m"), reply(says(".")), done],
  "a run that is aborted, and events that come late": [
    started,
    start("m"),
    reply(),
    ["runner/aborted", { reason: "killed" }],
    ["llm/user-message", { text: "late" }],
  ],
  "a run that is over though words still come": [start("m"), done, word, word],
  "a clock that goes back": [
    ["llm/start", { model: "m" }, 5],
    ["llm/retry", {}, 9],
    ["llm/response", {}, 0.5],
    ["llm/worker-exit", {}, 4],
    moved([], []),
  ],
  "a run that fails": [started, ["runner/error", { message: "no disk" }]],
  "a run that is started anew, and is counted anew": [
    started,
    used(10, 1),
    ["llm/usage", { usage: { "input-tokens": 15 }, ...nobody }],
    ["runner/aborted", {}],
    started,
    used(7, 1),
    done,
  ],
  "a session that is started again after its end": [
    ...[start("m"), used(10, 1), exit("over"), start("m"), used(20, 1)],
    ...[exit("over", true), done],
  ],
  "a result that comes after the end of its session": [
    ...[start("m"), reply(calls("t")), exit("done"), result("u", { tool: "u", "elapsed-ms": 1 }), done],
  ],
  "questions that are answered, cancelled, interrupted, failed and left open": [
    ...["answer", "cancelled", "interrupted"].flatMap((how): Told[] => [asked, [`human-input/${how}`, {}]]),
    ...[asked, ["human-input/error", { message: "no" }] as const, asked, done],
  ],
}

const CALLS: { readonly [what: string]: readonly Told[] } = {
  "retries of a session without a call, and of a call": [
    ["llm/retry", { model: "m", category: "rate-limit", attempt: 1, "max-retries": 3 }],
    start("m"),
    ["llm/retry", { attempt: 2 }],
    reply({ model: "m" }),
    done,
  ],
  "a call without a start, which took as long as its reply says": [reply({ model: "m", "elapsed-ms": 400 }), done],
  "a call that its request names, and a reply that comes without one": [
    ...[request({ model: "m" }), reply({ model: "n", "stop-reason": "end_turn" }), used(3, 1), done],
  ],
  "usage of every kind, and none after it in the same turn": [
    start("m"),
    used(9, 4, { "cache-read-tokens": 5, "cache-write-tokens": 2, "reasoning-tokens": 3 }),
    reply({ usage: {} }),
    done,
  ],
  "words whose number the reply does not tell": [start("m"), word, word, reply(says("aa")), exit("done"), done],
  "a request without words of a person": [start("m"), request({ "system-preview": "Be brief." }), used(1, 2), done],
  "an event that does not name its agent": [start("m"), reply(calls("t")), result("t", { invokeid: null }), done],
  "a model that goes down without an error before": [start("m"), word, word, down({ category: "network" }), done],
  "a model that goes down after its error": [start("m"), word, fault("reset"), down({ message: null }), done],
  "a model that goes down, and another that answers": [start("m"), down(), start("n"), used(1, 7), exit("done"), done],
  "a model that goes down while nothing is open": [start("m"), used(1, 7), down(), done],
  "errors of a call, of no call, and without words": [
    ...[start("m"), fault("reset"), fault("again"), start("m"), word, fault(null), done],
  ],
  "an error that an answer makes up for": [start("m"), fault("reset"), used(1, 1), done],
  "replies from captures, which cost nothing": [
    ...[start("m", captured), word, used(1, 2), start("m", captured), word, start("m"), used(3, 4), done],
  ],
  "a reply from a capture that fails, and one that a request follows": [
    ...[start("m", captured), word, fault("gone"), start("m"), word, fault("reset"), request({}), done],
  ],
  "captures that the request tells of": [start("m"), request(captured), used(1, 2), done],
  "no model left": [start("m"), ["llm/model-policy-empty", { policy: "cheap" }], done],
  "no model left, in a policy without a name": [start("m"), ["llm/model-policy-empty", {}], done],
  "no model left, after which another is started": [["llm/model-policy-empty", {}], start("m"), exit("done"), done],
  "ends of a worker: refused, failed without a reason, and by the word alone": [
    ...[start("m"), exit("refusal", true), start("m"), exit(null, true), start("m"), exit("error"), done],
  ],
  "an end that fails after an error, whose words stay": [start("m"), fault("reset"), exit("gave up", true), done],
  "tools told apart by id, by name, and one that nobody asked for": [
    start("m"),
    reply({ content: [...calls("t", "u").content, { type: "tool_use", name: "v", input: {} }] }),
    result("u", { "is-error": true, "content-preview": "bad" }),
    ["llm/tool-result", { tool: "v" }],
    result("w", { tool: "t", "elapsed-ms": 3 }),
    result("t"),
    done,
  ],
  "a reply in parts is one call": [
    start("m"),
    request({ "user-blocks": says("Look.").content }),
    reply({ requests: 1, content: [...says("I look.").content, ...calls("one").content] }),
    result("one", { "content-preview": "x" }),
    reply({ requests: 0, ...calls("two"), "stop-reason": "tool_use" }),
    result("two", { "content-preview": "y" }),
    reply({ requests: 0, usage: { "input-tokens": 9, "output-tokens": 2, "cost-usd": 0.5 } }),
    start("m"),
    reply({ requests: 1, ...says("Done."), "stop-reason": "end_turn" }),
    fault("no credit"),
    ["runner/error", { message: "no credit" }],
  ],
  "a reply in parts that a retry ends": [start("m"), reply({ requests: 1, ...says("I look.") }), ["llm/retry"], done],
}

const COSTS: { readonly [what: string]: readonly Told[] } = {
  "replies with a price, with a cost of their own, with none, and captured": [
    ...[start("p"), used(10, 4), start("other"), reply({ ...usage(10, 4), "cost-usd": 0.5 })],
    ...[start("other"), used(10, 4), start("p", captured), reply({ ...usage(10, 4), "cost-usd": 9 }), done],
  ],
  "an agent CLI that tells its cost at the end": [
    start("m"),
    reply(says("I look.")),
    reply({ requests: 0, usage: { "input-tokens": 9, "output-tokens": 2, "cost-usd": 0.5 } }),
    done,
  ],
  "sums that a session and the run tell": [
    ...[start("m"), used(10, 4), ["llm/usage", { ...usage(30, 9), "cost-usd": 0.25 }] as const],
    ...[["llm/usage", { ...nobody, ...usage(35, null), "cost-usd": 0.5 }] as const, exit(null), done],
  ],
  ...Object.fromEntries(
    [[word, fault("x")], [word, exit("x")], [word, start("m"), reply({ "cost-usd": 0.5 })], [fault("x")]].map(cut => [
      `a paid reply, then ${cut.map(([name]) => name).join(", ")}`,
      [start("m"), reply({ "cost-usd": 0.5 }), start("m"), ...cut, done],
    ]),
  ),
}

const STATES: { readonly [what: string]: readonly Told[] } = {
  "states that are entered, left, entered again, and open at the end": [
    started,
    ["runner/start-config", { config: ["top"] }],
    moved(["plan", "step"], [], ["top", "plan", "step"]),
    start("m"),
    reply(),
    moved(["step"], ["step"], ["top", "plan", "step"]),
    moved(["review"], ["plan", "step"]),
    moved([], ["top"], ["top", "review"]),
    moved([], [], ["top"]),
  ],
  "an invocation that began before its state was known, and one of another state": [
    ...[start("m"), moved(["plan"], [], ["plan"]), exit("done"), start("n"), moved(["end"], ["plan"], ["end"]), done],
  ],
  "a state that is entered again though it was not left": [
    moved(["plan"], [], ["plan"]),
    moved(["plan"], [], ["plan"]),
  ],
}

function usage(input: number | null, output: number | null) {
  return { usage: { "input-tokens": input, "output-tokens": output } }
}

const PRICES = decodePrices('{"p": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.01}}') ?? noPrices

/** The events, one a second; a run that starts anew counts anew. */
function framesOf(all: readonly Told[]): readonly Decoded[] {
  let seq = 0
  return all.map(([name, data = {}, ts], i) => {
    seq = name === "runner/started" ? 1 : seq + 1
    return event(seq, name, { ...ids, ...data }, 1000 * (ts ?? i))
  })
}

/** What every span of an invocation repeats. */
const REPEATED = /^gen_ai\.(?:operation\.name|agent\.name|conversation\.id|tool\.name|workflow\.name)$/

/** Each span in a line, below its parent: its seconds, its failure, and what else it tells. */
function pictureOf(spans: readonly TraceSpan[], parent: string | null = null, indent = "  "): readonly string[] {
  const own = spans.filter(one => one.parentId === parent).toSorted((a, b) => a.start - b.start)
  return own.flatMap(({ name, spanId, start, end, error, attributes, events }) => {
    const told = Object.entries(attributes)
      .toSorted()
      .flatMap(([key, value]) =>
        REPEATED.test(key) ? [] : [`${key.replace(/^(?:gen_ai|opentui_sidecar)\./, "")}=${value}`],
      )
    const noted = events.map(
      one => `[${one.name.split(".").at(-1)} at ${one.ts / 1000}: ${JSON.stringify(one.attributes)}]`,
    )
    const failure = error === null ? [] : [`FAILED "${error}"`]
    const words = [`${name} ${start / 1000}-${end / 1000}`, ...failure, ...told, ...noted]
    return [`${indent}${words.join(" ")}`, ...pictureOf(spans, spanId, `${indent}  `)]
  })
}

test.each([
  ["ends", ENDS],
  ["model calls and tools", CALLS],
  ["what is said in model calls and tools", CALLS],
  ["costs", COSTS],
  ["states", STATES],
])("the spans of %s", (title, cases) => {
  const content = title.startsWith("what is said")
  const pictures = Object.entries(cases).map(([what, events]) => {
    const frames = framesOf(events)
    const picture = pictureOf(spansOfFrames(frames, { prices: PRICES, content, size: 1 }))
    // However the events are batched. The tokens of calls may stand in others of a turn.
    const isSame = title === "ends" || title === "states"
    if (isSame) expect(pictureOf(spansOfFrames(frames, { prices: PRICES }))).toEqual(picture)
    return [what, ...picture].join("\n")
  })
  expect(`\n${pictures.join("\n")}\n`).toMatchSnapshot()
})
