// Keeps the spans of events told one by one: how each kind of work begins, goes on, fails, is cut and ends.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { root } from "../fixtures.ts"
import { event, ids, line } from "../run/lines.ts"
import { spansOfFrames } from "./spans.ts"

/** `ts` is the event's own time, s; by default one more than that of the event before. */
type Told = readonly [name: string, data?: object, ts?: number]

/** The cases, each with its kind and what it is about. */
const lines = (await Bun.file(join(root, "fixtures/scripts/spans.jsonl")).text()).trimEnd().split("\n")
const all: readonly { of: string; what: string; events: readonly Told[] }[] = lines.map(line => JSON.parse(line))

const PRICES = decodePrices('{"p": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.01}}') ?? noPrices

/** The events, one a second; a run that starts anew counts anew. */
function framesOf(all: readonly Told[]): readonly Decoded[] {
  let seq = 0
  return all.map(([name, data = {}, ts], i) => {
    if (name === "phase") return line({ kind: name, ts: 1000 * i, ...data })
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
  ["ends", "ends"],
  ["model calls and tools", "calls"],
  ["what is said in model calls and tools", "calls"],
  ["costs", "costs"],
  ["states", "states"],
])("the spans of %s", (title, kind) => {
  const content = title.startsWith("what is said")
  const pictures = all.flatMap(({ of, what, events }) => {
    if (of !== kind) return []
    const frames = framesOf(events)
    const picture = pictureOf(spansOfFrames(frames, { prices: PRICES, content, size: 1 }))
    // However the events are batched. The tokens of calls may stand in others of a turn.
    const isSame = title === "ends" || title === "states"
    if (isSame) expect(pictureOf(spansOfFrames(frames, { prices: PRICES }))).toEqual(picture)
    return [what, ...picture].join("\n")
  })
  expect(`\n${pictures.join("\n")}\n`).toMatchSnapshot()
})
