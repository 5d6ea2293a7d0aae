// Notices that the process which started this one is gone.
import { type Clock, systemClock } from "../transport/clock.ts"

/** Ms between two looks, so that a parent's end is noticed well within 2 s (docs/decisions.md 3.6). */
const LOOK_MS = 500

/**
 * Calls `gone` once `parent`, the process that started this one, has ended: an orphan is given another one. Keeps no
 * process alive.
 */
export function watchParent(parent: number, gone: () => void, clock: Clock = systemClock): void {
  const look = (): void => {
    if (process.ppid === parent) clock.after(LOOK_MS, look, false)
    else gone()
  }
  clock.after(LOOK_MS, look, false)
}
