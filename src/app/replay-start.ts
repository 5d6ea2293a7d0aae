// Brings a replay to the state that the command line asks for.
import type { ReportedMoment } from "../cli/bug-report-file.ts"
import type { SourceOptions } from "../cli/options.ts"
import { plainOverlays } from "../panels/index.ts"
import { frameNumber } from "../run/model/run.ts"
import { restoreView } from "../view/restore/view-snapshot.ts"
import type { Store } from "../view/store.ts"

/** Follows the end of a recording, or plays it from its beginning. `stops`: a condition may pause it. */
export function startReplay(store: Store, from: SourceOptions, stops: boolean): void {
  if (from.type !== "replay") return
  const { timing, speed, idleLimitMs, loop, at, left } = from
  const instant = timing === "instant"
  store.dispatch({ type: "time", change: { speed: instant ? Number.POSITIVE_INFINITY : speed, idleLimitMs, loop } })
  if (instant && !loop && !stops && at === null) return
  store.dispatch({ type: "show", run: store.get().run })
  store.dispatch({ type: "time", change: { playing: at === null } })
  if (left !== null) reopenReport(store, left)
}

function reopenReport(store: Store, { at, view }: ReportedMoment): void {
  const end = store.subscribe(() => {
    const state = store.shown()
    if (!state.isPast || state.time.playing || frameNumber(state.run) !== at.frame) return
    end()
    store.dispatch({ type: "view", change: restoreView(state, view, plainOverlays) })
  })
}
