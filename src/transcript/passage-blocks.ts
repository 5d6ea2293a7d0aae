// Turns a passage of a transcript into blocks: a heading, and lines made for a width.

import { SegmentType } from "../parse/segment.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import type { Passage } from "../run/select/passages.ts"
import { codeLines } from "../ui/highlight-code.ts"
import { type ColorToken, type Line, line, span } from "../ui/line.ts"
import { markdownLines } from "../ui/markdown/render-markdown.ts"
import { duration } from "../ui/text-width.ts"
import { wrap } from "../ui/wrap.ts"
import { commandLines, patchLines, toolCallArguments } from "./tool-arguments.ts"
import { type WrittenSegment, writtenSegments } from "./tool-calls.ts"

export interface PassageBlock {
  readonly label: string
  /** Beside the heading: a tool, a path, why it is incomplete. */
  readonly aside: string
  readonly token: ColorToken
  readonly lines: (columns: number) => readonly Line[]
}

/** The blocks of a passage: one, or where a reply is parsed, one for each of its segments. */
export function passageBlocks(passage: Passage, strategy: ParserName): readonly PassageBlock[] {
  if (passage.type !== "text" || strategy === "api_tool_call") return [blockOf(passage)]
  const blocks = writtenSegments(strategy, passage.text).flatMap(segment => {
    if (segment.type === SegmentType.TEXT && segment.text.trim() === "") return []
    const cut = segment.isCut ? ["cut off by the end of the reply"] : []
    return [segmentBlock(segment, [...cut, ...noted(passage)].join(", "))]
  })
  return blocks.length === 0 ? [blockOf(passage)] : blocks
}

function blockOf(passage: Passage): PassageBlock {
  const { type, name, text, isError, elapsedMs } = passage
  const aside = (...words: readonly (string | null)[]) =>
    [...words, ...noted(passage)].filter(word => word !== null && word !== "").join("  ")
  const markdown = (token: ColorToken) => (columns: number) => markdownLines(text, columns, token)
  switch (type) {
    case "system":
      return { label: "system", aside: aside(), token: "dim", lines: markdown("normal") }
    case "user":
      return { label: "user", aside: aside(), token: "accent", lines: markdown("normal") }
    case "text":
      return { label: "assistant", aside: aside(), token: "bright", lines: markdown("bright") }
    case "thinking":
      return { label: "thinking", aside: aside(), token: "dim", lines: columns => plain(text, columns, "dim", true) }
    case "tool-call": {
      const call = toolCallArguments(text)
      return { label: "tool call", aside: aside(name, call.label), token: "accent", lines: call.lines }
    }
    case "tool-result":
      return {
        label: isError ? "tool error" : "tool result",
        aside: aside(name, elapsedMs === undefined ? null : duration(elapsedMs)),
        token: isError ? "error" : "ok",
        lines: columns => (isError ? plain(text, columns, "error") : codeLines(text, columns)),
      }
    case "error":
      return { label: "error", aside: aside(), token: "error", lines: columns => plain(text, columns, "error") }
    case "note":
      return {
        label: name ?? "note",
        aside: aside(),
        token: isError ? "error" : "dim",
        lines: columns => codeLines(text, columns),
      }
  }
}

function segmentBlock({ type, label, text }: WrittenSegment, aside: string): PassageBlock {
  const about = (...words: readonly string[]) => words.filter(word => word !== "").join("  ")
  const call = { label: type, aside: about(label, aside), token: "accent" as const }
  switch (type) {
    case SegmentType.TEXT:
      return { label: "assistant", aside, token: "bright", lines: columns => markdownLines(text, columns, "bright") }
    case SegmentType.REASONING:
      return { label: "thinking", aside, token: "dim", lines: columns => plain(text, columns, "dim", true) }
    case SegmentType.TOOL_CALL: {
      const args = toolCallArguments(text)
      return { label: "tool call", aside: about(label, args.label, aside), token: "accent", lines: args.lines }
    }
    case SegmentType.EDIT_FILE:
      return { ...call, lines: columns => patchLines(text, columns) }
    case SegmentType.RUN_BASH:
      return { ...call, lines: columns => commandLines(text.trim(), columns) }
    default:
      return { ...call, lines: columns => codeLines(text, columns) }
  }
}

function noted({ note }: Passage): readonly string[] {
  return note === null ? [] : [note]
}

function plain(text: string, columns: number, token: ColorToken, italic = false): readonly Line[] {
  return wrap(text, columns).map(one => line(span(one, token, italic ? { italic } : {})))
}
