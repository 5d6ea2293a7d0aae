// Restores the `seq` order of frames that overtook each other, within a short wait (docs/decisions.md 1.4).
import type { Decoded } from "../../packages/wire/src/frame.ts"

/** How long a frame that came too early is held, ms. */
export const HOLD_MS = 50

/** When this many frames are held, the first gap is given up. */
export const MAX_HELD = 64

interface Held<T> {
  readonly item: T
  /** The numbers it covers; a coalesced delta also covers the ones before its own. */
  readonly first: number
  readonly last: number
  /** When it is released, in ms of the caller's clock. */
  readonly until: number
}

/** Puts frames in the order in which to fold them; holds early ones until `takeDue` at `dueAt` (ms of any clock). */
export class ReorderBuffer<T extends { readonly frame: Decoded }> {
  /** The next number without a gap; null until the first frame of a connection sets it. */
  #expected: number | null = null
  /** By `seq`; frames with the same number in order of arrival. */
  #held: Held<T>[] = []

  /** Adds to `out` the items that can be folded now, none if this item is held, and returns `out`. */
  push(item: T, now: number, out: T[] = []): T[] {
    const last = item.frame.kind === "delta" || item.frame.kind === "event" ? item.frame.seq : null
    const expected = this.#expected
    if (last === null || (expected !== null && last < expected && !startsRun(item.frame))) {
      out.push(item)
      return out
    }
    const first = last - mergedIn(item.frame)
    if (expected !== null && first > expected) {
      this.#hold({ item, first, last, until: now + HOLD_MS })
      if (this.#held.length >= MAX_HELD) out.push(...this.#release(1))
      return out
    }
    // A run that starts at a lower number begins a new count, and the held frames belong before it.
    if (expected !== null && last < expected) out.push(...this.reset())
    this.#expected = last + 1
    out.push(item)
    if (this.#held.length > 0) out.push(...this.#release(0))
    return out
  }

  /** When to call `takeDue`, in ms of the caller's clock; null while nothing is held. */
  get dueAt(): number | null {
    if (this.#held.length === 0) return null
    return this.#held.reduce((least, held) => Math.min(least, held.until), Number.POSITIVE_INFINITY)
  }

  /** Releases the frames that were held long enough, and those with lower numbers. */
  takeDue(now: number): T[] {
    const last = this.#held.findLastIndex(held => held.until <= now)
    return this.#release(last + 1)
  }

  flush(): T[] {
    return this.#release(this.#held.length)
  }

  /** Releases all held frames and forgets the expected number, as a new connection requires. */
  reset(): T[] {
    const held = this.flush()
    this.#expected = null
    return held
  }

  #hold(held: Held<T>): void {
    const after = this.#held.findIndex(other => other.last > held.last)
    this.#held.splice(after === -1 ? this.#held.length : after, 0, held)
  }

  /** Releases the first `count` held frames, and the following ones up to the next gap. */
  #release(count: number): T[] {
    let expected = this.#expected ?? Number.NEGATIVE_INFINITY
    let taken = 0
    for (const { first, last } of this.#held) {
      if (taken >= count && first > expected) break
      expected = Math.max(expected, last + 1)
      taken += 1
    }
    if (taken === 0) return []
    this.#expected = expected
    return this.#held.splice(0, taken).map(held => held.item)
  }
}

/** How many numbers before its own a frame covers. */
function mergedIn(frame: Decoded): number {
  return frame.kind === "delta" ? Math.max(1, frame.coalesced) - 1 : 0
}

function startsRun(frame: Decoded): boolean {
  return frame.kind === "event" && frame.body.type === "runner/started"
}
