// Streams a tool's content argument: plain text up to `</arg>`, or the text between markers.
import { firstNonBlank, isBlank, matchAt } from "./marker.ts"
import type { TextToken, ToolPart } from "./parser-state.ts"
import { emitText, replay, type WorkingCopy } from "./working-copy.ts"
import { ARGUMENT_END, BETWEEN, finishTool, keepRaw, type Part, readArgument, type ToolCopy } from "./xml-tool.ts"

const NEWLINE = 10
const LESS_THAN = 60
const PLAIN: ToolPart = { at: "plain", held: "" }

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
  copy.steps += start - pos
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
  tool.part = { at: "marked", queue: [], held: "" }
}

/** Reads an argument without markers. */
export function runPlain(copy: WorkingCopy, tool: ToolCopy, part: Part<"plain">): void {
  const { piece, held } = readArgument(copy, tool, part.held)
  emit(copy, tool, piece)
  if (held === null) fill(tool)
  else tool.part = held === "" ? PLAIN : { at: "plain", held }
}

function fill(tool: ToolCopy): void {
  tool.filled = true
  tool.part = BETWEEN
}

/** Reads after a start marker. Tokens that may belong to the end are queued; those that no longer can are content. */
export function runMarked(copy: WorkingCopy, tool: ToolCopy, part: Part<"marked">): void {
  replay(copy, part.held)
  const { text, pos } = copy
  const { endMarker } = tool.shape
  const queue = [...part.queue]
  let emitted = pos
  let at = pos
  while (at < text.length) {
    const token = tokenAt(text, at, endMarker, queue.length > 0 && queue.at(-1)?.kind !== "c")
    if (token === null) {
      if (queue.length > 0) for (const { text: piece } of queue.splice(0)) emit(copy, tool, piece)
      at = nextSpecial(text, at + 1, endMarker)
      continue
    }
    emit(copy, tool, text.slice(emitted, at))
    emitted = at
    if (token === "part") break
    at += token.text.length
    emitted = at
    push(copy, tool, queue, token)
    if (ENDED.test(kindsOf(queue))) {
      keepRaw(tool, text.slice(pos, at))
      copy.steps += at - pos
      copy.pos = at
      endMarked(copy, tool, queue)
      return
    }
  }
  if (at === text.length) emit(copy, tool, text.slice(emitted, at))
  const held = text.slice(at)
  keepRaw(tool, text.slice(pos, at))
  copy.steps += text.length - pos
  copy.pos = text.length
  tool.part = { at: "marked", queue, held }
}

/** Queues that may become an end, and those that are one: blanks, then an end marker or a tag that closes more. */
const VIABLE = /^b?(?:eb?a?|ab?c?)?$/
const ENDED = /^b?(?:eb?a|ab?c)$/

function kindsOf(queue: readonly TextToken[]): string {
  return queue.map(token => token.kind).join("")
}

/** Adds a token, and emits from the front those that can no longer be part of an end. */
function push(copy: WorkingCopy, tool: ToolCopy, queue: TextToken[], token: TextToken): void {
  const last = queue.at(-1)
  if (last?.kind === "b" && token.kind === "b") queue[queue.length - 1] = { kind: "b", text: last.text + token.text }
  else queue.push(token)
  while (!VIABLE.test(kindsOf(queue))) {
    emit(copy, tool, queue.shift()?.text ?? "")
    const head = queue[0]
    if (head?.kind !== "b") continue
    // Trailing blanks are dropped from their first newline on; those before it are content.
    const newline = head.text.indexOf("\n")
    emit(copy, tool, newline === -1 ? head.text : head.text.slice(0, newline))
    if (newline === -1) queue.shift()
    else queue[0] = { kind: "b", text: head.text.slice(newline) }
  }
}

function endMarked(copy: WorkingCopy, tool: ToolCopy, queue: readonly TextToken[]): void {
  const [head] = queue
  const closing = queue.at(-1)
  // The newline before an end marker is content; without an end marker it only separates the closing tag.
  if (head?.kind === "b" && closing?.kind === "a") emit(copy, tool, head.text)
  fill(tool)
  if (closing?.kind !== "c") return
  if (closing.text === TOOL_END) finishTool(copy, tool)
  else tool.shut = true
}

const TOOL_END = "</tool>"
const LITERALS = [
  ["a", ARGUMENT_END],
  ["c", "</arguments>"],
  ["c", TOOL_END],
] as const

/** The token at `at`: null for none, `part` if the text ends within one. Blanks count in a gap or after a newline. */
function tokenAt(text: string, at: number, endMarker: string, gap: boolean): TextToken | "part" | null {
  const code = text.charCodeAt(at)
  if (code === NEWLINE || (gap && isBlank(code))) {
    const start = firstNonBlank(text, at)
    if (!gap && start < text.length && !isSpecial(text.charCodeAt(start), endMarker)) return null
    return { kind: "b", text: text.slice(at, start) }
  }
  let part = false
  for (const [kind, literal] of [["e", endMarker] as const, ...LITERALS]) {
    const matched = literal === "" ? -1 : matchAt(text, at, literal, false)
    if (matched === literal.length) return { kind, text: literal }
    if (matched >= 0) part = true
  }
  return part ? "part" : null
}

/** The position where the next token may begin; the text's length if none does. */
function nextSpecial(text: string, from: number, endMarker: string): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== NEWLINE && !isSpecial(text.charCodeAt(at), endMarker)) at++
  return at
}

function isSpecial(code: number, endMarker: string): boolean {
  return code === LESS_THAN || code === endMarker.charCodeAt(0)
}

/** True if nothing in the chunk can belong to the content's end. */
export function isPlainBody(part: ToolPart, endMarker: string, chunk: string): boolean {
  if ((part.at !== "plain" && part.at !== "marked") || part.held !== "" || chunk.indexOf("<") !== -1) return false
  if (part.at === "plain") return true
  if (part.queue.length > 0 || isBlank(chunk.charCodeAt(chunk.length - 1))) return false
  return endMarker === "" || chunk.indexOf(endMarker.charAt(0)) === -1
}

/** Emits all held content of a started tool at the end of the stream. */
export function emitHeldBody(copy: WorkingCopy, part: ToolPart): void {
  if (part.at === "lead") emitText(copy, part.blank + part.held)
  if (part.at === "plain") emitText(copy, part.held)
  if (part.at === "marked") emitText(copy, part.queue.map(token => token.text).join("") + part.held)
}
