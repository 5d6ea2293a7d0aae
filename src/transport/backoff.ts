// Says how long to wait before the next attempt to connect.

const FIRST_MS = 500
const LONGEST_MS = 10_000

/**
 * Milliseconds to wait after failure number `failures` (1 for the first), where `random` is in [0, 1). The ceiling
 * doubles from 500 ms to 10 s; half of it is certain and half is chance, so that many sidecars do not come at once and
 * none comes at once.
 */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return Math.round((ceiling / 2) * (1 + random))
}
