// Opens a bug report where it was written: at its moment, with the same thing in front.

import type { ReportedMoment } from "../../cli/bug-report-file.ts"
import { frameNumber } from "../../run/model/run.ts"
import { restoreView } from "../../view/restore/view-snapshot.ts"
import type { Store } from "../../view/store.ts"
import { isPast } from "../../view/time.ts"

/** Puts in front what was in front, once, as soon as the moment is shown. */
export function reopenReport(store: Store, { at, view }: ReportedMoment): void {
  const look = (): void => {
    const state = store.get()
    if (!isPast(state) || state.time.playing || frameNumber(state.run) !== at.frame) return
    end()
    store.dispatch({ type: "view", change: restoreView(state, view) })
  }
  const end = store.subscribe(look)
}
