// Opens a bug report at the moment and with the view at which it was written.
import type { ReportedMoment } from "../cli/bug-report-file.ts"
import { plainOverlays } from "../panels/index.ts"
import { frameNumber } from "../run/model/run.ts"
import { restoreView } from "../view/restore/view-snapshot.ts"
import type { Store } from "../view/store.ts"

/** Restores the view once, as soon as the moment is shown. */
export function reopenReport(store: Store, { at, view }: ReportedMoment): void {
  const end = store.subscribe(() => {
    const state = store.shown()
    if (!state.isPast || state.time.playing || frameNumber(state.run) !== at.frame) return
    end()
    store.dispatch({ type: "view", change: restoreView(state, view, plainOverlays) })
  })
}
