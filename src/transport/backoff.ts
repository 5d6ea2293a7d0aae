// Computes how long to wait before the next connection attempt.

const FIRST_MS = 500
const MAX_MS = 10_000

/**
 * Milliseconds to wait after failure number `failures` (from 1), with `random` in [0, 1). The ceiling doubles from 500
 * ms to 10 s. Half of it is fixed, so that nobody retries at once; half is random, so that many sidecars don't retry
 * together.
 */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(MAX_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return Math.round((ceiling / 2) * (1 + random))
}
