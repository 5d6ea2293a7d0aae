// Opens where frames come from: a live agent, a recording, or a guest's command.
import { join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { InputError } from "../../packages/wire/src/files/recording-path.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { ScreenOptions } from "../cli/screen-options.ts"
import type { SourceOptions } from "../cli/source-options.ts"
import { Eql } from "../eql/eql.ts"
import { FallbackSource } from "../eql/eql-fallback.ts"
import { startParser } from "../guest/choose-parser.ts"
import { startTalk } from "../guest/choose-talk.ts"
import { LogConversion } from "../guest/convert-log.ts"
import { GuestSource, guestName } from "../guest/guest-source.ts"
import type { HookDesk } from "../hook/hook-desk.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import { type FoldOptions, initialRun } from "../run/model/run.ts"
import { RecordingIndex } from "../timeline/recording-index.ts"
import { spoolDirectory } from "../timeline/spool.ts"
import { replaySource } from "../transport/replay.ts"
import { socketSource } from "../transport/socket.ts"
import type { Source } from "../transport/source.ts"
import { LogSource } from "./log-source.ts"

/** A hash of the sources, which the bundler puts here. */
declare const OPENTUI_SIDECAR_SOURCES: string | undefined

/**
 * Names the build, for files that only the same build and engine may read. Null for a program that runs from its
 * sources, which may change.
 */
const buildName =
  typeof OPENTUI_SIDECAR_SOURCES === "undefined" ? null : `${OPENTUI_SIDECAR_SOURCES} ${Bun.version} ${Bun.revision}`

type RunOptions = Pick<ScreenOptions, "segments" | "limits" | "prices">

/** The options of a run that the screen shows. */
export function foldOptions({ segments, limits, prices }: RunOptions): FoldOptions {
  return { strategy: segments, rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET, limits, prices }
}

/** A source that was opened for a run, with the parts that belong to it. */
export interface OpenedSource {
  /** What it was opened by; for a log of an agent CLI, the recording that it was converted to. */
  readonly from: SourceOptions
  readonly source: Source
  readonly eql: Eql | null
  /** A guest's command, which runs by now. */
  readonly guest: GuestSource | null
  /** Resolves with the reason once no more of a log that grows can be shown. */
  readonly failed?: Promise<string>
  /** The same source, of a log of an agent CLI. */
  readonly log?: LogSource
  /** The index of a recording, from an earlier opening and for later ones; null if none is kept. */
  readonly index?: RecordingIndex | null
  /** Stops the source and removes its temporary files. May be called more than once. */
  close(): void
}

/** How the connection is before anything has come. */
export function firstLink(from: SourceOptions): Link {
  switch (from.type) {
    case "live":
      return { state: "connecting", url: from.url, attempt: 1 }
    case "replay":
      return { state: "replaying", path: from.shownAs ?? from.path, incompleteLength: 0 }
    case "run":
      return { state: "running", command: sanitizeLine(guestName(from.command)) }
  }
}

/**
 * Rejects where a log cannot be converted, or with a `StartError` for a command. `program` names the
 * build, for indexes of recordings; null for none. `desk` has the questions of hooks.
 */
export async function openSource(
  from: SourceOptions,
  screen: RunOptions & Pick<ScreenOptions, "stateDir" | "readOnly" | "plain">,
  program = buildName,
  desk: HookDesk | null = null,
): Promise<OpenedSource> {
  const { stateDir, readOnly, plain } = screen
  switch (from.type) {
    case "replay":
      if (from.parser !== null) return await openLog(from, from.parser, stateDir, { grows: !plain, desk })
      // Plain lines tell the run from its beginning.
      return openRecording(from, from.keepsIndex && !plain ? openIndex(from.path, screen, program) : null)
    case "run": {
      const guest = openGuest(from)
      return { from, source: guest, eql: null, guest, close: () => guest.stop() }
    }
    case "live": {
      const { url } = from
      const agent = from.token === null ? { url } : { url, token: from.token }
      // The options have checked the address already.
      if (readOnly) {
        const source = socketSource(agent)
        return { from, source, eql: null, guest: null, close: () => source.stop() }
      }
      const eql = new Eql({ ...agent, allowRemote: true })
      const source = new FallbackSource(socketSource(agent), eql)
      return { from, source, eql, guest: null, close: () => source.stop() }
    }
  }
}

type ReplayOptions = Extract<SourceOptions, { readonly type: "replay" }>

function openRecording(from: ReplayOptions, index: RecordingIndex | null = null): OpenedSource {
  const source = replaySource({ ...from, offset: index?.found?.lines.bytes ?? 0 })
  const close = (): void => {
    source.stop()
    index?.[Symbol.dispose]()
  }
  return { from, source, eql: null, guest: null, index, close }
}

function openIndex(
  path: string,
  screen: RunOptions & Pick<ScreenOptions, "stateDir">,
  program: string | null,
): RecordingIndex | null {
  if (program === null) return null
  const first = initialRun(foldOptions(screen))
  return RecordingIndex.open(path, { directory: join(screen.stateDir, "index"), program, first })
}

/**
 * A log that an agent CLI left is converted to a recording below `stateDir`, which is removed again. With `grows` it is
 * followed, and a long log is shown from its end at first; plain lines end with the log as it is.
 */
async function openLog(
  from: ReplayOptions,
  parser: NonNullable<ReplayOptions["parser"]>,
  stateDir: string,
  { grows, desk }: { readonly grows: boolean; readonly desk: HookDesk | null },
): Promise<OpenedSource> {
  const convert = (end: boolean): Promise<LogConversion> =>
    LogConversion.open(from.path, spoolDirectory(stateDir), startParser(parser), { grows, end })
  // Playback starts at the beginning of the log.
  const conversion = await convert(grows && from.timing === "instant" && from.at === null && !from.loop)
  const source = new LogSource(conversion, from, desk, () => convert(false))
  const close = (): void => {
    process.off("exit", close)
    source.stop()
  }
  process.on("exit", close)
  const shown = { ...from, path: conversion.path, shownAs: from.path }
  return { from: shown, source, eql: null, guest: null, log: source, failed: conversion.failed, close }
}

/** Starts a command. Throws a `StartError` if it can't. */
function openGuest({ command, parser, talk }: Extract<SourceOptions, { readonly type: "run" }>): GuestSource {
  const cwd = talk?.earlier?.directory ?? process.cwd()
  const named = { name: guestName(command), cwd, ...(talk?.earlier && { session: talk.earlier.id }) }
  const spoken = talk === undefined ? {} : { talk: startTalk(talk.protocol, { ...talk, ...named }) }
  const stdin = process.stdin.isTTY ? "ignore" : "inherit"
  try {
    return new GuestSource({ command, cwd, parser: startParser(parser), stdin, ...spoken })
  } catch (error) {
    const why = ["", "ENOENT"].includes(errorCode(error)) ? "command not found" : "permission denied"
    throw new StartError(sanitize(`Can't start ${sanitizeLine(command[0] ?? "")}: ${why}`))
  }
}

export class StartError extends InputError {}
