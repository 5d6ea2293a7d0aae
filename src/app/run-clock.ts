// Provides a clock whose timers can all be cancelled at once.
import { type Clock, systemClock } from "../transport/clock.ts"
import { nextEnd } from "../view/reduce.ts"
import type { Store } from "../view/store.ts"

/** The timers of one run. Closing cancels them, and later timers are never set. */
export class RunClock implements Clock {
  readonly now = systemClock.now
  readonly elapsed = systemClock.elapsed
  readonly sleep = systemClock.sleep
  readonly #cancels = new Set<() => void>()
  #isClosed = false

  after(ms: number, run: () => void, keepAlive?: boolean): () => void {
    if (this.#isClosed) return () => undefined
    const runOnce = (): void => {
      this.#cancels.delete(cancel)
      run()
    }
    const cancel = systemClock.after(ms, runOnce, keepAlive)
    this.#cancels.add(cancel)
    return () => {
      this.#cancels.delete(cancel)
      cancel()
    }
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of this.#cancels) cancel()
  }
}

/** Ticks the store whenever something of its view ends by itself. */
export function tickAtEnds(store: Store, clock: RunClock): void {
  let [due, cancel]: [number | null, () => void] = [null, () => undefined]
  const follow = (): void => {
    const at = nextEnd(store.get().view)
    if (at === due) return
    cancel()
    due = at
    // Never in the next turn of the event loop: a deadline that has passed isn't urgent.
    if (at !== null) cancel = clock.after(Math.max(1, at - clock.now()), tick, false)
  }
  const tick = (): void => {
    due = null
    store.dispatch({ type: "tick", now: clock.now() })
    follow()
  }
  store.subscribe(follow)
}
