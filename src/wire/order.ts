// Puts frames that overtook each other back in `seq` order, as far as a short wait can (decisions.md 1.4).
import type { Decoded } from "../protocol/frame.ts"

/** Ms for which a frame that came too early is held. */
export const HOLD_MS = 50

/** With so many frames held, the first gap is given up. */
export const HOLD_FRAMES = 64

interface Held<T> {
  readonly item: T
  readonly span: Span
  /** When it stops being held, in ms of the caller's clock. */
  readonly until: number
}

/** The numbers that a frame stands for: a coalesced delta stands for those before its own, too. */
interface Span {
  readonly first: number
  readonly last: number
}

/**
 * Takes frames as they arrive and gives them back as they are to be folded: what comes out is what went in, in another
 * order at most. It holds only frames whose `seq` jumps ahead; late ones, repeated ones and those without `seq` pass
 * at once. `now` is ms of any clock that does not go back. It has no timer: the caller asks `due` at `dueAt`.
 */
export class Order<T extends { readonly frame: Decoded }> {
  /** The next number that leaves no gap; null until the first frame of a connection sets it. */
  #expected: number | null = null
  /** In order of `seq`; frames of the same number in order of arrival. */
  #held: Held<T>[] = []

  /** What may be folded now that this item has come; empty where it is held. */
  push(item: T, now: number): T[] {
    const span = spanOf(item.frame)
    if (span === null) return [item]
    const expected = this.#expected
    if (expected === null) return this.#pass(item, span)
    if (span.last < expected) return startsRun(item.frame) ? this.#startAgain(item, span) : [item]
    if (span.first <= expected) return this.#pass(item, span)
    this.#hold({ item, span, until: now + HOLD_MS })
    if (this.#held.length < HOLD_FRAMES) return []
    return this.#release(1)
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

  #pass(item: T, span: Span): T[] {
    this.#expected = span.last + 1
    return this.#held.length === 0 ? [item] : [item, ...this.#release(0)]
  }

  /** A run that starts below what is expected counts anew: what is held belongs before it. */
  #startAgain(item: T, span: Span): T[] {
    const held = this.reset()
    return [...held, ...this.#pass(item, span)]
  }

  #hold(held: Held<T>): void {
    const after = this.#held.findIndex(other => other.span.last > held.span.last)
    this.#held.splice(after === -1 ? this.#held.length : after, 0, held)
  }

  /** Takes the first `count` of those held, and those behind them that leave no gap any more. */
  #release(count: number): T[] {
    let expected = this.#expected ?? Number.NEGATIVE_INFINITY
    let taken = 0
    for (const { span } of this.#held) {
      if (taken >= count && span.first > expected) break
      expected = Math.max(expected, span.last + 1)
      taken += 1
    }
    if (taken === 0) return []
    this.#expected = expected
    return this.#held.splice(0, taken).map(held => held.item)
  }
}

function spanOf(frame: Decoded): Span | null {
  if (frame.kind !== "delta" && frame.kind !== "event") return null
  if (frame.seq === null) return null
  const merged = frame.kind === "delta" ? Math.max(1, frame.coalesced) : 1
  return { first: frame.seq - merged + 1, last: frame.seq }
}

function startsRun(frame: Decoded): boolean {
  return frame.kind === "event" && frame.body.type === "runner/started"
}
