// Runs texts through the parser in chunks, for its tests.
import fc from "fast-check"
import type { ParserName, Segment, SegmentEvent } from "../../src/streaming/index.ts"
import {
  createStreamingParser,
  endParse,
  extractSegments,
  initialParse,
  SegmentEventType,
  stepParse,
} from "../../src/streaming/index.ts"

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

/** The name of the state after these chunks: `text`, `opening`, `block`, `json`, or `tool.` and its part. */
export function stateAfter(strategy: ParserName, ...chunks: readonly string[]): string {
  let state = initialParse(strategy)
  for (const chunk of chunks) state = stepParse(state, chunk).state
  return state.mode.at === "tool" ? `tool.${state.mode.part.at}` : state.mode.at
}

/** The steps that the parser takes to read a text in chunks of one size. */
export function stepsFor(strategy: ParserName, text: string, size: number): number {
  const parser = createStreamingParser({ parserName: strategy })
  for (let at = 0; at < text.length; at += size) parser.feed(text.slice(at, at + size))
  parser.finalize()
  return parser.context.draft.steps
}

export const STRATEGIES: readonly ParserName[] = ["xml", "json", "sentinel", "api_tool_call"]

/** Random texts made of whole and broken pieces of the syntax. */
export function tagText(strategy: ParserName): fc.Arbitrary<string> {
  const pieces = [...COMMON, ...(PIECES.get(strategy) ?? [])]
  return fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map(parts => parts.join(""))
}

const COMMON = [
  ...["a", " ", "\n", "\r\n", "  \n ", "<", ">", '"', "'", "/", "\\"],
  ...["=", "😀", "\ud83d", "\ude00", "İ", "x < y", "`"],
]
const PIECES: ReadonlyMap<ParserName, readonly string[]> = new Map<ParserName, readonly string[]>([
  [
    "xml",
    [
      ...['<write_file path="/a">', "<write_file path='", "</write_file>", "</write_", "<run_bash>", "</run_bash>"],
      ...['<tool name="write_file">', '<tool name="edit_file">', '<tool name="run_bash">', '<tool name="x">', "<tool "],
      ...["</tool>", "<arguments>", "</arguments>", '<arg name="path">', '<arg name="content">', '<arg name="patch">'],
      ...[
        '<arg name="command">',
        '<arg name="background">',
        "true",
        "</arg>",
        "</arg",
        "__START_CONTENT__",
        "__END_CONTENT__",
      ],
      ...[
        "__START_PATCH__",
        "__END_PATCH__",
        "__END_",
        "__",
        "<arg name=",
        "</",
        "<TOOL NAME='run_bash' >",
        "<w",
        "path",
      ],
      ...['<tool name="write_file"><arg name="path">/p</arg><arg name="content">', "__START_CONTENT__\n"],
      ...['<tool name="run_bash"><arg name="command">', "</arg></arguments></tool>", "__END_CONTENT__\n</arg>"],
    ],
  ],
  [
    "json",
    [
      '{"name":',
      '{"tool"',
      '{"tool_calls":',
      "{",
      "}",
      "[",
      "]",
      '[{"name"',
      '[ { "tools"',
      '{"na',
      ":",
      ",",
      '"f"',
      '\\"',
      "{}",
      "[]",
    ],
  ],
  [
    "sentinel",
    [
      ...['[[SEG_START {"type":"write_file","path":"/a"}]]', "[[SEG_START", '{"type":"text"}', "]]", "]", "[", "[["],
      ...[
        "[[SEG_END]]",
        "[[SEG_EN",
        "[[seg_end]]",
        "{",
        "}",
        '[[SEG_START {"type":"run_bash"',
        '"type":',
        "[[SEG_START{",
        "SEG",
      ],
    ],
  ],
])
