// Decodes the lines of files and the messages of sockets into frames.
import { decode, rejectOurs } from "../protocol/decode.ts"
import type { Decoded } from "../protocol/frame.ts"
import { parseJson } from "../protocol/json.ts"
import { LINE_LIMIT, LineSplitter, type SourceLine } from "./line-splitter.ts"

/** A frame and the text it was decoded from; for a line that is too long, the text is its head. */
export interface ReceivedFrame {
  readonly frame: Decoded
  readonly text: string
}

/** Decodes a line; one that is too long is malformed. Never throws. */
export function decodeLine(line: SourceLine): Decoded {
  if (typeof line === "string") return decode(line)
  return { kind: "malformed", raw: line.head, length: line.length, why: "longer than 16 MB" }
}

/** Decodes one frame, which may span lines, or one frame per line; otherwise one malformed line. Never throws. */
export function decodeMessage(text: string): ReceivedFrame[] {
  if (!text.includes("\n") && text.length <= LINE_LIMIT) return [{ frame: rejectOurs(decode(text), text), text }]
  const whole = text.length <= LINE_LIMIT ? decode(text) : null
  if (whole !== null && whole.kind !== "malformed") return [{ frame: rejectOurs(whole, text), text }]
  const perLine = linesOf(text).map(line => {
    const head = typeof line === "string" ? line : line.head
    return { frame: rejectOurs(decodeLine(line), head), text: head }
  })
  const frames = perLine.filter(({ frame }) => frame.kind !== "blank")
  if (whole !== null && frames.every(({ frame }) => frame.kind === "malformed")) return [{ frame: whole, text }]
  return frames
}

/** The line to record (docs/decisions.md 1.11): the text, as a JSON string if it isn't JSON or has line ends. */
export function recordingLine({ frame, text }: ReceivedFrame): string {
  const line = text.trim()
  if (frame.kind !== "malformed") return line === "" || line.includes("\n") ? JSON.stringify(line) : line
  const decodesTo = (again: Decoded) => again.kind === "malformed" && again.raw === frame.raw && again.why === frame.why
  if (!/[\r\n]/.test(text) && parseJson(text) !== undefined && decodesTo(decode(text))) return text
  const quoted = JSON.stringify(text)
  // A line that is a JSON string itself would be unwrapped once too often.
  return decodesTo(decode(quoted)) || line.includes("\n") ? quoted : line
}

function linesOf(text: string): SourceLine[] {
  const splitter = new LineSplitter()
  return [...splitter.push(text), splitter.remainder()]
}

/** The text of a message, which may come as bytes; invalid UTF-8 becomes U+FFFD. */
export function frameText(data: unknown): string {
  if (typeof data === "string") return data
  return data instanceof Uint8Array ? new TextDecoder().decode(data) : ""
}
