// Runs long work in steps, so that keys, frames and timers are served between them.
import type { Clock } from "../transport/clock.ts"

/** How long steps may run before the event loop gets a turn, ms. */
export const SLICE_MS = 12

/** Runs steps until they end or their time slice is over. */
export function runSlice<S, T>(steps: Generator<S, T>, clock: Clock): IteratorResult<S, T> {
  const until = clock.elapsed() + SLICE_MS
  for (;;) {
    const next = steps.next()
    if (next.done === true || clock.elapsed() >= until) return next
  }
}

/** The result of all steps, run in one go. */
export function resultOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const next = steps.next()
    if (next.done === true) return next.value
  }
}
