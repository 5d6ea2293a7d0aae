// Opens what a command reads: a recording, or one that is made of an agent CLI's log and goes when the command ends.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chooseParser, isLog, openParser } from "../guest/choose-parser.ts"
import { LogConversion, logName } from "../guest/convert-log.ts"
import { describeFileError, recordingPath } from "../transport/recording-path.ts"

export interface Recorded {
  /** The file of frames. */
  readonly path: string
  /** What was named: the recording, or the log. */
  readonly subject: string
  close(): Promise<void>
}

/**
 * The recording that `subject` names. A log is read once, as it stands, by the parser that `--parser` names (`parser`);
 * without one it is a log where `isLog` says so. Else one line that says what is wrong.
 */
export async function openRecorded(
  subject: string,
  parser: string | undefined,
): Promise<Recorded | { readonly error: string }> {
  const found = recordingPath(subject)
  if ("error" in found) return found
  const { path } = found
  if (parser === undefined && !isLog(path)) return { path, subject: path, close: () => Promise.resolve() }
  let directory: string | null = null
  const remove = async (): Promise<void> => {
    if (directory !== null) await rm(directory, { recursive: true, force: true })
  }
  try {
    const chosen = chooseParser(parser, process.cwd())
    directory = await mkdtemp(join(tmpdir(), "opentui-sidecar-"))
    const conversion = await LogConversion.open(path, directory, logName(path), openParser(chosen), { grows: false })
    const close = (): Promise<void> => {
      conversion.close()
      return remove()
    }
    return { path: conversion.path, subject: path, close }
  } catch (error) {
    await remove()
    const isFile = error instanceof Error && "code" in error
    return { error: isFile ? describeFileError(error) : error instanceof Error ? error.message : String(error) }
  }
}
