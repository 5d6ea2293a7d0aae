// Opens the player that shows any moment of a run, and sets it to how the run is to be played.
import type { SourceOptions } from "../cli/options.ts"
import { TimelinePlayer } from "../timeline/player.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import type { Spool } from "../timeline/spool.ts"
import type { Store } from "../view/store.ts"
import type { RunContext } from "./run-context.ts"

/** A recording is its own frame log; a live run has its spool. */
export function openPlayer(
  { store, clock, ask, tell }: RunContext,
  from: SourceOptions,
  spool: Spool | null,
): TimelinePlayer {
  const { timing, at } = from.type === "replay" ? from : ({ timing: "wallclock", at: null } as const)
  const open = () => (from.type === "replay" ? new RecordingLog(from.path) : spool)
  return new TimelinePlayer({
    store,
    openLog: open,
    clock,
    timing,
    at,
    notify: tell,
    onBreakpoint: () => ask({ type: "breakpoints/hits" }),
  })
}

/**
 * Sets a recording to what was asked for: its end as it is read, or its beginning, to be played from there. One that
 * `stops` at a condition is played.
 */
export function startPlaying(store: Store, from: SourceOptions, stops: boolean): void {
  if (from.type !== "replay") return
  const { timing, speed, idleLimitMs, loop, at } = from
  const instant = timing === "instant"
  store.dispatch({ type: "time", change: { speed: instant ? Number.POSITIVE_INFINITY : speed, idleLimitMs, loop } })
  if (instant && !loop && !stops && at === null) return
  store.dispatch({ type: "show", run: store.get().run })
  store.dispatch({ type: "time", change: { playing: at === null } })
}
