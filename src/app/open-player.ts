// Opens the past of a run: the tape that keeps its lines, and the player that shows any moment of it.
import { join } from "node:path"
import type { SourceOptions } from "../cli/options.ts"
import { TimelinePlayer } from "../timeline/player.ts"
import { Recorder } from "../timeline/recorder.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { Spool } from "../timeline/spool.ts"
import { systemClock } from "../transport/clock.ts"
import type { Store } from "../view/store.ts"

export interface PlayerHost {
  readonly store: Store
  readonly tell: (text: string, level?: "info") => void
  /** Told that a condition came true while a recording was played. */
  readonly hit: () => void
}

/** A recording is its own tape; a live run is kept on a spool below `stateDir`, null for a recording. */
export function openPlayer(
  from: SourceOptions,
  stateDir: string,
  { store, tell, hit }: PlayerHost,
): { readonly player: TimelinePlayer; readonly spool: Spool | null } {
  const clock = systemClock
  if (from.type === "replay") {
    const { path, timing, at } = from
    return {
      player: new TimelinePlayer({ store, open: () => new RecordingLog(path), clock, timing, at, tell, hit }),
      spool: null,
    }
  }
  const spool = new Spool(join(stateDir, "spool"), why => {
    store.dispatch({ type: "hold" })
    tell(`The past of this run is not kept from here on: ${why}`)
  })
  return {
    player: new TimelinePlayer({ store, open: () => spool, clock, timing: "wallclock", at: null, tell, hit }),
    spool,
  }
}

/** A recorder of the run of this spool; the screen shows whether it records. */
export function openRecorder(
  spool: Spool,
  path: string,
  { store, tell }: Pick<PlayerHost, "store" | "tell">,
): Recorder {
  const show = (recording: boolean) => store.dispatch({ type: "view", change: { recording } })
  return new Recorder({ spool, path, tell, now: systemClock.now, show })
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
