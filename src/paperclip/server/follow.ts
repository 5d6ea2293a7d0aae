// Reads a transcript while the agent writes it: each row once, also where a resumed run begins the file anew.
import { open, realpath, stat } from "node:fs/promises"
import { sep } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { LineReader } from "../../transport/file-reader.ts"

/** How often the file is looked at, in ms. */
const POLL_MS = 100

/** As many bytes of the file's beginning tell that it is still the same. */
const HEAD_BYTES = 256

/** Where a file stood when we looked: its size, and how it begins. */
export interface Mark {
  readonly size: number
  readonly head: Uint8Array
}

const NOTHING: Mark = { size: 0, head: new Uint8Array() }

/** How the file at `path` stands; nothing where there is none, or none that may be read. */
export async function markOf(path: string): Promise<Mark> {
  try {
    return { size: (await stat(path)).size, head: await headOf(path) }
  } catch {
    return NOTHING
  }
}

/**
 * Hands every line that is written to `path` after `from` to `onLine`, in order and one at a time, until `over`
 * resolves and the end is reached; then a torn last line too. A file that is not below `home` (links resolved) is
 * as good as none. Never rejects while `onLine` does not.
 */
export async function followTranscript(
  path: string,
  options: { from: Mark; home: string; over: Promise<unknown>; onLine: (line: string) => Promise<void> },
): Promise<void> {
  const { home, over, onLine } = options
  let from = options.from
  let reader: LineReader | null = null
  let running = true
  const end = over.finally(() => {
    running = false
  })
  for (;;) {
    const last = !running
    if (!(await continues(path, from, reader))) {
      await reader?.close()
      reader = null
      from = NOTHING
    }
    reader ??= await openBelow(path, home, from.size)
    if (reader !== null) {
      if (from.head.length < HEAD_BYTES) from = { size: from.size, head: (await markOf(path)).head }
      // What cannot be read now is tried again from the same place.
      await drain(reader, onLine).catch(() => undefined)
    }
    if (last) break
    await Promise.race([end, sleep(POLL_MS)]).catch(() => undefined)
  }
  const rest = reader?.takeRemainder() ?? ""
  if (typeof rest === "string" && rest !== "") await onLine(rest)
  await reader?.close()
}

/** False where the file is shorter than what was read of it, or begins otherwise: somebody wrote it anew. */
async function continues(path: string, from: Mark, reader: LineReader | null): Promise<boolean> {
  const now = await markOf(path)
  if (now.size < (reader?.offset ?? from.size)) return false
  return Buffer.compare(now.head.subarray(0, from.head.length), from.head) === 0
}

async function openBelow(path: string, home: string, offset: number): Promise<LineReader | null> {
  try {
    const [real, base] = await Promise.all([realpath(path), realpath(home)])
    return real.startsWith(base + sep) ? new LineReader(await open(real, "r"), offset) : null
  } catch {
    return null
  }
}

async function drain(reader: LineReader, onLine: (line: string) => Promise<void>): Promise<void> {
  for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
    for (const line of lines) await onLine(typeof line === "string" ? line : line.head)
  }
}

async function headOf(path: string): Promise<Uint8Array> {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
