// Reads captures: the files that an `io/ref` names (docs/contract.md section 5).
import { type Captured, decodeCapture } from "../../packages/wire/src/capture.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { readEdn } from "./edn.ts"
import type { SessionDirectory } from "./session-directory.ts"

const MAX_BYTES = 8 * 1024 * 1024

/** The capture at `ref`, which is relative to the session directory or to its `artifacts`. Never rejects. */
export async function readCapture(directory: SessionDirectory, ref: string): Promise<Captured> {
  const file = await directory.read(ref, 0, MAX_BYTES)
  const isMissing = file.error?.endsWith(": no such file") === true
  const found = isMissing ? await directory.read(`artifacts/${ref}`, 0, MAX_BYTES) : file
  if (found.error !== undefined) return { why: file.error ?? found.error }
  const { text, end, size } = found.value
  if (end < size) return { why: `${sanitizeLine(ref)}: larger than ${MAX_BYTES / 1024 / 1024} MB` }
  const { value, error } = await readEdn(text)
  return error === undefined ? { capture: decodeCapture(value) } : { why: `${sanitizeLine(ref)}: ${error}` }
}

/** Reads requested captures one after the other, in the order of the requests. */
export class CaptureReader {
  readonly #pending = new Set<string>()
  #busy = false

  constructor(
    private readonly directory: SessionDirectory,
    private readonly onCapture: (ref: string, captured: Captured) => void,
  ) {}

  read(refs: readonly string[]): void {
    for (const ref of refs) this.#pending.add(ref)
    if (!this.#busy) void this.#readAll()
  }

  async #readAll(): Promise<void> {
    this.#busy = true
    for (const ref of this.#pending) {
      this.onCapture(ref, await readCapture(this.directory, ref))
      this.#pending.delete(ref)
    }
    this.#busy = false
  }
}
