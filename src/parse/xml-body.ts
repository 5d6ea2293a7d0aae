// Streams the content argument of a tool: plain up to `</arg>`, or the text between raw markers.

import { findMarker, firstSolid, isBlank, matchAt } from "./marker.ts"
import type { TextToken, ToolPart } from "./parser-state.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { emitText, replay } from "./working-copy.ts"
import type { ToolDraft } from "./xml-tool.ts"
import { ARGUMENT_END, BETWEEN, finishTool, take } from "./xml-tool.ts"

type Part<At extends ToolPart["at"]> = Extract<ToolPart, { at: At }>

const NEWLINE = 10
const LESS = 60
const PLAIN: ToolPart = { at: "plain", held: "" }

/** Adds content, or keeps it until the segment can start. */
export function emit(draft: WorkingCopy, tool: ToolDraft, text: string): void {
  if (tool.raw === null) emitText(draft, text)
  else tool.early += text
}

/** Before the content: blanks, held because they belong to it only where no start marker follows. */
export function runLead(draft: WorkingCopy, tool: ToolDraft, part: Part<"lead">): void {
  replay(draft, part.held)
  const { text, pos } = draft
  const { startMarker } = tool.shape
  const solid = firstSolid(text, pos)
  const blank = part.blank + text.slice(pos, solid)
  draft.steps += solid - pos
  take(tool, text.slice(pos, solid))
  const matched = matchAt(text, solid, startMarker, false)
  if (matched === startMarker.length) {
    take(tool, startMarker)
    draft.pos = solid + matched
    tool.part = { at: "fresh" }
  } else if (matched >= 0) {
    draft.pos = text.length
    tool.part = { at: "lead", blank, held: text.slice(solid) }
  } else {
    draft.pos = solid
    emit(draft, tool, blank)
    tool.part = PLAIN
  }
}

/** Right behind the start marker, where one newline belongs to the marker. */
export function runFresh(draft: WorkingCopy, tool: ToolDraft): void {
  if (draft.text.charCodeAt(draft.pos) === NEWLINE) {
    take(tool, "\n")
    draft.pos++
  }
  tool.part = { at: "marked", queue: [], held: "" }
}

export function runPlain(draft: WorkingCopy, tool: ToolDraft, part: Part<"plain">): void {
  replay(draft, part.held)
  const { text, pos } = draft
  const at = findMarker(text, pos, ARGUMENT_END, false)
  const stop = at === -1 ? text.length : at
  const piece = text.slice(pos, stop)
  draft.steps += stop - pos
  take(tool, piece)
  emit(draft, tool, piece)
  if (at === -1 || at + ARGUMENT_END.length > text.length) {
    draft.pos = text.length
    tool.part = at === -1 ? PLAIN : { at: "plain", held: text.slice(at) }
    return
  }
  take(tool, ARGUMENT_END)
  draft.pos = at + ARGUMENT_END.length
  fill(tool)
}

function fill(tool: ToolDraft): void {
  tool.filled = true
  tool.part = BETWEEN
}

/** Behind a start marker. What may belong to the end is a queue of tokens; what no longer can is content. */
export function runMarked(draft: WorkingCopy, tool: ToolDraft, part: Part<"marked">): void {
  replay(draft, part.held)
  const { text, pos } = draft
  const { endMarker } = tool.shape
  const queue = [...part.queue]
  let said = pos
  let at = pos
  while (at < text.length) {
    const token = tokenAt(text, at, endMarker, queue.length > 0 && queue.at(-1)?.kind !== "c")
    if (token === null) {
      if (queue.length > 0) for (const { text: piece } of queue.splice(0)) emit(draft, tool, piece)
      at = nextSpecial(text, at + 1, endMarker)
      continue
    }
    emit(draft, tool, text.slice(said, at))
    said = at
    if (token === "part") break
    at += token.text.length
    said = at
    push(draft, tool, queue, token)
    if (ENDED.test(kindsOf(queue))) {
      take(tool, text.slice(pos, at))
      draft.steps += at - pos
      draft.pos = at
      endMarked(draft, tool, queue)
      return
    }
  }
  if (at === text.length) emit(draft, tool, text.slice(said, at))
  const held = text.slice(at)
  take(tool, text.slice(pos, at))
  draft.steps += text.length - pos
  draft.pos = text.length
  tool.part = { at: "marked", queue, held }
}

/** The queues that may still become an end, and those that are: blanks, then an end marker or a tag that closes more. */
const VIABLE = /^b?(?:eb?a?|ab?c?)?$/
const ENDED = /^b?(?:eb?a|ab?c)$/

function kindsOf(queue: readonly TextToken[]): string {
  return queue.map(token => token.kind).join("")
}

/** Adds a token and gives up, from the front, what can no longer be part of an end. */
function push(draft: WorkingCopy, tool: ToolDraft, queue: TextToken[], token: TextToken): void {
  const last = queue.at(-1)
  if (last?.kind === "b" && token.kind === "b") queue[queue.length - 1] = { kind: "b", text: last.text + token.text }
  else queue.push(token)
  while (!VIABLE.test(kindsOf(queue))) {
    emit(draft, tool, queue.shift()?.text ?? "")
    const head = queue[0]
    if (head?.kind !== "b") continue
    // Trailing blanks are dropped from their first newline on; those before it are content like any other.
    const newline = head.text.indexOf("\n")
    emit(draft, tool, newline === -1 ? head.text : head.text.slice(0, newline))
    if (newline === -1) queue.shift()
    else queue[0] = { kind: "b", text: head.text.slice(newline) }
  }
}

function endMarked(draft: WorkingCopy, tool: ToolDraft, queue: readonly TextToken[]): void {
  const [head] = queue
  const closing = queue.at(-1)
  // The newline before an end marker is content; without an end marker it only sets off the closing tag.
  if (head?.kind === "b" && closing?.kind === "a") emit(draft, tool, head.text)
  fill(tool)
  if (closing?.kind !== "c") return
  if (closing.text === TOOL_END) {
    finishTool(draft, tool)
    return
  }
  tool.shut = true
}

const TOOL_END = "</tool>"
const LITERALS = [
  ["a", ARGUMENT_END],
  ["c", "</arguments>"],
  ["c", TOOL_END],
] as const

/** The token at `at`: null for none, `part` where the text ends within one. Blanks count in a gap or from a newline on. */
function tokenAt(text: string, at: number, endMarker: string, gap: boolean): TextToken | "part" | null {
  const code = text.charCodeAt(at)
  if (code === NEWLINE || (gap && isBlank(code))) {
    const solid = firstSolid(text, at)
    if (!gap && solid < text.length && !isSpecial(text.charCodeAt(solid), endMarker)) return null
    return { kind: "b", text: text.slice(at, solid) }
  }
  let part = false
  for (const [kind, literal] of [["e", endMarker] as const, ...LITERALS]) {
    const matched = literal === "" ? -1 : matchAt(text, at, literal, false)
    if (matched === literal.length) return { kind, text: literal }
    if (matched >= 0) part = true
  }
  return part ? "part" : null
}

/** Where the next token may begin; the text's length where none does. */
function nextSpecial(text: string, from: number, endMarker: string): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) !== NEWLINE && !isSpecial(text.charCodeAt(at), endMarker)) at++
  return at
}

function isSpecial(code: number, endMarker: string): boolean {
  return code === LESS || code === endMarker.charCodeAt(0)
}

/** True for a chunk of content in which nothing can belong to the content's end. */
export function isQuietBody(part: ToolPart, endMarker: string, chunk: string): boolean {
  if (part.at === "plain") return part.held === "" && chunk.indexOf("<") === -1
  if (
    part.at !== "marked" ||
    part.held !== "" ||
    part.queue.length > 0 ||
    isBlank(chunk.charCodeAt(chunk.length - 1))
  ) {
    return false
  }
  return chunk.indexOf("<") === -1 && (endMarker === "" || chunk.indexOf(endMarker.charAt(0)) === -1)
}

/** What the stream's end leaves of the content: all that was held. */
export function cutBody(draft: WorkingCopy, tool: ToolDraft, part: ToolPart): void {
  if (part.at === "lead") emit(draft, tool, part.blank + part.held)
  if (part.at === "plain") emit(draft, tool, part.held)
  if (part.at === "marked") emit(draft, tool, part.queue.map(token => token.text).join("") + part.held)
}
