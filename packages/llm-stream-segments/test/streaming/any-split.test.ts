// Tests that chunking never changes a result, under every option: ids, metadata, END payloads, and invocations.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import type { ParserConfigOptions, SegmentEvent } from "../../src/streaming/index.ts"
import {
  ParserConfig,
  parseCompleteResponse,
  SegmentEventType,
  StreamingParser,
  segments,
  TAG_PROFILES,
  ToolInvocationAdapter,
} from "../../src/streaming/index.ts"
import { cutAt, PIECES, tagText } from "./parsing.ts"

const places = fc.array(fc.nat({ max: 600 }), { maxLength: 12 })
const tags = { ...TAG_PROFILES.think, ...TAG_PROFILES.hermes, ...TAG_PROFILES.claude, ...TAG_PROFILES.llama }

const options: fc.Arbitrary<ParserConfigOptions> = fc.record({
  strategyOrder: fc.shuffledSubarray(["xml_tag", "json_tool", "sentinel"]),
  tags: fc.constantFrom({}, TAG_PROFILES.qwenCoder, tags),
  safe: fc.boolean(),
  parseToolCalls: fc.boolean(),
  segmentIdPrefix: fc.constantFrom("", "turn:"),
})

const markdown = fc.array(fc.constantFrom(...(PIECES.markdown ?? [])), { maxLength: 24 }).map(parts => parts.join(""))
const text = fc.oneof(
  { weight: 3, arbitrary: markdown },
  fc
    .array(fc.oneof(markdown, tagText("xml"), tagText("json"), tagText("sentinel")), { maxLength: 3 })
    .map(all => all.join("")),
  fc.tuple(fc.nat({ max: 20 }), markdown).map(([n, part]) => "x".repeat(4080 + n) + part.repeat(n)),
)

/** All events, the contents of one segment joined. */
function joined(events: readonly SegmentEvent[]): unknown[] {
  const all: unknown[] = []
  let delta = ""
  for (const event of events) {
    if (event.event_type === SegmentEventType.CONTENT) delta += event.payload.delta
    else {
      if (delta !== "") all.push(delta)
      delta = ""
      all.push(event.toDict())
    }
  }
  return [...all, delta]
}

function parsed(config: ParserConfig, chunks: readonly string[]): SegmentEvent[] {
  const parser = new StreamingParser(config)
  return [...chunks.flatMap(chunk => parser.feed(chunk)), ...parser.finalize()]
}

test("the parser gives the same ids, metadata, contents and ends", () =>
  forAll([options, text, places], 800, (given, whole, at) => {
    const config = new ParserConfig(given)
    const expected = joined(parseCompleteResponse(whole, config))
    expect(joined(parsed(config, cutAt(whole, at)))).toEqual(expected)
    expect(joined(parsed(config, whole.split("")))).toEqual(expected)
  }))

test("the loop gives the same segments and invocations", () =>
  forAll([options, text, places], 200, async (given, whole, at) => {
    const config = new ParserConfig(given)
    const calls = new ToolInvocationAdapter().processEvents(parseCompleteResponse(whole, config))
    const chunks = cutAt(whole, at)
    for (const pieces of [[whole], chunks]) {
      const found: unknown[] = []
      const invoked: unknown[] = []
      for await (const segment of segments(pieces, given)) {
        const { invocations, ...rest } = await segment.whole()
        found.push(rest)
        invoked.push(...invocations)
      }
      expect(found).toEqual(wholeSegments(config, whole))
      expect<unknown>(invoked).toEqual(calls)
    }
  }))

function wholeSegments(config: ParserConfig, whole: string): unknown[] {
  const open = new Map<string, { id: string; type: unknown; metadata: object; content: string; complete: boolean }>()
  for (const { event_type, segment_id: id, segment_type: type, payload } of parseCompleteResponse(whole, config)) {
    const segment = open.get(id) ?? { id, type, metadata: {}, content: "", complete: true }
    open.set(id, segment)
    if (event_type === SegmentEventType.CONTENT) segment.content += payload.delta
    else segment.metadata = { ...segment.metadata, ...payload.metadata }
    if (event_type === SegmentEventType.END) segment.complete = payload.complete !== false
  }
  return [...open.values()]
}
