// Launches a guest's command in a process group of its own, forwards signals, and reports how it ended.
import { constants } from "node:os"
import { childEnvironment } from "../transport/child-environment.ts"

/** The time between SIGTERM and SIGKILL, ms. */
const GRACE_MS = 2000
/** How long to read output after the command has exited, ms. Processes that it started may keep the pipes open. */
export const DRAIN_MS = 500

/** How a command ended; one of the two is null. */
export interface GuestOutcome {
  readonly code: number | null
  readonly signal: string | null
}

/** A command's stdin: `pipe` if we write to it. */
export type GuestStdin = "inherit" | "ignore" | "pipe"

export type GuestProcess = Readonly<ReturnType<typeof launch>>

/** Starts `command` without a shell, in a session of its own, so that it can't read the terminal's keys. May throw. */
export function launch(command: readonly string[], stdin: GuestStdin, cwd = process.cwd()) {
  const env = childEnvironment()
  const child = Bun.spawn([...command], { env, cwd, stdin, stdout: "pipe", stderr: "pipe", detached: true })
  let hasExited = false
  const ended = child.exited.then((): GuestOutcome => {
    hasExited = true
    return child.signalCode === null
      ? { code: child.exitCode, signal: null }
      : { code: null, signal: String(child.signalCode) }
  })
  const signal = (name: NodeJS.Signals): void => {
    try {
      process.kill(-child.pid, name)
    } catch {
      // The process group is empty.
    }
  }
  const pipe = typeof child.stdin === "object" ? child.stdin : null
  const attempt = async (call: (input: Bun.FileSink) => unknown): Promise<void> => {
    try {
      if (pipe !== null) await call(pipe)
    } catch {
      // A command that is gone reads nothing.
    }
  }
  return {
    /** Writes a line to the command's stdin; nothing if it takes none, or not any more. */
    write(line: string): void {
      void attempt(input => input.write(`${line}\n`))
      void attempt(input => input.flush())
    },
    /** Closes the command's stdin once all lines have been written. */
    closeStdin: () => void attempt(input => input.end()),
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    /** Sends a signal to the command and the processes that it started. */
    signal,
    /** Sends SIGTERM, and SIGKILL after a grace period. Resolves once the command has exited. */
    async terminate(): Promise<GuestOutcome> {
      if (!hasExited) {
        signal("SIGTERM")
        await Promise.race([ended, Bun.sleep(GRACE_MS)])
      }
      signal("SIGKILL")
      return await ended
    },
  }
}

/** The exit code of an outcome, 128 + n after signal n as in a shell. */
export function exitCode({ code, signal }: GuestOutcome): number {
  const number = Object.entries(constants.signals).find(([name]) => name === signal)?.[1]
  return number === undefined ? (code ?? 1) : 128 + number
}

/** Reads a stream until it ends, or until `DRAIN_MS` after `ended` resolves. Never rejects. */
export async function drain(
  stream: ReadableStream<Uint8Array>,
  ended: Promise<unknown>,
  onChunk: (bytes: Uint8Array) => Promise<void> | void,
): Promise<void> {
  const reader = stream.getReader()
  let isLate = false
  let late = Promise.withResolvers<null>()
  void ended.then(async () => {
    await Bun.sleep(DRAIN_MS)
    isLate = true
    late.resolve(null)
  })
  try {
    for (;;) {
      // Until it is resolved, a promise holds the result of each race that it is in: each read needs one of its own.
      if (!isLate) late = Promise.withResolvers()
      const read = await Promise.race([reader.read(), late.promise])
      if (read === null || read.done) break
      await onChunk(read.value)
    }
  } catch {
    // A broken pipe counts as its end.
  }
  await reader.cancel().catch(() => undefined)
}
