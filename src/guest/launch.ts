// Starts a guest's command as a process of its own, hands on signals, and learns how it ended.
import { constants } from "node:os"
import type { GuestOutcome } from "./frame-writer.ts"

/** What a command gets between SIGTERM and SIGKILL when we leave, ms. */
const GRACE_MS = 2000
/** How long output is waited for once the command has ended: what it started may hold the pipes open, ms. */
const DRAIN_MS = 500

export interface Launched {
  readonly stdout: ReadableStream<Uint8Array>
  readonly stderr: ReadableStream<Uint8Array>
  readonly ended: Promise<GuestOutcome>
  /** Signals the command and what it started. */
  signal(signal: NodeJS.Signals): void
  /** Ends it: SIGTERM, and SIGKILL after a grace. Resolves once it has ended. */
  finish(): Promise<GuestOutcome>
}

/**
 * Starts `command` by its words, no shell. It leads a session of its own, so that the terminal's keys stay ours; our
 * stdin is its own where that is no terminal. Throws where it cannot be started.
 */
export function launch(command: readonly string[], stdin: "inherit" | "ignore"): Launched {
  const child = Bun.spawn([...command], { stdin, stdout: "pipe", stderr: "pipe", detached: true })
  let over = false
  const ended = child.exited.then((): GuestOutcome => {
    over = true
    return child.signalCode === null
      ? { code: child.exitCode, signal: null }
      : { code: null, signal: String(child.signalCode) }
  })
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // Nobody of the group is left.
    }
  }
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    signal,
    async finish() {
      if (!over) {
        signal("SIGTERM")
        await Promise.race([ended, Bun.sleep(GRACE_MS)])
      }
      signal("SIGKILL")
      return await ended
    },
  }
}

/** The exit code that stands for an outcome: a shell's, 128 + n after signal n. */
export function exitCode({ code, signal }: GuestOutcome): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return number === undefined ? (code ?? 1) : 128 + number
}

/** Hands over what a stream brings, until it ends or `ended` has been true for a while. Never rejects. */
export async function drain(
  stream: ReadableStream<Uint8Array>,
  ended: Promise<unknown>,
  take: (bytes: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const reader = stream.getReader()
  const late = ended.then(() => Bun.sleep(DRAIN_MS)).then(() => null)
  try {
    for (;;) {
      const read = await Promise.race([reader.read(), late])
      if (read === null || read.done) break
      await take(read.value)
    }
  } catch {
    // A pipe that breaks is one that ends.
  }
  await reader.cancel().catch(() => undefined)
}
