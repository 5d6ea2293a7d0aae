// Turns a passage of a transcript into blocks: a heading, and lines made for a width.

import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import { SegmentType } from "../../packages/llm-stream-segments/src/parse/segment.ts"
import type { SegmentPart, TextPiece } from "../run/model/session.ts"
import type { Passage } from "../run/select/passages.ts"
import type { Glyphs } from "../ui/glyphs.ts"
import { GrowingLines, wrappedText } from "../ui/growing-lines.ts"
import { codeLines, MOST_COLOURED } from "../ui/highlight-code.ts"
import { blank, type ColorToken, clipSpans, ends, type Line, line, span, wrap } from "../ui/line.ts"
import { lineText } from "../ui/mark-hits.ts"
import { growingMarkdown } from "../ui/markdown/render-markdown.ts"
import { counted, duration, width as textWidth } from "../ui/text-width.ts"
import type { BodySource, LazyBody } from "./lazy-body.ts"
import { commandLines, patchLines, toolCallArguments } from "./tool-arguments.ts"
import { segmentPassages } from "./tool-calls.ts"

/** Columns of the mark before a heading, and of the outcome that may stand at its end. */
const MARK = 2
const OUTCOME = 10

export interface BlockHeading {
  readonly label: string
  /** Beside the label: a tool, a path, why it is incomplete. */
  readonly aside: string
  /** Of a result, for the heading of its call: why it is incomplete, and how long it took. */
  readonly outcome?: string
  readonly token: ColorToken
}

interface PassageBlock extends BlockHeading, BodySource {}

const ASSISTANT: BlockHeading = { label: "assistant", aside: "", token: "bright" }
const THINKING: BlockHeading = { label: "thinking", aside: "", token: "dim" }
const TOOL_CALL: BlockHeading = { label: "tool call", aside: "", token: "accent" }

/** The blocks of a passage: one, or where a reply is parsed, one for each of its segments. */
export function passageBlocks(passage: Passage, strategy: ParserName): readonly PassageBlock[] {
  return segmentPassages(passage, strategy).map(part => {
    const block = part.segment === null ? blockOf(part) : segmentBlock(part.segment, part)
    const { more } = part
    return more === "" ? block : { ...block, lines: columns => [...block.lines(columns), ...codeLines(more, columns)] }
  })
}

function blockOf(passage: Passage): PassageBlock {
  const { type, name, isError, elapsedMs, note } = passage
  const text = passage.text.trimEnd()
  const took = elapsedMs === undefined ? null : duration(elapsedMs)
  const aside = (...words: readonly (string | null)[]) => joinWords(...words, note)
  const grown = (grows: PassageBlock["grows"]) => ({ text, grows, lines: () => [] })
  const markdown = (token: ColorToken) => grown(columns => growingMarkdown(columns, token))
  const plain = (token: ColorToken, italic = false) => grown(columns => wrappedText(columns, token, italic))
  const code = () => (text.length > MOST_COLOURED ? plain("normal") : shown(columns => codeLines(text, columns)))
  const shown = (lines: PassageBlock["lines"]) => ({ text, grows: null, lines })
  switch (type) {
    case "system":
      return { label: "system", aside: aside(), token: "dim", ...markdown("normal") }
    case "user":
      return { label: "user", aside: aside(), token: "accent", ...markdown("normal") }
    case "text":
      return { ...ASSISTANT, aside: aside(), ...markdown("bright") }
    case "thinking":
      return { ...THINKING, aside: aside(), ...plain("dim", true) }
    case "tool-call": {
      const call = toolCallArguments(text)
      return { ...TOOL_CALL, ...(name && { label: name }), aside: aside(call.label), ...shown(call.lines) }
    }
    case "tool-result":
      return {
        label: isError ? "tool error" : "tool result",
        aside: aside(name, took),
        outcome: aside(took),
        token: isError ? "error" : "ok",
        ...(isError ? plain("error") : code()),
      }
    case "error":
      return { label: "error", aside: aside(), token: "error", ...plain("error") }
    case "note":
      return {
        label: name ?? "note",
        aside: aside(),
        token: isError ? "error" : "dim",
        ...plain("normal"),
      }
  }
}

function segmentBlock(type: SegmentType, passage: Passage): PassageBlock {
  const { name, text, note } = passage
  if (type === SegmentType.TEXT || type === SegmentType.REASONING || type === SegmentType.TOOL_CALL)
    return blockOf(passage)
  const shown = type === SegmentType.RUN_BASH ? text.trim() : text
  const lines = (columns: number) => callLines(type, shown, columns, true)
  return { label: type, aside: joinWords(name, note), token: "accent", text, grows: null, lines }
}

/** The lines of a call by its kind; `isFirst` if they are its first. */
function callLines(type: SegmentType, text: string, columns: number, isFirst: boolean): readonly Line[] {
  if (type === SegmentType.EDIT_FILE) return patchLines(text, columns)
  return type === SegmentType.RUN_BASH ? commandLines(text, columns, isFirst) : codeLines(text, columns)
}

/** The block that a piece of a stream begins, with lines that grow. */
export function streamedBlock(
  piece: TextPiece | Pick<SegmentPart, "type" | "label">,
): BlockHeading & { readonly body: (columns: number) => GrowingLines } {
  const type = "type" in piece ? piece.type : piece.thinking ? SegmentType.REASONING : SegmentType.TEXT
  const label = "type" in piece ? piece.label : ""
  if (type === SegmentType.TEXT) return { ...ASSISTANT, body: columns => growingMarkdown(columns) }
  if (type === SegmentType.REASONING) return { ...THINKING, body: columns => wrappedText(columns, "dim", true) }
  const body = (columns: number) => new GrowingLines((text, isFirst) => callLines(type, text, columns, isFirst))
  if (type === SegmentType.TOOL_CALL) return { ...TOOL_CALL, ...(label !== "" && { label }), body }
  return { label: type, aside: label, token: "accent", body }
}

/** The words that don't fit into a heading of `columns` begin the block, in `room` columns. */
export function asideLines({ label, aside }: BlockHeading, columns: number, room: number): readonly Line[] {
  const width = MARK + textWidth(label) + 2 + textWidth(aside)
  return aside === "" || width <= columns - OUTCOME ? [] : wrap(aside, room).map(one => line(span(one)))
}

/** The facts of a heading beside its own words. */
interface HeadFacts {
  readonly hidden: Lines | null
  /** Of a call. */
  readonly result: (BlockHeading & { readonly body: Lines }) | null
  readonly bar: ColorToken
  readonly columns: number
  readonly glyphs: Glyphs
}

type Lines = Pick<LazyBody, "length" | "line">

/**
 * A heading behind its bar; that of a folded block has a mark, and how its lines begin. That of a call ends with how it
 * went.
 */
export function headLine({ label, aside, token }: BlockHeading, facts: HeadFacts): Line {
  const { hidden, result, bar, columns, glyphs } = facts
  const failed = result?.token === "error"
  const lines = hidden === null || hidden.length === 0 || result !== null ? "" : `  ${counted(hidden.length, "line")}`
  const spans = [
    hidden === null ? span(`${glyphs.said} `, bar) : span(`${glyphs.folded} `, failed ? "error" : "dim"),
    span(label, failed ? "error" : token, { bold: true }),
    span(aside === "" ? "" : `  ${aside}`, "normal"),
    span(`${lines}${hidden === null ? "" : firstWords(hidden)}`, result === null ? "dim" : "normal"),
    span(hidden === null || result === null ? "" : firstWords(result.body), "dim"),
  ]
  if (result === null) return { spans: clipSpans(spans, columns, glyphs.ellipsis), failed: token === "error" }
  const outcome = [
    span(`  ${failed ? glyphs.error : glyphs.ok}`, failed ? "error" : "ok"),
    span(result.outcome === undefined ? "" : ` ${result.outcome}`, "dim"),
  ]
  return { spans: ends(spans, outcome, columns, glyphs.ellipsis), failed }
}

/** The first of these lines that has a word, behind two blanks. */
function firstWords(lines: Lines): string {
  const first = [0, 1, 2].map(index => lineText(lines.line(index) ?? blank)).find(one => /[\p{L}\p{N}]/u.test(one))
  return first === undefined ? "" : `  ${first.trim()}`
}

function joinWords(...words: readonly (string | null)[]): string {
  return words.filter(word => word !== null && word !== "").join("  ")
}
