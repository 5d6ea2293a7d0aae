// Streams a tool's content argument: up to an `</arg>` that another tag of the tool follows, or between markers.
import { anyOf, type Beginning, firstNonBlank, firstOf, isBlank, isNext, matchAt } from "../marker.ts"
import { HEADER_LIMIT } from "../parser-state.ts"
import { emitText, replay, type WorkingCopy } from "../working-copy.ts"
import type { ToolPart } from "./tool-mode.ts"
import { ARGUMENT_END, BETWEEN, keepRaw, type Part, readUpTo, type ToolCopy } from "./xml-tool.ts"

const NEWLINE = 10
const PLAIN: ToolPart = { at: "plain", held: "" }
const MARKED: ToolPart = { at: "marked", held: "" }

/** Emits content, or keeps it until the segment can start. */
function emit(copy: WorkingCopy, tool: ToolCopy, text: string): void {
  if (tool.raw === null) emitText(copy, text)
  else tool.early += text
}

/** Reads blanks before the content. They are held because they are content only if no start marker follows. */
export function runLead(copy: WorkingCopy, tool: ToolCopy, part: Part<"lead">): void {
  replay(copy, part.held)
  const { text, pos } = copy
  const { startMarker } = tool.shape
  const start = firstNonBlank(text, pos)
  const blank = part.blank + text.slice(pos, start)
  keepRaw(tool, text.slice(pos, start))
  const matched = matchAt(text, start, startMarker, false)
  if (matched === startMarker.length) {
    keepRaw(tool, startMarker)
    copy.pos = start + matched
    tool.part = { at: "fresh" }
  } else if (matched >= 0) {
    copy.pos = text.length
    tool.part = { at: "lead", blank, held: text.slice(start) }
  } else {
    copy.pos = start
    emit(copy, tool, blank)
    tool.part = PLAIN
  }
}

/** Reads right after the start marker; one newline there belongs to the marker. */
export function runFresh(copy: WorkingCopy, tool: ToolCopy): void {
  if (copy.text.charCodeAt(copy.pos) === NEWLINE) {
    keepRaw(tool, "\n")
    copy.pos++
  }
  tool.part = MARKED
}

/** Reads content up to a possible end: the end marker after a start marker, else `</arg>`. */
export function runContent(copy: WorkingCopy, tool: ToolCopy, part: Part<"plain" | "marked">): void {
  const marked = part.at === "marked"
  const marker = marked ? tool.shape.endMarker : ARGUMENT_END
  const { piece, held } = readUpTo(copy, tool, part.held, marker)
  emit(copy, tool, piece)
  if (held === null) tool.part = { at: "ending", marked, gap: marker, held: "" }
  else if (held !== part.held) tool.part = { at: part.at, held }
}

/** Reads after a possible end. It is one only if, blanks aside, the right tag follows; else it is content. */
export function runEnding(copy: WorkingCopy, tool: ToolCopy, part: Part<"ending">): void {
  replay(copy, part.held)
  const { text, pos } = copy
  const start = firstNonBlank(text, pos)
  const gap = part.gap + text.slice(pos, start)
  const follows =
    gap.length > HEADER_LIMIT ? "no" : part.marked ? isNext(text, start, ARGUMENT_END) : tagAfter(text, start)
  if (follows === "more") {
    tool.part = { ...part, gap, held: text.slice(start) }
    copy.pos = text.length
    return
  }
  keepRaw(tool, gap)
  copy.pos = start
  if (follows === "no") {
    emit(copy, tool, gap)
    tool.part = part.marked ? MARKED : PLAIN
    return
  }
  if (part.marked) {
    keepRaw(tool, ARGUMENT_END)
    copy.pos += ARGUMENT_END.length
  }
  tool.filled = true
  tool.part = BETWEEN
}

/** Whether a tag follows that can come after an argument. */
function tagAfter(text: string, at: number): Beginning {
  const argument = isNext(text, at, ARGUMENT)
  if (argument === "yes") {
    const next = at + ARGUMENT.length
    return next === text.length ? "more" : isBlank(text.charCodeAt(next)) ? "yes" : "no"
  }
  return anyOf([isNext(text, at, "</arguments>"), isNext(text, at, "</tool>"), argument])
}

const ARGUMENT = "<arg"

/** True if nothing in the chunk can belong to the content's end. */
export function isPlainBody(part: ToolPart, endMarker: string, chunk: string): boolean {
  if (part.at === "plain") return part.held === "" && chunk.indexOf("<") === -1
  return part.at === "marked" && part.held === "" && firstOf(chunk, endMarker.charAt(0)) === -1
}

/** Emits all held content of a started tool at the end of the stream. */
export function emitHeldBody(copy: WorkingCopy, part: ToolPart): void {
  if (part.at === "lead") emitText(copy, part.blank + part.held)
  if (part.at === "plain" || part.at === "marked") emitText(copy, part.held)
  if (part.at === "ending") emitText(copy, part.gap + part.held)
}
