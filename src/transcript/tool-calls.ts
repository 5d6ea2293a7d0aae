// Reads what a model wrote as segments, and its tool calls as names and arguments without their notation.
import { getJsonToolParsingProfile, type ToolArguments } from "../parse/json-call.ts"
import { SegmentType } from "../parse/segment.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import { parseXmlArguments, readXmlArguments } from "../parse/xml-arguments.ts"
import { stringifySafe } from "../protocol/json.ts"
import type { SegmentPart } from "../run/model/session.ts"
import { parseSegments } from "../run/segments.ts"

/** A segment of a reply; of a tool call the label is its tool, and the text its arguments. */
export interface WrittenSegment {
  readonly type: SegmentType
  readonly label: string
  readonly text: string
  /** Arguments that neither label nor text have, as JSON; empty if there are none. */
  readonly more: string
  /** The reply ended within it. */
  readonly isCut: boolean
}

/** A call; its arguments are JSON, or the text as written where they can't be parsed. */
interface WrittenCall {
  readonly name: string
  readonly args: string
}

/** The segments of a whole reply, each tool call one of them. */
export function writtenSegments(strategy: ParserName, text: string): readonly WrittenSegment[] {
  // A long segment is several parts of one id.
  const segments = Map.groupBy(parseSegments(strategy, text), part => part.id)
  return [...segments.values()].flatMap((parts): readonly WrittenSegment[] => {
    const [first] = parts
    if (first === undefined) return []
    const { type, label } = first
    const isCut = parts.at(-1)?.end === "cut"
    const more = moreOf(parts)
    const whole = parts.map(part => part.text).join("")
    return type === SegmentType.TOOL_CALL
      ? callsIn(label, whole).map(({ name, args }) => ({ type, label: name, text: args, more, isCut }))
      : [{ type, label, text: whole, more, isCut }]
  })
}

/** The arguments of a segment that neither its label nor its text has, as JSON; empty if there are none. */
export function moreOf(parts: readonly Pick<SegmentPart, "more">[]): string {
  const more = parts.at(-1)?.more ?? {}
  return Object.keys(more).length === 0 ? "" : stringifySafe(more, 2)
}

/** The calls of a segment, at least one; `label` is the tool where its heading names one. */
function callsIn(label: string, text: string): readonly WrittenCall[] {
  if (isMarkup(text)) return [{ name: label, args: stringifySafe(writtenArguments(text)) }]
  if (label !== "") return [{ name: label, args: text }]
  const calls = getJsonToolParsingProfile().parser.parse(text)
  if (calls.length === 0) return [{ name: label, args: text }]
  return calls.map(call => ({ name: call.name, args: stringifySafe(call.arguments) }))
}

/** The arguments in tags. One that was never closed has the text that came. */
function writtenArguments(text: string): ToolArguments {
  const { args, unclosed } = readXmlArguments(text)
  return unclosed === "" ? args : parseXmlArguments(text.replace(/<[^<>]*$/, "") + unclosed)
}

/** True for arguments in tags; while they stream the last tag may be incomplete. */
export function isMarkup(text: string): boolean {
  return text.trimStart().startsWith("<")
}
