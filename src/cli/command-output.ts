// Is where a command writes: its stdout, or a file that is there only once it is whole.
import { constants } from "node:fs"
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { describeFileError } from "../transport/recording-path.ts"

export interface CommandOutput {
  /** True where a person reads it as it comes. */
  readonly terminal: boolean
  /** Resolves once the text is handed over. Rejects where the disk is full, or the file cannot be written. */
  write(text: string): Promise<void>
  /** Ends it; a file takes the place of the one that was there. */
  done(): Promise<void>
  /** Ends it as if it had not been: the file that was there stays. */
  undo(): Promise<void>
}

/** The process's own output. Once nobody reads any more what is written goes nowhere: `… | head` is no failure. */
export function standardOutput(): CommandOutput {
  const { stdout } = process
  let gone = false
  stdout.once("error", () => {
    gone = true
  })
  return {
    terminal: stdout.isTTY === true,
    write: text => new Promise(done => (gone ? done() : stdout.write(text, () => done()))),
    done: async () => undefined,
    undo: async () => undefined,
  }
}

/**
 * The file at `path`, or why it cannot be written. One that is there is replaced when the new one is whole, since it was
 * named; `input` never is. A pipe or a device is written to as it is.
 */
export async function fileOutput(path: string, input: string): Promise<CommandOutput | string> {
  try {
    const real = await realpath(path).catch(() => path)
    const found = await stat(real).catch(() => null)
    if (found?.isDirectory() === true) return "a directory, no file"
    const read = await stat(input)
    if (found !== null && found.ino === read.ino && found.dev === read.dev) return "the recording itself"
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
