import { closeSync, fchmodSync, mkdtempSync, openSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseJson } from "../../packages/wire/src/json.ts"

/** The log of inbound messages, a file of mode 0600. */
export class InboundLog {
  readonly #file: number
  readonly messages: unknown[] = []

  /** Throws a file system error if the file can't be written. */
  constructor(readonly path: string) {
    this.#file = openSync(path, "a", 0o600)
    // The mode above applies only to a new file.
    fchmodSync(this.#file, 0o600)
  }

  /** Logs a message, as a JSON string unless it is one line of JSON. Returns it parsed, or its text if not JSON. */
  add(text: string): unknown {
    const parsed = parseJson(text)
    const isLine = parsed !== undefined && !/[\r\n]/.test(text)
    writeFileSync(this.#file, `${isLine ? text : JSON.stringify(text)}\n`)
    const message = parsed === undefined ? text : parsed
    this.messages.push(message)
    return message
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** A path for a log in a new directory that only its owner can access. */
export function temporaryLog(): { readonly directory: string; readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "scripted-agent-"))
  return { directory, path: join(directory, "inbound.jsonl") }
}
