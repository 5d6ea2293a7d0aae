// Searches the past for a moment in time slices, until another search begins or the person moves on.
import { frameNumber, type Run } from "../run/model/run.ts"
import type { Clock } from "../transport/clock.ts"
import type { Store } from "../view/store.ts"
import { runSlice } from "./steps.ts"

/** How long a search may go on before the person is told, and how often that is repeated, ms. */
const REPORT_MS = 250

/** Gets the run found, null if there is none, and whether the person was told that it takes long. */
type OnFound = (run: Run | null, isLong: boolean) => void

interface MomentSearchOptions {
  readonly store: Store
  readonly clock: Clock
  readonly notify: (text: string, level?: "info") => void
  /** The result of `work`, or null after a file system error, which is reported. */
  readonly attempt: <T>(work: () => T) => T | null
}

export class MomentSearch {
  #cancel: (() => void) | null = null

  constructor(private readonly options: MomentSearchOptions) {}

  /** Runs `steps`, which yield the runs passed or a share, 0 to 1; `doing` says what for. */
  begin(steps: Generator<Run | number, Run | null>, doing: string, onFound: OnFound): void {
    const { store, clock, notify, attempt } = this.options
    const { run: from, time } = store.get()
    let [reportedAt, isLong, isBegun] = [clock.elapsed(), false, false]
    const searchSlice = (): void => {
      const now = store.get()
      const isElsewhere = time.present === null ? now.time.present !== null : now.run !== from
      const isUnwanted = isElsewhere || (isBegun && !now.time.seeking)
      const next = isUnwanted ? null : attempt(() => runSlice(steps, clock))
      if (next === null || next.done === true) this.cancel()
      if (next?.done === true) onFound(next.value, isLong)
      if (next === null || next.done === true) return
      if (!isBegun) store.dispatch({ type: "time", change: { seeking: true } })
      isBegun = true
      if (clock.elapsed() - reportedAt >= REPORT_MS) {
        const { value } = next
        notify(
          `${doing}: ${typeof value === "number" ? `${Math.floor(100 * value)}%` : `frame ${frameNumber(value)}`}`,
          "info",
        )
        reportedAt = clock.elapsed()
        isLong = true
      }
      this.#cancel = clock.after(0, searchSlice)
    }
    this.cancel()
    searchSlice()
  }

  cancel(): void {
    this.#cancel?.()
    const { store } = this.options
    if (store.get().time.seeking) store.dispatch({ type: "time", change: { seeking: false } })
  }
}
