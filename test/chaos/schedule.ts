// Makes a schedule of connection faults from a seed.
import { type Random, randomOf } from "./random.ts"

export type Incident =
  /** The connection ends at any byte of either direction, with or without a TCP close. */
  | { readonly what: "cut"; readonly side: "down" | "up"; readonly bytes: number; readonly reset: boolean }
  /** Both directions stall while the connection is open; held data continues if it still is after `ms`. */
  | { readonly what: "stall"; readonly ms: number }
  /** The connection ends, and for `ms` new ones are dropped, refused with 503, or left without a response. */
  | { readonly what: "refuse"; readonly how: "drop" | "503" | "mute"; readonly ms: number }
  /** For `ms` everything comes `by` ms late, in pieces of so many bytes. */
  | { readonly what: "delay"; readonly ms: number; readonly by: number; readonly piece: number }
  /** The last events are repeated. */
  | { readonly what: "repeat"; readonly count: number }
  | Mangling

/** The next frames are reordered, coalesced if possible, or lost. */
export interface Mangling {
  readonly what: "reorder" | "coalesce" | "drop"
  readonly count: number
}

export interface Step {
  /** Bytes from the agent after which it happens, or so many ms if they do not come. */
  readonly bytes: number
  readonly ms: number
  readonly incident: Incident
}

export function scheduleOf(seed: number): readonly Step[] {
  const random = randomOf(seed)
  return Array.from({ length: random.whole(1, 7) }, () => ({
    bytes: random.pick([random.whole(0, 300), random.whole(0, 8000), random.whole(0, 60_000)]),
    ms: random.whole(5, 150),
    incident: incidentOf(random),
  }))
}

function incidentOf(random: Random): Incident {
  switch (random.pick([0, 0, 1, 2, 3, 4, 5, 5, 5])) {
    case 0:
      return {
        what: "cut",
        side: random.pick(["down", "up"]),
        bytes: random.whole(0, 400),
        reset: random.next() < 0.5,
      }
    case 1:
      return { what: "stall", ms: random.pick([random.whole(1, 100), random.whole(300, 1500)]) }
    case 2:
      return { what: "refuse", how: random.pick(["drop", "503", "mute"]), ms: random.whole(0, 900) }
    case 3:
      return { what: "delay", ms: random.whole(20, 300), by: random.whole(0, 40), piece: random.whole(1, 2000) }
    case 4:
      return { what: "repeat", count: random.whole(1, 300) }
    default:
      return { what: random.pick(["reorder", "coalesce", "drop"]), count: random.whole(1, 40) }
  }
}
