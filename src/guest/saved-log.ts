// Reads the saved log of a run: what a command printed, or Paperclip's own log of it, one chunk a line.
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import type { TimedLine } from "./timed-line.ts"

/** A line of Paperclip's log: what one write brought, with the server's time. */
interface Chunk {
  readonly stream: TimedLine["stream"]
  readonly text: string
  readonly ts: number | null
}

/** The lines of a saved log, whichever it is: the first line that is not empty tells. */
export class LogLines {
  #kind: "plain" | "chunks" | null = null
  /** Of each stream, the line that has not ended. */
  readonly #open = new Map<TimedLine["stream"], { text: string; ts: number }>()

  /** `ts` is the time of a line that has none, epoch ms: when the file was written. */
  push(line: string, ts: number): readonly TimedLine[] {
    const chunk = this.#kind === "plain" ? null : readChunk(line)
    if (this.#kind === null && line.trim() !== "") this.#kind = chunk === null ? "plain" : "chunks"
    // A line that damage made unreadable is still something that was printed.
    if (chunk === null) return line === "" && this.#kind === "chunks" ? [] : [{ stream: "stdout", text: line, ts }]
    return this.#add(chunk, ts)
  }

  /** What stands without a line end. */
  rest(): readonly TimedLine[] {
    const rest = [...this.#open].flatMap(([stream, { text, ts }]) => (text === "" ? [] : [{ stream, text, ts }]))
    this.#open.clear()
    return rest
  }

  #add({ stream, text, ts }: Chunk, fileTs: number): readonly TimedLine[] {
    const open = this.#open.get(stream)
    const at = ts ?? open?.ts ?? fileTs
    const lines = ((open?.text ?? "") + text).split(/\r?\n/)
    this.#open.set(stream, { text: lines.pop() ?? "", ts: at })
    return lines.map(line => ({ stream, text: line, ts: at }))
  }
}

function readChunk(line: string): Chunk | null {
  const row = line.startsWith("{") ? parse(line) : null
  if (row === null) return null
  const { stream, chunk, ts } = row
  if (typeof chunk !== "string") return null
  if (stream !== "stdout" && stream !== "stderr" && stream !== "system") return null
  const time = typeof ts === "string" ? Date.parse(ts) : Number.NaN
  return { stream, text: chunk, ts: Number.isNaN(time) ? null : time }
}

function parse(line: string): JsonObject | null {
  try {
    const value: Json = JSON.parse(line)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
