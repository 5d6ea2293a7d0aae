// Opens a command's input: a recording, or an agent CLI's log converted to a temporary recording.
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import {
  describeFileError,
  InputError,
  recordingAt,
  recordingPath,
} from "../../packages/wire/src/files/recording-path.ts"
import { chooseParser, isLog, startParser } from "../guest/choose-parser.ts"
import { LogConversion } from "../guest/convert-log.ts"

export interface OpenedRecording {
  readonly path: string
  /** The file the user named: the recording, or the log it was converted from. */
  readonly subject: string
  close(): Promise<void>
}

/** Opens a recording, or converts a log (`parser`, `isLog`); `close` removes the conversion. Throws an InputError. */
export async function openRecordingOrLog(subject: string, parser: string | undefined): Promise<OpenedRecording> {
  const path = recordingPath(subject)
  if (parser === undefined && !isLog(path)) {
    return { path: recordingAt(subject), subject: path, close: () => Promise.resolve() }
  }
  let directory: string | null = null
  const remove = async (): Promise<void> => {
    if (directory !== null) await rm(directory, { recursive: true, force: true })
  }
  try {
    const chosen = chooseParser(parser, process.cwd())
    directory = await mkdtemp(join(tmpdir(), "opentui-sidecar-"))
    const conversion = await LogConversion.open(path, directory, startParser(chosen), { grows: false })
    const close = (): Promise<void> => {
      conversion.close()
      return remove()
    }
    return { path: conversion.path, subject: path, close }
  } catch (error) {
    await remove()
    if (!(error instanceof Error)) throw error
    throw new InputError(errorCode(error) === "" ? error.message : describeFileError(error))
  }
}
