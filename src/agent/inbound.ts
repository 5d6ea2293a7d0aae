// Keeps what UIs sent: one line a frame in a file, and the frames for a test that waits for one.
import { closeSync, fchmodSync, mkdtempSync, openSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Clock } from "../transport/clock.ts"

interface Waiter {
  readonly wants: (frame: unknown) => boolean
  readonly take: (frame: unknown) => void
}

/** The log of inbound frames, a file of mode 0600 that grows as they come. */
export class Inbound {
  readonly path: string
  readonly #file: number
  readonly #frames: unknown[] = []
  readonly #waiters = new Set<Waiter>()

  /** Throws the error of the file system where the file cannot be written. */
  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, "a", 0o600)
    // The mode above holds only for a file that is new.
    fchmodSync(this.#file, 0o600)
  }

  /** Takes a frame as it came: its line goes to the file as it is, or as a JSON string where it was not one line of JSON. */
  add(text: string): unknown {
    const frame = parse(text)
    const isLine = frame !== undefined && !/[\r\n]/.test(text)
    writeSync(this.#file, `${isLine ? text : JSON.stringify(text)}\n`)
    const kept = frame === undefined ? text : frame
    this.#frames.push(kept)
    for (const waiter of [...this.#waiters]) if (waiter.wants(kept)) waiter.take(kept)
    return kept
  }

  /** Everything so far, parsed; a frame that was no JSON is its text. */
  frames(): readonly unknown[] {
    return [...this.#frames]
  }

  /** The first frame, come or still to come, that `wants` accepts. Rejects after `ms`. */
  wait(wants: (frame: unknown) => boolean, ms: number, clock: Clock): Promise<unknown> {
    const here = this.#frames.find(wants)
    if (here !== undefined) return Promise.resolve(here)
    return new Promise((resolve, reject) => {
      const cancel = clock.after(ms, () => {
        this.#waiters.delete(waiter)
        reject(new Error(`no such frame within ${ms} ms; came: ${JSON.stringify(this.#frames)}`))
      })
      const waiter: Waiter = {
        wants,
        take: frame => {
          cancel()
          this.#waiters.delete(waiter)
          resolve(frame)
        },
      }
      this.#waiters.add(waiter)
    })
  }

  close(): void {
    closeSync(this.#file)
  }
}

/** A path for a log in a new directory of its own, which only its owner can enter. */
export function temporaryLog(): { readonly directory: string; readonly path: string } {
  const directory = mkdtempSync(join(tmpdir(), "scripted-agent-"))
  return { directory, path: join(directory, "inbound.jsonl") }
}

/** Undefined where the text is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
