// Reads what the agent captured of a turn: the file that an `io/ref` names (docs/contract.md section 5).
import { type Capture, decodeCapture } from "../protocol/capture.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { readEdn } from "./edn.ts"
import type { Result } from "./result.ts"
import type { SessionDirectory } from "./session-directory.ts"

/** Bytes of a capture above which it is not read. */
const MOST_BYTES = 8 * 1024 * 1024

/** The capture under `ref`, which stands below the directory or below its `artifacts`. Never rejects. */
export async function readCapture(directory: SessionDirectory, ref: string): Promise<Result<Capture>> {
  const file = await directory.read(ref, 0, MOST_BYTES)
  const isMissing = file.error?.endsWith(": no such file") === true
  const found = isMissing ? await directory.read(`artifacts/${ref}`, 0, MOST_BYTES) : file
  if (found.error !== undefined) return { error: file.error ?? found.error }
  const { text, end, size } = found.value
  if (end < size) return { error: `${sanitizeLine(ref)}: larger than ${MOST_BYTES / 1024 / 1024} MB` }
  const said = await readEdn(text)
  return "fault" in said ? { error: `${sanitizeLine(ref)}: ${said.fault}` } : { value: decodeCapture(said.value) }
}

/** Reads captures one after the other, in the order in which they were asked for. */
export class CaptureReader {
  readonly #directory: SessionDirectory
  readonly #tell: (ref: string, told: Result<Capture>) => void
  readonly #waiting = new Set<string>()
  #busy = false

  constructor(directory: SessionDirectory, tell: (ref: string, told: Result<Capture>) => void) {
    this.#directory = directory
    this.#tell = tell
  }

  read(refs: readonly string[]): void {
    for (const ref of refs) this.#waiting.add(ref)
    if (!this.#busy) void this.#readAll()
  }

  async #readAll(): Promise<void> {
    this.#busy = true
    for (const ref of this.#waiting) {
      this.#tell(ref, await readCapture(this.#directory, ref))
      this.#waiting.delete(ref)
    }
    this.#busy = false
  }
}
