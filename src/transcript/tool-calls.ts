// Reads the tool calls that a model wrote into its text: which tools, with which arguments, without their notation.
import { getJsonToolParsingProfile } from "../parse/json-call.ts"
import { parseXmlArguments } from "../parse/xml-arguments.ts"
import { stringifySafe } from "../protocol/print-json.ts"

/** A call; its arguments are JSON, or the text as it is where they cannot be told. */
export interface WrittenCall {
  readonly name: string
  readonly args: string
}

/** The calls of a segment: `label` is the tool where its heading names one. At least one. */
export function callsIn(label: string, text: string): readonly WrittenCall[] {
  if (isMarkup(text)) return [{ name: label, args: stringifySafe(parseXmlArguments(text)) }]
  if (label !== "") return [{ name: label, args: text }]
  const calls = getJsonToolParsingProfile().parser.parse(text)
  if (calls.length === 0) return [{ name: label, args: text }]
  return calls.map(call => ({ name: call.name, args: stringifySafe(call.arguments) }))
}

/** True for arguments in tags, of which half a one may be all that has come. */
export function isMarkup(text: string): boolean {
  return text.trimStart().startsWith("<")
}
