// Runs texts through the parser in chunks, for its tests.
import { readFileSync } from "node:fs"
import fc from "fast-check"
import type { ParserName, Segment, SegmentEvent, StreamingParser } from "../../src/streaming/index.ts"
import { endParse, extractSegments, initialParse, SegmentEventType, stepParse } from "../../src/streaming/index.ts"

/** A segment as the tests compare it: `end` is the END's payload unless empty, null if there was no END. */
export interface Read {
  readonly type: string
  readonly metadata: unknown
  readonly content: string
  readonly end?: unknown
}

export function readOf(events: readonly SegmentEvent[]): Read[] {
  return extractSegments(events).map(({ id, type, metadata, content }: Segment) => {
    const end = events.find(event => event.event_type === SegmentEventType.END && event.segment_id === id)
    const payload = end === undefined ? null : end.payload
    const ended = payload !== null && Object.keys(payload).length === 0 ? {} : { end: payload }
    return { type, metadata, content, ...ended }
  })
}

/** Splits a text into chunks of `size` characters. */
export function cut(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return chunks
}

/** Splits a text at the given places, in any order; repeats are allowed. */
export function cutAt(text: string, places: readonly number[]): string[] {
  const sorted = [0, ...places.map(place => place % (text.length + 1)).sort((a, b) => a - b), text.length]
  return sorted.slice(1).map((place, i) => text.slice(sorted[i], place))
}

export function events(strategy: ParserName, chunks: readonly string[], aborted = false): SegmentEvent[] {
  const all: SegmentEvent[] = []
  let state = initialParse(strategy)
  for (const chunk of chunks) {
    const next = stepParse(state, chunk)
    state = next.state
    all.push(...next.events)
  }
  return [...all, ...endParse(state, { aborted }).events]
}

export function read(strategy: ParserName, chunks: readonly string[]): Read[] {
  return readOf(events(strategy, chunks))
}

/** Feeds a running parser; each feed returns `+type`, `-payload` and deltas. */
export function feeder(strategy: ParserName): (chunk: string) => string[] {
  let state = initialParse(strategy)
  return chunk => {
    const next = stepParse(state, chunk)
    state = next.state
    return next.events.map(({ event_type, segment_type, payload }) => {
      if (event_type === SegmentEventType.START) return `+${segment_type}`
      return event_type === SegmentEventType.END ? `-${JSON.stringify(payload)}` : (payload.delta ?? "")
    })
  }
}

/** What a method looks at or copies, in characters: of its text, its arguments, and its result. */
type Cost = (text: string, args: readonly unknown[], result: unknown) => number

const ONE: Cost = () => 1
const ALL: Cost = text => text.length
const TRIMMED: Cost = (text, _, result) => 1 + text.length - String(result).length
const COMPARED: Cost = (_, [other]) => String(other).length
const COSTS: { readonly [method: string]: Cost } = {
  charAt: ONE,
  charCodeAt: ONE,
  endsWith: COMPARED,
  includes: ALL,
  indexOf: (text, [_, from = 0], found) => (found === -1 ? text.length : Number(found) + 1) - Number(from),
  replace: ALL,
  slice: (_, __, result) => String(result).length,
  startsWith: COMPARED,
  trimEnd: TRIMMED,
  trimStart: TRIMMED,
}

/** The characters that methods of strings look at while `work` runs: they grow with the text if reading is linear. */
export function stepsOf(work: () => void): number {
  let steps = 0
  const replace = (owner: object, name: string, made: (original: CallableFunction) => unknown) => {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? {}
    Object.defineProperty(owner, name, { ...original, value: made(original.value) })
    return () => Object.defineProperty(owner, name, original)
  }
  const restored = Object.entries(COSTS).map(([name, cost]) =>
    replace(String.prototype, name, original => {
      return function (this: string, ...args: unknown[]) {
        const result: unknown = Reflect.apply(original, this, args)
        steps += cost(this, args, result)
        return result
      }
    }),
  )
  for (const name of ["exec", "test"]) {
    const counting = (original: CallableFunction) =>
      function (this: RegExp, text: string) {
        const from = this.lastIndex
        const result: unknown = Reflect.apply(original, this, [text])
        steps += (this.lastIndex || text.length) - from
        return result
      }
    restored.push(replace(RegExp.prototype, name, counting))
  }
  try {
    work()
  } finally {
    for (const restore of restored) restore()
  }
  return steps
}

/** The steps that the parser takes to read a text in chunks of one size. */
export function stepsFor(parser: StreamingParser, text: string, size: number): number {
  const chunks = size < text.length ? cut(text, size) : [text]
  return stepsOf(() => {
    for (const chunk of chunks) parser.feed(chunk)
    parser.finalize()
  })
}

export const STRATEGIES: readonly ParserName[] = ["xml", "json", "sentinel", "api_tool_call"]

/** What random texts are made of, by a strategy or by the test that makes them. */
export const PIECES: { readonly [strategy: string]: readonly string[] } = JSON.parse(
  readFileSync(new URL("../../../../fixtures/texts/pieces.json", import.meta.url), "utf8"),
)

/** Random texts made of whole and broken pieces of the syntax. */
export function tagText(strategy: ParserName): fc.Arbitrary<string> {
  const pieces = [...(PIECES.common ?? []), ...(PIECES[strategy] ?? [])]
  return fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map(parts => parts.join(""))
}
