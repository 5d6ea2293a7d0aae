// Reads the lines of a saved log: the plain output of a command, or Paperclip's log with one chunk per line.
import { isObject, parseJson } from "../../packages/wire/src/json.ts"
import type { TimedLine } from "./guest-parser.ts"

/** A line of Paperclip's log: the text of one write, with the server's time. */
interface Chunk {
  readonly stream: TimedLine["stream"]
  readonly text: string
  readonly ts: number | null
}

/** The lines of a saved log. Its first line that isn't empty decides the format. */
export class LogLines {
  #kind: "plain" | "chunks" | null = null
  readonly #open = new Map<TimedLine["stream"], { text: string; ts: number | null }>()
  /** The time of the latest chunk that had one. */
  #lastTs: number | null = null

  /** The lines that a line of the file completes. Those of a plain log have no time. */
  push(line: string): readonly TimedLine[] {
    const chunk = this.#kind === "plain" ? null : readChunk(line)
    if (this.#kind === null && line.trim() !== "") this.#kind = chunk === null ? "plain" : "chunks"
    // A damaged line is shown as it is, at the time of the chunk before it.
    const time = this.#lastTs
    if (chunk === null)
      return line === "" && this.#kind === "chunks" ? [] : [{ stream: "stdout", text: line, ts: time }]
    this.#lastTs = chunk.ts ?? this.#lastTs
    return this.#add(chunk, time)
  }

  remainder(): readonly TimedLine[] {
    const lines = [...this.#open].flatMap(([stream, { text, ts }]) => (text === "" ? [] : [{ stream, text, ts }]))
    this.#open.clear()
    return lines
  }

  #add({ stream, text, ts }: Chunk, before: number | null): readonly TimedLine[] {
    const open = this.#open.get(stream)
    const time = ts ?? open?.ts ?? before
    const lines = ((open?.text ?? "") + text).split(/\r?\n/)
    this.#open.set(stream, { text: lines.pop() ?? "", ts: time })
    return lines.map(line => ({ stream, text: line, ts: time }))
  }
}

function readChunk(line: string): Chunk | null {
  const row = line.startsWith("{") ? parseJson(line) : null
  if (!isObject(row)) return null
  const { stream, chunk, ts } = row
  if (typeof chunk !== "string") return null
  if (stream !== "stdout" && stream !== "stderr" && stream !== "system") return null
  const time = typeof ts === "string" ? Date.parse(ts) : Number.NaN
  return { stream, text: chunk, ts: Number.isNaN(time) ? null : time }
}
