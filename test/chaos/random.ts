// Gives pseudo-random numbers that are the same for the same seed.
export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number
  pick<T>(from: readonly [T, ...T[]]): T
}

/** Mulberry32: small, quick, and good enough to choose by. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return { next, whole, pick: from => from[whole(0, from.length - 1)] ?? from[0] }
}
