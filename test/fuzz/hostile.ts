// Makes malformed frames of every kind, and bytes that are not frames.
import type { Random } from "../chaos/random.ts"

type Loose = { [key: string]: unknown }

const IDS = ["planner", "poet", "s1", "s2", ":session/x", "__proto__", "constructor", "toString", ""]
const EVENTS = [
  ..."started start-config event-processed done aborted error tick resumed".split(" ").map(name => `runner/${name}`),
  ..."start request delta response error model-down tool-result worker-exit user-message context-warning retry model-policy-empty"
    .split(" ")
    .map(name => `llm/${name}`),
  ..."start answer cancelled error validation-failed interrupted".split(" ").map(name => `human-input/${name}`),
  "checkpoint/written",
  "debug/awaiting-step",
  "debug/awaiting-quit",
  "transcript/serialize-error",
  "adapter/claude",
]
const KINDS = [
  "event",
  "phase",
  "prompt",
  "answer",
  "debug",
  "control",
  "progress",
  "conversation",
  "model-catalog",
  "sidecar",
] as const

/** Replacements of a value: other types and edge cases, as JSON text, since not all of them can be values. */
const EDGES = [
  "null",
  "true",
  "0",
  "-0",
  "-1",
  "1.5",
  "1e308",
  "1e999",
  "-1e999",
  "9007199254740993",
  "1e-400",
  '""',
  '"NaN"',
  '"Infinity"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\u0000"',
  '"\\u001b[2J"',
  '"\\u202e"',
  "[]",
  "[[]]",
  "{}",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"":0,"":1}',
  '[null,1,"",{}]',
] as const

/** Stands where the number of an event goes. */
const NUMBER = "77777777"
/** Lines that are made at once, and how often each of them is taken, about. */
const POOL = 8192
const TAKEN = 8

/** Lines that a hub repeats. */
const RING = 256

/** Endless hostile lines. Their numbers count up, as an agent's do, and some lines are repeated. */
export function* hostileLines(random: Random): Generator<string, never> {
  const ring: string[] = []
  for (let latest = 0; ; ) {
    const pool = Array.from({ length: POOL }, () => hostileLine(random))
    for (let taken = 0; taken < POOL * TAKEN; taken++) {
      const line = pool[random.whole(0, POOL - 1)] ?? ""
      if (!line.includes(NUMBER)) {
        yield line
        continue
      }
      const chance = random.next()
      const again = chance < 0.05 ? ring[random.whole(0, RING - 1)] : undefined
      latest += again !== undefined ? 0 : chance > 0.99 ? random.whole(2, 100) : 1
      const numbered = again ?? line.replaceAll(NUMBER, String(latest))
      ring[latest % RING] = numbered
      yield numbered
    }
  }
}

/** A line that may be anything. */
function hostileLine(random: Random): string {
  const chance = random.next()
  if (chance < 0.02) return noise(random)
  const line = printed(frameOf(random), random)
  return chance < 0.1 ? torn(line, random) : line
}

/** A frame as it ought to be, of any kind. */
function frameOf(random: Random): Loose {
  const id = (): string => random.pick(["planner", ...IDS])
  const text = (): string => "tide ".repeat(random.whole(0, 4))
  const kind = random.pick(["event", "event", "event", "event", ...KINDS])
  switch (kind) {
    case "event":
      return {
        kind,
        seq: Number(NUMBER),
        ts: 1_780_000_000_000 + random.whole(0, 9999),
        event: random.pick(["llm/delta", ...EVENTS]),
        data: dataOf(random, id, text),
      }
    case "phase":
      return { kind, ts: 1, config: ["run", id()], breadcrumb: ["run", id()], siblings: [id()] }
    case "prompt":
      return {
        kind,
        "prompt-id": `${id()}#1`,
        invokeid: id(),
        type: random.pick(["text", "confirm", "select", "multi"]),
        opts: { prompt: text(), options: [{ label: text(), value: id() }, id(), 3], default: id() },
      }
    case "answer":
      return { kind, "prompt-id": `${id()}#1`, value: text(), cancelled: random.next() < 0.2 }
    case "debug":
      return {
        kind,
        paused: random.next() < 0.5,
        "step-budget": 2,
        mode: random.pick(["running", "paused-at-turn", "branch-running"]),
        "turn-index": 1,
        branch: { "session-id": id(), parent: id(), "branch-point": { "node-id": id(), visit: 0, turn: 2 } },
        "pending-events": [{ name: id(), data: {}, target: id(), "external?": true, "delivery-time": 1 }],
        config: [id()],
      }
    case "control":
      return { kind, op: random.pick(["run-finished", "pause", "step"]), "final-config": `[:${id()}]` }
    case "progress":
      return { kind, phase: random.pick(["start", "update", "end"]), invokeid: id(), pct: 0.5, label: text() }
    case "conversation":
      return {
        kind,
        invokeid: id(),
        "node-id": id(),
        visit: 0,
        turns: [{ turn: 0, model: "m", system: text(), messages: [{ role: "user", text: text() }] }],
      }
    case "model-catalog":
      return { kind, aliases: [{ alias: id(), targets: [{ provider: "p", model: "m" }] }], preferences: [id()] }
    default:
      return {
        kind: "sidecar",
        at: 1,
        what: random.pick(["start", "link", "refused", "gap", "disk", "parser", "breakpoint", "fault"]),
        state: random.pick(["open", "lost"]),
        rows: random.whole(0, 3),
        op: "pause",
        why: text(),
      }
  }
}

function dataOf(random: Random, id: () => string, text: () => string): Loose {
  return {
    invokeid: id(),
    "session-id": id(),
    type: random.pick(["text-delta", "thinking-delta"]),
    text: text(),
    model: "m",
    coalesced: random.whole(1, 9),
    message: text(),
    reason: text(),
    status: random.pick(["done", "error"]),
    usage: { "input-tokens": 3, "output-tokens": random.whole(0, 99) },
    content: [
      { type: "text", text: text() },
      { type: "tool_use", id: id(), name: "look", input: { path: text() } },
      { type: "tool_result", tool_use_id: id(), content: text() },
    ],
    "user-blocks": [{ type: "text", text: text() }],
    tool: "look",
    "is-error": random.next() < 0.3,
    "io/ref": `nodes/${id()}/0/turns/0/request.edn`,
    "config-after": ["run", id()],
    entered: [id()],
    exited: [id()],
    "event-name": id(),
    kind: "text",
    errors: [text()],
    answer: text(),
  }
}

/** The JSON of a value, with something wrong in it at a few places. */
function printed(value: unknown, random: Random, depth = 0): string {
  const chance = random.next()
  if (depth > 0 && chance < 0.04) return random.pick(EDGES)
  if (depth > 0 && chance < 0.04002) return deep(random.whole(2, 10_000))
  if (depth > 0 && chance < 0.04004) return JSON.stringify("x".repeat(random.whole(1, 200_000)))
  if (Array.isArray(value)) return `[${value.map(one => printed(one, random, depth + 1)).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const fate = random.next()
    if (fate < 0.03) return []
    // A number that is wrong begins another epoch: rarely, or there would be nothing else.
    if (key === "seq" && random.next() > 0.002) return [`"seq":${one}`]
    const name = fate < 0.04 ? random.pick(["__proto__", "kind", "", "\ud800", "constructor"]) : key
    return [`${JSON.stringify(name)}:${printed(one, random, depth + 1)}`]
  })
  return `{${entries.join(",")}}`
}

/** Lists within lists, so many of them. */
export function deep(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels)
}

/** The line cut short, doubled, or with some of its characters others. */
function torn(line: string, random: Random): string {
  const at = random.whole(0, line.length)
  switch (random.pick([0, 1, 2, 3])) {
    case 0:
      return line.slice(0, at)
    case 1:
      return line + line.slice(at)
    case 2:
      return `${line.slice(0, at)}${random.pick(["\0", "\ud800", "\ufeff", "\n", "\r", "\u2028", '"', "{", "\\"])}${line.slice(at)}`
    default:
      return `${line.slice(0, at)}${noise(random)}${line.slice(at + 3)}`
  }
}

/** Bytes by chance, as a decoder of UTF-8 hands them over. */
function noise(random: Random): string {
  const bytes = Uint8Array.from({ length: random.whole(0, 40) }, () => random.whole(0, 255))
  return new TextDecoder().decode(bytes)
}
