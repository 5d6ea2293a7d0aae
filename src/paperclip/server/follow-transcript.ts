// Follows a transcript while the agent writes it; reads each row once, even if a resumed run rewrites the file.
import { open, realpath, stat } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { LineReader } from "../../transport/file-reader.ts"
import { isBelow, isOpenedBelow } from "../../transport/opened-path.ts"

const POLL_MS = 100

/** The bytes at the file's beginning that identify it. */
const HEAD_BYTES = 256

interface FileState {
  readonly size: number
  readonly head: Uint8Array
}

const NOTHING: FileState = { size: 0, head: new Uint8Array() }

/** The state of the file at `path`; empty if it is missing or unreadable. */
export async function fileStateOf(path: string): Promise<FileState> {
  try {
    return { size: (await stat(path)).size, head: await headOf(path, HEAD_BYTES) }
  } catch {
    return NOTHING
  }
}

interface Following {
  readonly from: FileState
  readonly root: string
  readonly ended: Promise<unknown>
  readonly onLine: (line: string) => Promise<void>
  /** Called after each look at the file, some ten times a second. */
  readonly onLook: () => Promise<void>
}

/** Passes each line after `from` to `onLine` until `ended`. Ignores a file that links lead outside `root`. */
export async function followTranscript(path: string, options: Following): Promise<void> {
  const { root, ended, onLine, onLook } = options
  let from = options.from
  let reader: LineReader | null = null
  let running = true
  const end = ended.finally(() => {
    running = false
  })
  for (;;) {
    const last = !running
    if (!(await isSameFile(path, from, reader))) {
      await reader?.close()
      reader = null
      from = NOTHING
    }
    reader ??= await openBelow(path, root, from.size)
    if (reader !== null) {
      if (from.head.length < HEAD_BYTES) from = { size: from.size, head: (await fileStateOf(path)).head }
      // After an error, the next round reads again from the same position.
      await drain(reader, onLine).catch(() => undefined)
    }
    await onLook()
    if (last) break
    await Promise.race([end, sleep(POLL_MS)]).catch(() => undefined)
  }
  const rest = reader?.takeRemainder() ?? ""
  if (typeof rest === "string" && rest !== "") await onLine(rest)
  await reader?.close()
}

/** False if the file was rewritten: it is shorter than what was read, or its first bytes differ. */
async function isSameFile(path: string, from: FileState, reader: LineReader | null): Promise<boolean> {
  const now = await fileStateOf(path)
  if (now.size < (reader?.offset ?? from.size)) return false
  return Buffer.compare(now.head.subarray(0, from.head.length), from.head) === 0
}

async function openBelow(path: string, root: string, offset: number): Promise<LineReader | null> {
  try {
    const [real, base] = await Promise.all([realpath(path), realpath(root)])
    if (real === base || !isBelow(base, real)) return null
    const file = await open(real, "r")
    if (await isOpenedBelow(base, file)) return new LineReader(file, offset)
    await file.close()
    return null
  } catch {
    return null
  }
}

async function drain(reader: LineReader, onLine: (line: string) => Promise<void>): Promise<void> {
  for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
    for (const line of lines) await onLine(typeof line === "string" ? line : line.head)
  }
}

/** At most `bytes` from the beginning of a file. */
export async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
