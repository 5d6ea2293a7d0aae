import { noMarkers, type TimelineMarkers } from "../query/timeline-markers.ts"
import type { Run } from "../run/model/run.ts"

export interface ShownTime {
  readonly playing: boolean
  /** How many times faster than it was; Infinity while a recording is played at once up to where it stops. */
  readonly speed: number
  /** Ms to which longer gaps are shortened. */
  readonly idleLimitMs: number
  readonly loop: boolean
  /** Moments that stand out in everything received. */
  readonly marks: TimelineMarkers
  /** How much of a recording was read, from 0 to 1. */
  readonly read: number
  /** A moment is sought that takes a while to find. The search ends once this is false. */
  readonly seeking: boolean
}

export interface Time extends ShownTime {
  /** Everything received so far, while an earlier moment of it is shown; null while the present is shown. */
  readonly present: Run | null
}

/** Speeds that `<` and `>` go through. */
export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64]

export const presentOnly: Time = {
  present: null,
  playing: false,
  speed: 1,
  idleLimitMs: 2000,
  loop: false,
  marks: noMarkers,
  read: 1,
  seeking: false,
}
