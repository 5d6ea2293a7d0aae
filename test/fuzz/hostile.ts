// Makes malformed frames of every kind, and bytes that are not frames.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Random } from "../chaos/random.ts"
import { root } from "../fixtures.ts"

type Loose = { readonly [key: string]: unknown }

/** The rows of a file of fixtures/wire, which has every kind of them with every key that is read. */
function rowsOf(name: string): readonly Loose[] {
  const lines = readFileSync(join(root, `fixtures/wire/${name}.jsonl`), "utf8").trimEnd()
  return lines.split("\n").map(line => JSON.parse(line))
}

const EVENTS = rowsOf("events")
/** A row of a transcript has a number of its own. */
const FRAMES = rowsOf("lines").filter(({ seq }) => seq === undefined)

/** Keys that say whose a frame is, and who that may be. */
const OWNERS = new Set(["invokeid", "session-id", "prompt-id", "parent", "target", "tool-use-id", "node-id"])
const IDS = ["planner", "poet", "s1", "s2", ":session/x", "__proto__", "constructor", "toString", ""] as const

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
  const all = random.next() < 0.65 ? FRAMES : EVENTS
  const frame = all[random.whole(0, all.length - 1)] ?? {}
  if (all === FRAMES) return frame
  const { event, data } = frame
  const ids = { invokeid: random.pick(IDS), "session-id": random.pick(IDS) }
  const ts = 1_780_000_000_000 + random.whole(0, 9999)
  return { kind: "event", seq: Number(NUMBER), ts, event, data: { ...Object(data), ...ids } }
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
    const isOwner = OWNERS.has(key) && fate < 0.5
    const id = key === "prompt-id" ? `${random.pick(IDS)}#1` : random.pick(IDS)
    return [`${JSON.stringify(name)}:${printed(isOwner ? id : one, random, depth + 1)}`]
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
