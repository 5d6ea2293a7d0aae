// Opens saved logs, and reads their lines: the plain output of a command, or Paperclip's log with one chunk per line.
import { createWriteStream, existsSync, rmSync, type Stats } from "node:fs"
import { type FileHandle, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { constants, createZstdDecompress, zstdDecompressSync } from "node:zlib"
import { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { headBytes, headLines, openRecording } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, parseJson } from "../../packages/wire/src/json.ts"
import type { TimedLine } from "./guest-parser.ts"

const PACKED = ".zst"
/** The most of a compressed log that is unpacked to read its beginning, bytes. */
const MAX_HEAD = 16 * 1024 * 1024

/** Where the lines of a log are read from. */
export interface LogText {
  /** Opens the log as it is now. Rejects with a file system error. */
  open(): Promise<FileHandle>
  /** When the log was last written, epoch ms. Rejects with a file system error. */
  writtenMs(): Promise<number>
  close(): void
}

/** The name of a log without the extension of a compressed file. */
export const plainName = (log: string): string => (log.endsWith(PACKED) ? log.slice(0, -PACKED.length) : log)

/** Compressed bytes as text, of which the end may be missing. Throws if they are something else. */
export function unpackedText(bytes: Uint8Array): string {
  return zstdDecompressSync(bytes, { finishFlush: constants.ZSTD_e_flush, maxOutputLength: MAX_HEAD }).toString()
}

/** The lines of a log's beginning, compressed or not; the last one may be cut. Throws a file system error. */
export function logHead(log: string): readonly string[] {
  const plain = plainName(log)
  return existsSync(plain) ? headLines(plain) : unpackedText(headBytes(plain + PACKED)).split("\n")
}

/** A reader of the lines of a log; what is unpacked for it has no name in `directory`. Rejects with a file error. */
export async function openLines(log: string, directory: string): Promise<LineReader> {
  const text = new UnpackedLog(log, directory)
  try {
    return new LineReader(await text.open())
  } finally {
    text.close()
  }
}

/**
 * A log that its CLI may compress while it is open, as Codex does after days, and unpack again. What is unpacked is a
 * private file in `directory`.
 */
export class UnpackedLog implements LogText {
  readonly #plain: string
  readonly #copy: string
  /** What the private file was made of. */
  #stamp = ""

  constructor(log: string, directory: string) {
    this.#plain = plainName(log)
    // Named like a spool, so that it is removed with the spools if this process is killed.
    this.#copy = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
  }

  async open(): Promise<FileHandle> {
    const { path, ino, size, mtimeMs } = await this.#found()
    if (path === this.#plain) return openRecording(path)
    const stamp = `${ino} ${size} ${mtimeMs}`
    if (stamp !== this.#stamp) {
      const packed = await openRecording(path)
      rmSync(this.#copy, { force: true })
      const copy = createWriteStream(this.#copy, { flags: "wx", mode: 0o600 })
      await pipeline(packed.createReadStream(), createZstdDecompress(), copy)
      this.#stamp = stamp
    }
    return openRecording(this.#copy)
  }

  async writtenMs(): Promise<number> {
    return (await this.#found()).mtimeMs
  }

  close(): void {
    rmSync(this.#copy, { force: true })
  }

  async #found(): Promise<Pick<Stats, "ino" | "size" | "mtimeMs"> & { readonly path: string }> {
    const at = async (path: string) => ({ ...(await stat(path)), path })
    return at(this.#plain).catch(error => at(this.#plain + PACKED).catch(() => Promise.reject(error)))
  }
}

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
