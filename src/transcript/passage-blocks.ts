// Turns a passage of a transcript into blocks: a heading, and lines that are made when their width is known.

import { SegmentType } from "../parse/segment.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import { parseSegments } from "../run/segments.ts"
import type { Passage } from "../run/select/passages.ts"
import { codeLines } from "../ui/highlight-code.ts"
import { type ColorToken, type Line, line, span } from "../ui/line.ts"
import { markdownLines } from "../ui/markdown/render-markdown.ts"
import { duration } from "../ui/text-width.ts"
import { wrap } from "../ui/wrap.ts"
import { commandLines, patchLines, toolCallArguments } from "./tool-arguments.ts"
import { callsIn } from "./tool-calls.ts"

/** A block that can be folded. */
export interface PassageBlock {
  readonly label: string
  /** What it is about: a tool, a path, why it is not whole. */
  readonly aside: string
  readonly token: ColorToken
  readonly lines: (columns: number) => readonly Line[]
}

/** The blocks of a passage: one, or where a reply is parsed, one for each of its segments. */
export function passageBlocks(passage: Passage, strategy: ParserName): readonly PassageBlock[] {
  if (passage.type !== "text" || strategy === "api_tool_call") return [blockOf(passage)]
  // A long segment is several parts of one id: they are one block.
  const segments = Map.groupBy(parseSegments(strategy, passage.text), part => part.id)
  const blocks = [...segments.values()].flatMap(parts => {
    const [first] = parts
    const text = parts.map(part => part.text).join("")
    if (first === undefined || (text.trim() === "" && first.type === SegmentType.TEXT)) return []
    const cut = parts.at(-1)?.end === "cut" ? ["cut off by the end of the reply"] : []
    const aside = [...cut, ...noted(passage)].join(", ")
    return first.type === SegmentType.TOOL_CALL
      ? callBlocks(first.label, text, aside)
      : [segmentBlock(first.type, first.label, text, aside)]
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

function callBlocks(label: string, text: string, aside: string): readonly PassageBlock[] {
  return callsIn(label, text).map(({ name, args }) => {
    const call = toolCallArguments(args)
    const about = [name, call.label, aside].filter(word => word !== "").join("  ")
    return { label: "tool call", aside: about, token: "accent", lines: call.lines }
  })
}

function segmentBlock(type: SegmentType, label: string, text: string, aside: string): PassageBlock {
  const about = [label, aside].filter(word => word !== "").join("  ")
  const call = { label: type, aside: about, token: "accent" as const }
  switch (type) {
    case SegmentType.TEXT:
      return { label: "assistant", aside, token: "bright", lines: columns => markdownLines(text, columns, "bright") }
    case SegmentType.REASONING:
      return { label: "thinking", aside, token: "dim", lines: columns => plain(text, columns, "dim", true) }
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
