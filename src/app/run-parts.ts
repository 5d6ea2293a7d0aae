// Opens the parts of one run that its frames go through and its handlers use.
import { join } from "node:path"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import type { SourceOptions } from "../cli/source-options.ts"
import { withFound } from "../panels/search/search-results.ts"
import { TimelinePlayer } from "../timeline/player.ts"
import { Recorder } from "../timeline/recorder.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import type { Spool } from "../timeline/spool.ts"
import type { Store } from "../view/store.ts"
import { GreetingEnd } from "./greeting-end.ts"
import { Bookmarks } from "./handlers/bookmarks.ts"
import { Recall } from "./handlers/recall.ts"
import { RunDirectory } from "./handlers/run-directory.ts"
import { RunSearch } from "./handlers/run-search.ts"
import type { RunContext, SessionOptions } from "./run-context.ts"
import { timestampedName } from "./state-files.ts"

/** The exit code if a recording does not have the moment that was asked for. */
const MISSED = 2

export type RunParts = Readonly<ReturnType<typeof openParts>>

/** Opens what a run needs besides its source and store; `spool` is null for a recording. */
export function openParts(context: RunContext, options: SessionOptions, spool: Spool | null) {
  const { store, clock, ask, notify } = context
  const { from, index = null } = options.opened
  const { stateDir } = options.screen
  const recording = from.type === "replay" ? from.path : null
  const missed = sanitize("--at: the recording doesn't have that moment")
  const player = new TimelinePlayer({
    store,
    openLog: () => (recording === null ? spool : new RecordingLog(recording, index?.found?.lines)),
    index,
    clock,
    timing: from.type === "replay" && from.timing === "paced" ? "paced" : "wallclock",
    at: from.type === "replay" ? from.at : null,
    notify,
    onMissed: () => options.surface.leave(MISSED, missed),
    onHit: () => ask({ type: "conditions/tell" }),
  })
  const path = options.record ?? join(stateDir, "recordings", `${timestampedName(clock.now())}.jsonl`)
  const onToggle = (isOn: boolean): void => store.dispatch({ type: "view", change: { setup: { recording: isOn } } })
  return {
    /** The recording that is replayed; null for a live run. */
    recording,
    /** The frames of a live run; null for a recording, which is its own frame log. */
    spool,
    player,
    recorder: spool && new Recorder({ spool, path, notify, now: () => clock.now(), onToggle }),
    recall: new Recall(context, player),
    directory: new RunDirectory(store),
    search: new RunSearch({
      recording: () => recording ?? spool?.path ?? null,
      directory: options.sessionDir,
      report: found => store.dispatch({ type: "view", change: withFound(store.get().view, found) }),
    }),
    bookmarks: new Bookmarks(context, join(stateDir, "bookmarks"), recording),
    greetingEnd: new GreetingEnd(clock, store, ask),
  }
}

/** Closes the parts, each reader of a file before its writer. */
export function closeParts({ spool, player, recorder, directory, search }: RunParts): void {
  directory.close()
  player.close()
  recorder?.close()
  search.close()
  spool?.close()
}

/** Follows the end of a recording, or plays it from its beginning. `stops`: a condition may pause it. */
export function startReplay(store: Store, from: SourceOptions, stops: boolean): void {
  if (from.type !== "replay") return
  const { timing, speed, idleLimitMs, loop, at } = from
  const instant = timing === "instant"
  const showsEnd = instant && !loop && !stops && at === null
  // Played later by a person, it runs at a readable speed.
  const racing = instant && !showsEnd && at === null
  store.dispatch({ type: "time", change: { speed: racing ? Infinity : speed, idleLimitMs, loop } })
  if (showsEnd) return
  store.dispatch({ type: "show", run: store.get().run })
  store.dispatch({ type: "time", change: { playing: at === null } })
}
