// Writes the transcript of a session directory (docs/contract.md section 5).
import { closeSync, mkdirSync, openSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"

export class TranscriptWriter {
  #file: number | null
  #seq = 0

  /** Creates the directory if needed. Throws a file system error if it can't be written. */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    this.#file = openSync(join(directory, TRANSCRIPT), "a", 0o600)
  }

  /** Appends an event's row without `kind`, numbered from 0 at each start and stamped with `ts` (epoch ms). */
  add(event: JsonObject, ts: number): void {
    if (this.#file === null) return
    const { kind, seq, ts: recorded, event: name = null, ...rest } = event
    if (name === "runner/started") this.#seq = 0
    writeFileSync(this.#file, `${JSON.stringify({ event: name, seq: this.#seq, ts, ...rest })}\n`)
    this.#seq += 1
  }

  /** A second call changes nothing. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file)
    this.#file = null
  }
}
