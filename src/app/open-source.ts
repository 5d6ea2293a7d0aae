// Opens where frames come from: a live agent, a recording, or a guest's command.
import { join } from "node:path"
import type { SourceOptions } from "../cli/options.ts"
import { type Eql, eqlClient } from "../eql/eql.ts"
import { withFallback } from "../eql/eql-fallback.ts"
import { openParser } from "../guest/choose-parser.ts"
import { LogConversion, logName } from "../guest/convert-log.ts"
import { type GuestSource, guestName, guestSource } from "../guest/guest-source.ts"
import type { Link } from "../protocol/link.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { replaySource } from "../transport/replay.ts"
import { socketSource } from "../transport/socket.ts"
import type { Source } from "../transport/source.ts"

/** How the line is before anything has come. */
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

/** A source, and what stands behind it: a live agent's API, or a guest's command, which is started here. */
export interface Opened {
  readonly source: Source
  readonly eql: Eql | null
  readonly guest: GuestSource | null
}

export function openSource(from: SourceOptions): Opened {
  switch (from.type) {
    case "replay":
      return { source: replaySource(from), eql: null, guest: null }
    case "run": {
      const guest = openGuest(from)
      return { source: guest, eql: null, guest }
    }
    case "live": {
      const { url } = from
      const agent = from.token === null ? { url } : { url, token: from.token }
      // The options have judged the address already, so a remote one was allowed.
      const eql = eqlClient({ ...agent, allowRemote: true })
      return { source: withFallback(socketSource(agent), eql), eql, guest: null }
    }
  }
}

/** Starts a command. If it cannot start, exits with 127, as a shell does. */
function openGuest({ command, parser }: Extract<SourceOptions, { readonly type: "run" }>): GuestSource {
  try {
    return guestSource({ command, parser: openParser(parser), stdin: process.stdin.isTTY ? "ignore" : "inherit" })
  } catch (error) {
    const isFound = error instanceof Error && "code" in error && error.code !== "ENOENT"
    const why = isFound ? "permission denied" : "command not found"
    process.stderr.write(`opentui-sidecar: Can't start ${sanitizeLine(command[0] ?? "")}: ${why}\n`)
    process.exit(127)
  }
}

/** The same, with a guest's log turned into a recording below `stateDir`, which goes with the process. */
export async function recordedLog(from: SourceOptions, stateDir: string): Promise<SourceOptions> {
  if (from.type !== "replay" || from.parser === null) return from
  const parser = openParser(from.parser)
  const conversion = await LogConversion.open(from.path, join(stateDir, "spool"), logName(from.path), parser)
  process.on("exit", () => conversion.close())
  return { ...from, path: conversion.path, shownAs: from.path }
}
