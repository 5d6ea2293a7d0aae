// Opens a command's inputs: recordings, and agent CLIs' logs converted to temporary recordings.
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
import { complain } from "./command-arguments.ts"
import type { Subject, Subjects } from "./subjects.ts"

export interface OpenedRecording {
  readonly path: string
  /** The file the user named: the recording, or the log it was converted from. */
  readonly subject: string
  /** Removes what was converted. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a recording, or converts a log (`parser`, `isLog`). Throws an InputError. */
export async function openRecordingOrLog(subject: string, parser: string | undefined): Promise<OpenedRecording> {
  const path = recordingPath(subject)
  if (parser === undefined && !isLog(path)) {
    return { path: recordingAt(subject), subject: path, [Symbol.asyncDispose]: () => Promise.resolve() }
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
    return { path: conversion.path, subject: path, [Symbol.asyncDispose]: close }
  } catch (error) {
    await remove()
    if (!(error instanceof Error)) throw error
    throw new InputError(errorCode(error) === "" ? error.message : describeFileError(error))
  }
}

/** Opens one subject after the other, and says which can't be read: false if there is one. */
export async function readEach(
  command: string,
  { subjects, closed }: Subjects,
  parser: string | undefined,
  read: (opened: OpenedRecording, subject: Subject) => Promise<void>,
): Promise<boolean> {
  for (const why of closed) complain(command, why)
  let isComplete = closed.length === 0
  for (const subject of subjects) {
    try {
      await using opened = await openRecordingOrLog(subject.path, parser)
      await read(opened, subject)
    } catch (error) {
      const isInput = error instanceof InputError
      const isOutput = error instanceof Error && "syscall" in error && error.syscall === "write"
      if (isOutput || (!isInput && errorCode(error) === "")) throw error
      complain(command, isInput ? error.message : `${subject.name}: ${describeFileError(error)}`)
      isComplete = false
    }
  }
  return isComplete
}
