// Runs a command in a process group and ends the whole group with it.
import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import type { ChildEnvironment } from "./environment.ts"
import { endWithServer } from "./server-end.ts"

export type ProcessOutcome = Readonly<Awaited<ReturnType<typeof runProcess>>>

interface ProcessOptions {
  readonly cwd: string
  readonly env: ChildEnvironment
  /** Seconds; 0 is no limit. */
  readonly timeoutSec: number
  readonly graceSec: number
  readonly signal?: AbortSignal | undefined
  /** Rejections are ignored, because the process is already running. */
  readonly onSpawn: (pid: number) => Promise<void>
  /** Called with each chunk in order; the next chunk is not read until it resolves. Must not reject. */
  readonly onOutput: (stream: "stdout" | "stderr", chunk: Uint8Array) => Promise<void>
}

/** How long the rest of a group gets after its leader has exited by itself, in ms. */
const LEFTOVER_MS = 1000
const POLL_MS = 50

/**
 * Resolves when the group is gone; a limit, an abort or the server's end sends SIGTERM, then SIGKILL. Rejects if it
 * cannot start.
 */
export async function runProcess(command: string, args: readonly string[], options: ProcessOptions) {
  const { cwd, env, timeoutSec, graceSec, signal } = options
  const child = spawn(command, args, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const exited = new Promise<{ code: number | null; signal: string | null }>(done =>
    child.once("exit", (code, by) => done({ code, signal: by })),
  )
  const outputs = Promise.all([pump(child.stdout, "stdout", options), pump(child.stderr, "stderr", options)])
  const pid = await started(child)

  let why: "limit" | "cancel" | null = null
  /** True if the group ignored SIGTERM and needed SIGKILL. */
  let forced = false
  let last: NodeJS.Timeout | undefined
  const stop = (reason: "limit" | "cancel"): void => {
    if (why !== null) return
    why = reason
    kill(pid, "SIGTERM")
    last = setTimeout(() => {
      forced = kill(pid, "SIGKILL")
    }, graceSec * 1000)
  }
  const cancel = (): void => stop("cancel")
  const limit = timeoutSec > 0 ? setTimeout(() => stop("limit"), timeoutSec * 1000) : undefined
  const release = endWithServer({ stop: cancel, drop: () => void kill(pid, "SIGKILL") })
  signal?.addEventListener("abort", cancel)
  if (signal?.aborted) cancel()
  try {
    await options.onSpawn(pid).catch(() => undefined)
    const ended = await exited
    clearTimeout(limit)
    if (await sweep(pid, why === null ? LEFTOVER_MS : graceSec * 1000)) forced = why !== null
    // A process that left the group may still hold the pipes.
    await Promise.race([outputs, sleep(LEFTOVER_MS, undefined, { ref: false })])
    const { code: exitCode, signal: by } = ended
    return { exitCode, signal: by, timedOut: why === "limit", cancelled: why === "cancel", forced }
  } finally {
    clearTimeout(limit)
    clearTimeout(last)
    release()
    signal?.removeEventListener("abort", cancel)
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

function started(child: Child): Promise<number> {
  return new Promise((resolve, reject) => {
    // Not `once`: a later error event without a listener would crash the server.
    child.on("error", reject)
    child.once("spawn", () => (child.pid === undefined ? reject(new Error("no process id")) : resolve(child.pid)))
  })
}

async function pump(from: Readable, stream: "stdout" | "stderr", { onOutput }: ProcessOptions): Promise<void> {
  try {
    for await (const chunk of from) if (chunk instanceof Uint8Array) await onOutput(stream, chunk)
  } catch {
    // A broken pipe ends the stream like a closed one.
  }
}

/** Ends the rest of the group, with SIGTERM first; true if SIGKILL was needed. */
async function sweep(pid: number, graceMs: number): Promise<boolean> {
  if (!kill(pid, "SIGTERM")) return false
  if (await isGone(pid, graceMs)) return false
  const forced = kill(pid, "SIGKILL")
  await isGone(pid, LEFTOVER_MS)
  return forced
}

async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const giveUpAt = Date.now() + withinMs
  while (kill(pid, 0)) {
    if (Date.now() >= giveUpAt) return false
    await sleep(POLL_MS)
  }
  return true
}

/** False if no process of the group is left. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
