// Computes when each frame of a recording is due during playback.
import type { Decoded } from "../../packages/wire/src/frame.ts"

/** How fast a recording plays (docs/decisions.md 6.1). */
export type Timing = "instant" | "paced" | "wallclock"

const FRAME_MS = 40

/** Lateness beyond this is forgiven, ms, so that a process that was suspended doesn't race to catch up. */
const MAX_LAG_MS = 250

export class Pace {
  #dueAt: number | null = null
  #latestTs: number | null = null

  /** Gaps are limited to `idleLimitMs`, then divided by `speed`. */
  constructor(
    private readonly timing: Timing,
    readonly speed: number,
    readonly idleLimitMs: number,
  ) {}

  /** When the latest frame asked for is due; null before the first. */
  get due(): number | null {
    return this.#dueAt
  }

  /** This pace with another speed and limit, from `now` on: what was left of a wait at `heldAt` is still waited. */
  continued(speed: number, idleLimitMs: number, heldAt: number, now: number): Pace {
    const pace = new Pace(this.timing, speed, idleLimitMs)
    const left = Math.max(0, (this.#dueAt ?? heldAt) - heldAt)
    const leftOfGap = left === 0 ? 0 : Math.min(left * this.speed, idleLimitMs)
    pace.#dueAt = now + leftOfGap / speed
    pace.#latestTs = this.#latestTs
    return pace
  }

  /** When the next frame is due. `now` and the result are ms of the same clock. */
  dueAt(frame: Decoded, now: number): number {
    const gap = this.#gap(frame) / this.speed
    const dueAt = this.#dueAt === null ? now : Math.max(this.#dueAt, now - MAX_LAG_MS) + gap
    this.#dueAt = dueAt
    return dueAt
  }

  #gap(frame: Decoded): number {
    if (frame.kind === "blank" || frame.kind === "note") return 0
    if (this.timing === "paced") return FRAME_MS
    if (this.timing === "wallclock" && "ts" in frame && frame.ts !== null) return this.#wallGap(frame.ts)
    return 0
  }

  /** The gap since the latest time. A small step back is no gap; a step back beyond the idle limit restarts there. */
  #wallGap(ts: number): number {
    const gap = ts - (this.#latestTs ?? ts)
    if (gap >= 0 || -gap > this.idleLimitMs) this.#latestTs = ts
    return Math.min(Math.max(gap, 0), this.idleLimitMs)
  }
}
