// Writes a command's output to stdout, or to a file that appears only when it is complete; aligns its rows.
import { constants } from "node:fs"
import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { describeFileError, InputError } from "../../packages/wire/src/files/recording-path.ts"
import { type SafeText, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { printData, printOut } from "../ui/standard-streams.ts"
import { pad, width } from "../ui/text-width.ts"

/** Where a command's output goes; `Text` is what it takes. */
export interface CommandOutput<Text extends string> {
  readonly terminal: boolean
  /** Resolves when the text is handed over. Rejects with a file system error. */
  write(text: Text): Promise<void>
  /** Finishes; a new file replaces the old one. */
  done(): Promise<void>
  /** Discards what was written; an old file stays. */
  undo(): Promise<void>
}

/** The process's stdout, for text that is shown. */
export function standardOutput(): CommandOutput<SafeText> {
  return outputBy(printOut)
}

/** The process's stdout, for an export. */
export function exportOutput(): CommandOutput<string> {
  return outputBy(printData)
}

/** Once the reader is gone, output is dropped: `… | head` is not a failure. */
const READER_GONE = ["EPIPE", "ECONNRESET", "ERR_STREAM_DESTROYED"]

function outputBy<Text extends string>(
  print: (text: Text, done: (error?: Error | null) => void) => void,
): CommandOutput<Text> {
  const { stdout } = process
  // Each write gets its error.
  stdout.on("error", () => undefined)
  return {
    terminal: stdout.isTTY === true,
    write: text =>
      new Promise((done, fail) =>
        print(text, error => (error == null || READER_GONE.includes(errorCode(error)) ? done() : fail(error))),
      ),
    done: async () => undefined,
    undo: async () => undefined,
  }
}

/**
 * The file at `path`. An existing file is replaced once the new one is complete, except `input`, which is never
 * replaced. A pipe or a device is written to directly. Throws an InputError if it cannot be written.
 */
export async function fileOutput(path: string, input: string): Promise<CommandOutput<string>> {
  const refused = (why: string) => new InputError(`${sanitizeLine(path)}: ${why}`)
  try {
    const real = await realpath(path).catch(() => path)
    const found = await stat(real).catch(() => null)
    if (found?.isDirectory() === true) throw refused("is a directory")
    const read = await stat(input)
    if (found !== null && found.ino === read.ino && found.dev === read.dev) throw refused("is the recording itself")
    if (found !== null && !found.isFile())
      return fileOf(await open(real, constants.O_WRONLY), async () => undefined, null)
    const part = `${real}.${process.pid}.part`
    return fileOf(await open(part, "wx"), () => rename(part, real), part)
  } catch (error) {
    const isMissing = errorCode(error) === "ENOENT"
    throw error instanceof InputError ? error : refused(isMissing ? "no such directory" : describeFileError(error))
  }
}

function fileOf(file: FileHandle, finish: () => Promise<void>, part: string | null): CommandOutput<string> {
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

/**
 * The rows as lines. A column is as wide as its widest cell, up to its entry in `widest`, the last of which holds for
 * all that follow; no cell is clipped. The columns in `right` hold figures.
 */
export function alignedRows(
  rows: readonly (readonly string[])[],
  widest: readonly number[],
  right: readonly number[] = [],
): readonly string[] {
  const columns: number[] = []
  for (const row of rows) for (const [i, cell] of row.entries()) columns[i] = Math.max(columns[i] ?? 0, width(cell))
  const widths = columns.map((most, i) => Math.min(most, widest[i] ?? widest.at(-1) ?? most))
  const aligned = (cell: string, i: number): string => {
    const room = widths[i] ?? 0
    return width(cell) >= room ? cell : pad(cell, room, right.includes(i) ? "right" : "left")
  }
  return rows.map(row => row.map(aligned).join("  ").trimEnd())
}
