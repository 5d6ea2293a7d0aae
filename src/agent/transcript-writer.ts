// Writes the session directory of the scripted agent, as far as it has one: its transcript (docs/contract.md section 5).
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../protocol/json.ts"
import { TRANSCRIPT } from "../transport/recording-path.ts"

/** A transcript that grows with the run. */
export class TranscriptWriter {
  readonly directory: string
  #file: number | null
  #seq = 0

  /** Makes the directory where it is not. Throws the error of the file system where nothing can be written there. */
  constructor(directory: string) {
    this.directory = directory
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#file = openSync(join(directory, TRANSCRIPT), "a", 0o600)
  }

  /**
   * Adds the row of an event in the wire's spelling: without its `kind`, with a number that begins with 0 at each start
   * of the agent, and stamped `ts` (epoch ms), a moment before the hub does it again.
   */
  add(event: JsonObject, ts: number): void {
    if (this.#file === null) return
    const { kind, seq, ts: recorded, event: name = null, ...rest } = event
    if (name === "runner/started") this.#seq = 0
    writeSync(this.#file, `${JSON.stringify({ event: name, seq: this.#seq, ts, ...rest })}\n`)
    this.#seq += 1
  }

  /** A second call changes nothing. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}
