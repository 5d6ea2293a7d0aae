// Reads a model's text as segments, and its tool calls as names and arguments without their notation.
import { getJsonToolParsingProfile } from "../../packages/llm-stream-segments/src/parse/formats/json-profiles.ts"
import type { ToolArguments } from "../../packages/llm-stream-segments/src/parse/json-call.ts"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import { SegmentType } from "../../packages/llm-stream-segments/src/parse/segment.ts"
import { TagArguments } from "../../packages/llm-stream-segments/src/parse/tag-arguments.ts"
import { stringifySafe } from "../../packages/wire/src/json.ts"
import type { SegmentPart } from "../run/model/session.ts"
import { parseSegments } from "../run/segments.ts"
import type { Passage } from "../run/select/passages.ts"

/** A segment of a reply; of a tool call the label is its tool, and the text its arguments. */
interface WrittenSegment {
  readonly type: SegmentType
  readonly label: string
  readonly text: string
  /** Arguments that neither label nor text have, as JSON; empty if there are none. */
  readonly more: string
  readonly isCut: boolean
}

/** A passage, or a part of one that is one segment of a parsed reply. */
export interface SegmentPassage extends Passage {
  /** Null if the passage isn't parsed. */
  readonly segment: SegmentType | null
  /** Arguments that neither name nor text have, as JSON; empty if there are none. */
  readonly more: string
}

/** A reply's passages: itself, or where replies are parsed, one for each of its segments. */
export function segmentPassages(passage: Passage, strategy: ParserName): readonly SegmentPassage[] {
  const whole = { ...passage, segment: null, more: "" }
  if (passage.type !== "text" || strategy === "api_tool_call") return [whole]
  const parts = writtenSegments(strategy, passage.text).flatMap(({ type: segment, label, text, more, isCut }) => {
    if (segment === SegmentType.TEXT && text.trim() === "") return []
    const notes = [isCut ? "cut off by the end of the reply" : null, passage.note].filter(note => note !== null)
    const note = notes.length === 0 ? null : notes.join(", ")
    return [{ ...passage, type: entryType(segment), name: label === "" ? null : label, text, note, segment, more }]
  })
  return parts.length === 0 ? [whole] : parts
}

function entryType(segment: SegmentType): Passage["type"] {
  if (segment === SegmentType.TEXT) return "text"
  return segment === SegmentType.REASONING ? "thinking" : "tool-call"
}

/** The segments of a whole reply, each tool call one of them. */
function writtenSegments(strategy: ParserName, text: string): readonly WrittenSegment[] {
  // A long segment is several parts of one id.
  const segments = Map.groupBy(parseSegments(strategy, text), part => part.id)
  const texts = withoutFences([...segments.values()].map(parts => parts.map(part => part.text).join("")))
  return [...segments.values()].flatMap((parts, index): readonly WrittenSegment[] => {
    const [first] = parts
    if (first === undefined) return []
    const { type, label } = first
    const isCut = parts.at(-1)?.end === "cut"
    const more = moreOf(parts)
    const whole = texts[index] ?? ""
    return type === SegmentType.TOOL_CALL
      ? callsIn(label, whole).map(({ name, args }) => ({ type, label: name, text: args, more, isCut }))
      : [{ type, label, text: whole, more, isCut }]
  })
}

/** The texts without the code fence around a call: each half of the fence would begin a code block. */
function withoutFences(texts: readonly string[]): readonly string[] {
  const [opening, closing] = [/(?<=^|\n)```\w*\s*$/, /^\s*```[^\S\n]*(?=\n|$)/]
  const opens = texts.map((text, i) => opening.test(text) && closing.test(texts[i + 2] ?? ""))
  return texts.map((text, i) => text.replace(opens[i - 2] ? closing : "", "").replace(opens[i] ? opening : "", ""))
}

/** The arguments of a segment that neither its label nor its text has, as JSON; empty if there are none. */
export function moreOf(parts: readonly Pick<SegmentPart, "more">[]): string {
  const more = parts.at(-1)?.more ?? {}
  return Object.keys(more).length === 0 ? "" : stringifySafe(more, 2)
}

/** A segment's calls, at least one: `args` are JSON or the text. `label` is the tool where its heading names one. */
function callsIn(label: string, text: string): readonly { readonly name: string; readonly args: string }[] {
  if (isMarkup(text)) return [{ name: label, args: stringifySafe(writtenArguments(text)) }]
  if (label !== "") return [{ name: label, args: text }]
  const calls = getJsonToolParsingProfile().parser.parse(text)
  if (calls.length === 0) return [{ name: label, args: text }]
  return calls.map(call => ({ name: call.name, args: stringifySafe(call.arguments) }))
}

/** The arguments in tags. One that was never closed has the text that came. */
function writtenArguments(text: string): ToolArguments {
  const told = new Map<string, unknown>()
  const reader = new TagArguments(null, undefined, ({ argument, delta, isFirst }) => {
    told.set(argument, isFirst ? delta : `${told.get(argument)}${delta}`)
  })
  reader.feed(text)
  reader.end()
  return Object.fromEntries([...told, ...reader.values])
}

/** True for arguments in tags; while they stream the last tag may be incomplete. */
export function isMarkup(text: string): boolean {
  return text.trimStart().startsWith("<")
}
