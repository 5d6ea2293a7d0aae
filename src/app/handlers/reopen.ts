// Opens a bug report where it was written: at its moment, with the same thing in front.

import type { Left } from "../../cli/bug-report-file.ts"
import { frameNumber } from "../../run/model/run.ts"
import { viewFrom } from "../../view/restore/view-snapshot.ts"
import type { Store } from "../../view/store.ts"
import { isPast } from "../../view/time.ts"

/** Puts in front what was in front, once, as soon as the moment is shown. */
export function reopen(store: Store, { at, view }: Left): void {
  const look = (): void => {
    const state = store.get()
    if (!isPast(state) || state.time.playing || frameNumber(state.run) !== at.frame) return
    end()
    store.dispatch({ type: "view", change: viewFrom(state, view) })
  }
  const end = store.subscribe(look)
}
