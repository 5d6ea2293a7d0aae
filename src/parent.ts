// Notices that the process which started this one is gone.

/** Ms between two looks, so that a parent's end is noticed well within 2 s (decisions.md 3.6). */
const LOOK_MS = 500

/** Calls `gone` once the parent has ended: an orphan is given another one. Keeps no process alive. */
export function watchParent(gone: () => void): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    gone()
  }, LOOK_MS)
  timer.unref()
}
