// Holds the screens and agents that a test opens. Every test file loads this before its own, so that they end with it.
import { afterEach } from "bun:test"

const open = new Set<() => unknown>()

/** Notes what a test has opened, by how it is closed. */
export function opened(close: () => unknown): void {
  open.add(close)
}

/** Closes every screen that was shown: within a test, and for programs that draw without one. */
export function endScreens(): readonly unknown[] {
  const closed = [...open].map(close => close())
  open.clear()
  return closed
}

// Only a test has an end to wait for.
if (process.env.NODE_ENV === "test") afterEach(() => Promise.all(endScreens()))
