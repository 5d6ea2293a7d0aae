// What an entry of a session is shown as: one block, or where a reply is parsed, one for each of its segments.

import { SegmentType } from "../parse/segment.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import type { Entry } from "../run/model/session.ts"
import { parseSegments } from "../run/segments.ts"
import { blank, type Line, line, span } from "../ui/line.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { blockLines, partStyle, type Style, styleOf } from "./block.ts"
import { callsIn } from "./tool-calls.ts"

export interface ShownSegment {
  readonly style: Style
  readonly text: string
  /** The end of the reply cut it off. */
  readonly isCut: boolean
}

export function segmentsOf(entry: Entry, strategy: ParserName, look: RenderContext): readonly ShownSegment[] {
  const text = entry.text.join("")
  if (entry.type !== "text" || strategy === "api_tool_call")
    return [{ style: styleOf(entry, look), text, isCut: false }]
  // A long segment is several parts of one id: they are one block.
  const segments = Map.groupBy(parseSegments(strategy, text), part => part.id)
  return [...segments.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const isCut = (more.at(-1) ?? first).end === "cut"
    const text = [first, ...more].map(part => part.text).join("")
    if (first.type !== SegmentType.TOOL_CALL) return [{ style: partStyle(first, look), text, isCut }]
    return callsIn(first.label, text).map(({ name, args }) => {
      return { style: partStyle({ ...first, label: name }, look), text: args, isCut }
    })
  })
}

/** Its lines, a blank one at their end. */
export function segmentLines(
  { style, text, isCut }: ShownSegment,
  columns: number,
  look: RenderContext,
): readonly Line[] {
  const lines = blockLines(style, text, columns, look)
  return isCut ? [...lines.slice(0, -1), line(span("cut off by the end of the reply", "warn")), blank] : lines
}
