// Puts frames that overtook each other back in `seq` order, as far as a short wait can (docs/decisions.md 1.4).
import type { Decoded } from "../protocol/frame.ts"

/** Ms for which a frame that came too early is held. */
export const HOLD_MS = 50

/** With so many frames held, the first gap is given up. */
export const HOLD_FRAMES = 64

interface Held<T> {
  readonly item: T
  /** The numbers that it stands for: a coalesced delta stands for those before its own, too. */
  readonly first: number
  readonly last: number
  /** When it stops being held, in ms of the caller's clock. */
  readonly until: number
}

/**
 * Takes frames as they arrive and gives them back as they are to be folded: what comes out is what went in, in another
 * order at most. It holds only frames whose `seq` jumps ahead; late ones, repeated ones and those without `seq` pass
 * at once. `now` is ms of any clock that does not go back. It has no timer: the caller asks `due` at `dueAt`.
 */
export class ReorderBuffer<T extends { readonly frame: Decoded }> {
  /** The next number that leaves no gap; null until the first frame of a connection sets it. */
  #expected: number | null = null
  /** In order of `seq`; frames of the same number in order of arrival. */
  #held: Held<T>[] = []

  /** Adds to `out` what may be folded now that this item has come, nothing where it is held; and gives `out`. */
  push(item: T, now: number, out: T[] = []): T[] {
    const last = numberOf(item.frame)
    const expected = this.#expected
    if (last === null || (expected !== null && last < expected && !startsRun(item.frame))) {
      out.push(item)
      return out
    }
    const first = last - mergedIn(item.frame)
    if (expected !== null && first > expected) {
      this.#hold({ item, first, last, until: now + HOLD_MS })
      if (this.#held.length >= HOLD_FRAMES) out.push(...this.#release(1))
      return out
    }
    // A run that starts below what is expected counts anew: what is held belongs before it.
    if (expected !== null && last < expected) out.push(...this.reset())
    this.#expected = last + 1
    out.push(item)
    if (this.#held.length > 0) out.push(...this.#release(0))
    return out
  }

  /** When `due` has something to give, in ms of the caller's clock; null while nothing is held. */
  get dueAt(): number | null {
    if (this.#held.length === 0) return null
    return this.#held.reduce((least, held) => Math.min(least, held.until), Number.POSITIVE_INFINITY)
  }

  /** What has been held long enough, and what is below it. */
  due(now: number): T[] {
    const last = this.#held.findLastIndex(held => held.until <= now)
    return this.#release(last + 1)
  }

  /** All that is held, in order. */
  flush(): T[] {
    return this.#release(this.#held.length)
  }

  /** Forgets what number was expected, as a new connection does, and gives back all that was held. */
  reset(): T[] {
    const held = this.flush()
    this.#expected = null
    return held
  }

  #hold(held: Held<T>): void {
    const after = this.#held.findIndex(other => other.last > held.last)
    this.#held.splice(after === -1 ? this.#held.length : after, 0, held)
  }

  /** Takes the first `count` of those held, and those behind them that leave no gap any more. */
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

function numberOf(frame: Decoded): number | null {
  return frame.kind === "delta" || frame.kind === "event" ? frame.seq : null
}

/** How many numbers before its own a frame stands for. */
function mergedIn(frame: Decoded): number {
  return frame.kind === "delta" ? Math.max(1, frame.coalesced) - 1 : 0
}

function startsRun(frame: Decoded): boolean {
  return frame.kind === "event" && frame.body.type === "runner/started"
}
