// Holds the screens that a test shows. Every test file loads this before its own, so that each test's screens end with it.
import { afterEach } from "bun:test"

const open = new Set<() => void>()

/** Notes a screen that is shown, and how it is closed. */
export function opened(close: () => void): void {
  open.add(close)
}

/** Closes every screen that was shown: within a test, and for programs that draw without one. */
export function endScreens(): void {
  for (const close of open) close()
  open.clear()
}

// Only a test has an end to wait for.
if (process.env.NODE_ENV === "test") afterEach(endScreens)
