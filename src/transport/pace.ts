// Says when a recorded frame is due.
import type { Decoded } from "../protocol/frame.ts"

/** docs/decisions.md 6.1. */
export type Timing = "instant" | "paced" | "wallclock"

/** Ms of a frame under `paced`. */
const FRAME_MS = 40

/** Ms by which frames may be late before their lateness is forgiven: a process that slept does not race. */
const LAG_MS = 250

/** The pace of one pass through a recording. */
export class Pace {
  readonly #timing: Timing
  readonly speed: number
  readonly idleLimitMs: number
  #dueAt: number | null = null
  #latest: number | null = null

  /** `speed` divides every gap; `idleLimitMs` is the longest gap before that. */
  constructor(timing: Timing, speed: number, idleLimitMs: number) {
    this.#timing = timing
    this.speed = speed
    this.idleLimitMs = idleLimitMs
  }

  /** When the next frame is due, in ms of the caller's clock, of which `now` is the present. */
  next(frame: Decoded, now: number): number {
    const gap = this.#gap(frame) / this.speed
    const dueAt = this.#dueAt === null ? now : Math.max(this.#dueAt, now - LAG_MS) + gap
    this.#dueAt = dueAt
    return dueAt
  }

  #gap(frame: Decoded): number {
    if (frame.kind === "blank" || frame.kind === "note") return 0
    if (this.#timing === "paced") return FRAME_MS
    if (this.#timing === "wallclock" && "ts" in frame && frame.ts !== null) return this.#wallGap(frame.ts)
    return 0
  }

  /** Times that step back a little count as no gap; those that fall back far begin anew there. */
  #wallGap(ts: number): number {
    const latest = this.#latest ?? ts
    const gap = ts - latest
    if (gap >= 0 || -gap > this.idleLimitMs) this.#latest = ts
    return Math.min(Math.max(gap, 0), this.idleLimitMs)
  }
}
