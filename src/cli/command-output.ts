// Writes a command's output to stdout, or to a file that appears only when it is complete.
import { constants } from "node:fs"
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { describeFileError } from "../transport/recording-path.ts"

export interface CommandOutput {
  readonly terminal: boolean
  /** Resolves when the text is handed over. Rejects if the disk is full or the file cannot be written. */
  write(text: string): Promise<void>
  /** Finishes; a new file replaces the old one. */
  done(): Promise<void>
  /** Discards what was written; an old file stays. */
  undo(): Promise<void>
}

/** The process's stdout. Once the reader is gone, output is dropped: `… | head` is not a failure. */
export function standardOutput(): CommandOutput {
  const { stdout } = process
  let isClosed = false
  stdout.once("error", () => {
    isClosed = true
  })
  return {
    terminal: stdout.isTTY === true,
    write: text => new Promise(done => (isClosed ? done() : stdout.write(text, () => done()))),
    done: async () => undefined,
    undo: async () => undefined,
  }
}

/**
 * The file at `path`, or why it cannot be written. An existing file is replaced once the new one is complete, except
 * `input`, which is never replaced. A pipe or a device is written to directly.
 */
export async function fileOutput(path: string, input: string): Promise<CommandOutput | string> {
  try {
    const real = await realpath(path).catch(() => path)
    const found = await stat(real).catch(() => null)
    if (found?.isDirectory() === true) return "is a directory"
    const read = await stat(input)
    if (found !== null && found.ino === read.ino && found.dev === read.dev) return "is the recording itself"
    if (found !== null && !found.isFile())
      return fileOf(await open(real, constants.O_WRONLY), async () => undefined, null)
    const part = `${real}.${process.pid}.part`
    return fileOf(await open(part, "wx"), () => rename(part, real), part)
  } catch (error) {
    return describeFileError(error)
  }
}

function fileOf(file: FileHandle, finish: () => Promise<void>, part: string | null): CommandOutput {
  return {
    terminal: false,
    write: async text => {
      await file.writeFile(text)
    },
    async done() {
      await file.close()
      await finish()
    },
    async undo() {
      await file.close().catch(() => undefined)
      if (part !== null) await rm(part, { force: true })
    },
  }
}
