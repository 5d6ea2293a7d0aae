// Turns a passage of a transcript into blocks: a heading, and lines made for a width.
import { SegmentType } from "../parse/segment.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import type { Passage } from "../run/select/passages.ts"
import { codeLines } from "../ui/highlight-code.ts"
import { type ColorToken, type Line, line, span, wrap } from "../ui/line.ts"
import { markdownLines } from "../ui/markdown/render-markdown.ts"
import { duration } from "../ui/text-width.ts"
import { commandLines, patchLines, toolCallArguments } from "./tool-arguments.ts"
import { writtenSegments } from "./tool-calls.ts"

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
  const blocks = writtenSegments(strategy, passage.text).flatMap(({ type, label: name, text, more, isCut }) => {
    if (type === SegmentType.TEXT && text.trim() === "") return []
    const notes = [isCut ? "cut off by the end of the reply" : null, passage.note].filter(note => note !== null)
    const block = segmentBlock(type, { ...passage, name, text, note: notes.length === 0 ? null : notes.join(", ") })
    const lines = (columns: number) => [...block.lines(columns), ...(more === "" ? [] : codeLines(more, columns))]
    return [{ ...block, lines }]
  })
  return blocks.length === 0 ? [blockOf(passage)] : blocks
}

function blockOf(passage: Passage): PassageBlock {
  const { type, name, text, isError, elapsedMs, note } = passage
  const aside = (...words: readonly (string | null)[]) => joinWords(...words, note)
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

function segmentBlock(type: SegmentType, passage: Passage): PassageBlock {
  const { name, text, note } = passage
  const call = { label: type, aside: joinWords(name, note), token: "accent" as const }
  switch (type) {
    case SegmentType.TEXT:
      return blockOf(passage)
    case SegmentType.REASONING:
      return blockOf({ ...passage, type: "thinking" })
    case SegmentType.TOOL_CALL:
      return blockOf({ ...passage, type: "tool-call" })
    case SegmentType.EDIT_FILE:
      return { ...call, lines: columns => patchLines(text, columns) }
    case SegmentType.RUN_BASH:
      return { ...call, lines: columns => commandLines(text.trim(), columns) }
    default:
      return { ...call, lines: columns => codeLines(text, columns) }
  }
}

function joinWords(...words: readonly (string | null)[]): string {
  return words.filter(word => word !== null && word !== "").join("  ")
}

function plain(text: string, columns: number, token: ColorToken, italic = false): readonly Line[] {
  return wrap(text, columns).map(one => line(span(one, token, italic ? { italic } : {})))
}
