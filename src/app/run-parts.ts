// Opens the parts of one run that its frames go through and its handlers use.
import { join } from "node:path"
import type { TimelinePlayer } from "../timeline/player.ts"
import { Recorder, recordingName } from "../timeline/recorder.ts"
import type { Spool } from "../timeline/spool.ts"
import { Bookmarks } from "./handlers/bookmarks.ts"
import { RunDirectory } from "./handlers/run-directory.ts"
import { RunSearch } from "./handlers/run-search.ts"
import { openPlayer } from "./open-player.ts"
import { Resender } from "./resend.ts"
import type { RunContext, SessionOptions } from "./run-context.ts"

export interface RunParts {
  /** The frames of a live run; null for a recording, which has its own file. */
  readonly spool: Spool | null
  readonly player: TimelinePlayer
  readonly recorder: Recorder | null
  readonly directory: RunDirectory
  readonly search: RunSearch
  readonly bookmarks: Bookmarks
  readonly resender: Resender
}

export function openParts(context: RunContext, options: SessionOptions, spool: Spool | null): RunParts {
  const { store, clock, ask } = context
  const { from } = options.opened
  const { stateDir } = options.screen
  const recording = from.type === "replay" ? from.path : null
  return {
    spool,
    player: openPlayer(context, from, spool),
    recorder: spool && openRecorder(context, spool, options.record ?? recordingName(stateDir, clock.now())),
    directory: new RunDirectory(store),
    search: new RunSearch({
      recording: () => recording ?? spool?.path ?? null,
      directory: options.sessionDir,
      dispatch: store.dispatch,
    }),
    bookmarks: new Bookmarks(context, join(stateDir, "bookmarks"), recording),
    resender: new Resender(clock, () => ask({ type: "prompt/resend" })),
  }
}

function openRecorder({ store, clock, tell }: RunContext, spool: Spool, path: string): Recorder {
  const show = (recording: boolean): void => store.dispatch({ type: "view", change: { recording } })
  return new Recorder({ spool, path, notify: tell, now: () => clock.now(), onToggle: show })
}

/** Lets go of what the parts hold, the reader of each file before its writer. */
export function closeParts({ spool, player, recorder, directory, search }: RunParts): void {
  directory.close()
  player.close()
  recorder?.close()
  search.close()
  spool?.close()
}
