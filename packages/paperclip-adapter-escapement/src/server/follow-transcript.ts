// Follows a transcript while the agent writes it; reads each row once, even if a resumed run rewrites the file.
import { realpath } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { FollowedFile } from "../../../wire/src/files/followed-file.ts"
import { isBelow, isOpenedBelow } from "../../../wire/src/files/opened-path.ts"
import { openRecording } from "../../../wire/src/files/recording-path.ts"

const POLL_MS = 100

interface Following {
  readonly ended: Promise<unknown>
  readonly onLine: (line: string) => Promise<void>
  /** Called after each look at the file, some ten times a second. */
  readonly onLook: () => Promise<void>
}

/** The transcript at `path` from its present end on. A file that links lead outside `root` is never read. */
export async function transcriptFrom(path: string, root: string): Promise<FollowedFile> {
  const file = new FollowedFile(async () => {
    const [real, base] = await Promise.all([realpath(path), realpath(root)])
    if (real === base || !isBelow(base, real)) throw new Error("outside the work directory")
    const handle = await openRecording(real)
    if (await isOpenedBelow(base, handle)) return handle
    await handle.close()
    throw new Error("changed while it was being opened")
  })
  await file.look(size => size).catch(() => undefined)
  return file
}

/** Passes each new line to `onLine` until `ended`. */
export async function followTranscript(file: FollowedFile, { ended, onLine, onLook }: Following): Promise<void> {
  let running = true
  const end = ended.finally(() => {
    running = false
  })
  for (;;) {
    const last = !running
    // After an error, the next round reads again from the same position.
    await drain(file, onLine).catch(() => undefined)
    await onLook()
    if (last) break
    await Promise.race([end, sleep(POLL_MS)]).catch(() => undefined)
  }
  const rest = file.takeRemainder()
  if (typeof rest === "string" && rest !== "") await onLine(rest)
  await file.close()
}

async function drain(file: FollowedFile, onLine: (line: string) => Promise<void>): Promise<void> {
  await file.look()
  for await (const lines of file.lines()) {
    for (const line of lines) await onLine(typeof line === "string" ? line : line.head)
  }
}
