// Turns what the wire brought, a line of a file or a message of a socket, into frames.
import { decode, rejectNote } from "../protocol/decode.ts"
import type { Decoded } from "../protocol/frame.ts"
import { LINE_LIMIT, LineSplitter, type SourceLine } from "./line-splitter.ts"

/** A frame beside the text that it was read from; of a line that was given up, the text is its head. */
export interface ReceivedFrame {
  readonly frame: Decoded
  readonly text: string
}

/** Decodes a line; one that was given up as too long is an unread. Never throws. */
export function decodeLine(line: SourceLine): Decoded {
  if (typeof line === "string") return decode(line)
  return { kind: "malformed", raw: line.head, length: line.length, why: "longer than 16 MB" }
}

/**
 * Decodes a message: one frame, whose JSON may well go over several lines, or several lines of a frame each. A message
 * that is neither is one unread. Never throws.
 */
export function decodeMessage(text: string): ReceivedFrame[] {
  if (!text.includes("\n") && text.length <= LINE_LIMIT) return [{ frame: rejectNote(decode(text), text), text }]
  const whole = text.length <= LINE_LIMIT ? decode(text) : null
  if (whole !== null && whole.kind !== "malformed") return [{ frame: rejectNote(whole, text), text }]
  const arrivals = linesOf(text).map(line => {
    const head = typeof line === "string" ? line : line.head
    return { frame: rejectNote(decodeLine(line), head), text: head }
  })
  const lines = arrivals.filter(({ frame }) => frame.kind !== "blank")
  if (whole !== null && lines.every(({ frame }) => frame.kind === "malformed")) return [{ frame: whole, text }]
  return lines
}

/**
 * The line that a recording keeps of what came (docs/decisions.md 1.11): as it was, or as a JSON string where it is no JSON or
 * has line ends. It decodes to the same frame again.
 */
export function recordingLine({ frame, text }: ReceivedFrame): string {
  const line = text.trim()
  if (frame.kind !== "malformed") return line === "" || line.includes("\n") ? JSON.stringify(line) : line
  const quoted = JSON.stringify(text)
  const again = decode(quoted)
  // A line that is itself a JSON string would be taken apart once too often.
  const isSame = again.kind === "malformed" && again.raw === frame.raw && again.why === frame.why
  return isSame || line.includes("\n") ? quoted : line
}

function linesOf(text: string): SourceLine[] {
  const splitter = new LineSplitter()
  return [...splitter.push(text), splitter.remainder()]
}

/** The text of a message that came as bytes; what is not UTF-8 becomes U+FFFD. */
export function frameText(data: unknown): string {
  if (typeof data === "string") return data
  return data instanceof Uint8Array ? new TextDecoder().decode(data) : ""
}
