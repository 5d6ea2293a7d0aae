// Logs the messages of clients to a file, one per line, and lets tests wait for one.
import { closeSync, fchmodSync, mkdtempSync, openSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseJson } from "../protocol/json.ts"
import type { Clock } from "../transport/clock.ts"

interface Waiter {
  readonly matches: (message: unknown) => boolean
  readonly resolve: (message: unknown) => void
}

/** The log of inbound messages, a file of mode 0600. */
export class InboundLog {
  readonly #file: number
  readonly #messages: unknown[] = []
  readonly #waiters = new Set<Waiter>()

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
    writeSync(this.#file, `${isLine ? text : JSON.stringify(text)}\n`)
    const message = parsed === undefined ? text : parsed
    this.#messages.push(message)
    for (const waiter of [...this.#waiters]) if (waiter.matches(message)) waiter.resolve(message)
    return message
  }

  /** All messages so far, as `add` returned them. */
  messages(): readonly unknown[] {
    return [...this.#messages]
  }

  /** The first message, past or future, that `matches` accepts. Rejects after `ms`. */
  waitFor(matches: (message: unknown) => boolean, ms: number, clock: Clock): Promise<unknown> {
    const past = this.#messages.find(matches)
    if (past !== undefined) return Promise.resolve(past)
    return new Promise((resolve, reject) => {
      const cancel = clock.after(ms, () => {
        this.#waiters.delete(waiter)
        reject(new Error(`no such message within ${ms} ms; received: ${JSON.stringify(this.#messages)}`))
      })
      const waiter: Waiter = {
        matches,
        resolve: message => {
          cancel()
          this.#waiters.delete(waiter)
          resolve(message)
        },
      }
      this.#waiters.add(waiter)
    })
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
