// Finds which rows of the disk the line has told, and which number each of the others would have had on it.

import type { DeltaFrame } from "../protocol/frame.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { contentOf, type DiskRow, isSameStream, type RowScope } from "./disk-rows.ts"
import type { LiveEpoch, LiveEvent } from "./received-rows.ts"

/** Where an epoch of the line lies on the disk. */
export interface Aligned {
  /** Index of the first row that belongs to it. */
  readonly begin: number
  /** The number it begins with: the hub counts from 1. */
  readonly least: number
  /** The rows that the line did not tell, by the numbers that they had there. */
  readonly filled: readonly { readonly seq: number; readonly row: DiskRow }[]
  /** The rows begin there or before. */
  readonly reaches: boolean
  /** Numbers that a coalesced delta stands for. */
  readonly explained: ReadonlySet<number>
  readonly approximate: boolean
}

/** Rows by which the order of the file may differ from that of the line (docs/contract.md section 2). */
const NEAR = 64
/** Rows looked through for the parts of a coalesced delta, other streams' rows among them. */
const FAR = 512
/** Events of an epoch that are looked up, and places that one content may have so that it counts. */
const SAMPLE = 1024
const MOST_PLACES = 32
const END = Number.POSITIVE_INFINITY

/** For each epoch where it lies, null where the disk knows none of its events. */
export function align(
  epochs: readonly LiveEpoch[],
  rows: readonly DiskRow[],
  scope: RowScope,
): readonly (Aligned | null)[] {
  const places = placesByContent(rows)
  const aligned: (Aligned | null)[] = []
  let end = rows.length
  for (const epoch of epochs.toReversed()) {
    const shift = shiftOf(epoch, rows, places, end) ?? (scope.ahead ? shiftOfNothing(epoch, rows) : null)
    const isLast = end === rows.length
    const bounds = { least: leastOf(epoch, scope), most: isLast && !scope.ahead ? mostOf(epoch) : END }
    const one = shift === null ? null : new Alignment(epoch, rows, shift.by, end).done(bounds, shift.guessed)
    if (one !== null) end = one.begin
    aligned.unshift(one)
  }
  return aligned
}

/** The hub counts from 1. */
function leastOf({ events }: LiveEpoch, scope: RowScope): number {
  const first = events[0]?.seq ?? 1
  return scope.whole ? Math.min(1, first) : first
}

function mostOf({ events }: LiveEpoch): number {
  return events.at(-1)?.seq ?? 0
}

/** Where nothing came by the line, its numbers would begin with the latest epoch of the file. */
function shiftOfNothing({ events }: LiveEpoch, rows: readonly DiskRow[]): Shift | null {
  const begins = rows.findLast(row => row.begins)
  return events.length > 0 || begins === undefined ? null : { by: begins.place - 1, guessed: false }
}

interface Shift {
  readonly by: number
  readonly guessed: boolean
}

type Places = ReadonlyMap<number, readonly number[]>

function placesByContent(rows: readonly DiskRow[]): Places {
  const places = new Map<number, number[]>()
  for (const { content, place } of rows) {
    const known = places.get(content)
    if (known === undefined) places.set(content, [place])
    else known.push(place)
  }
  return places
}

/**
 * What must be added to a number of the line to get its place in the file: what most events say, each by the places
 * where its content stands. Where several are as good, it is one that makes the file begin with number 1.
 */
function shiftOf(epoch: LiveEpoch, rows: readonly DiskRow[], places: Places, end: number): Shift | null {
  const least = rows[0]?.place ?? 0
  const most = rows[end - 1]?.place ?? -1
  const votes = new Map<number, number>()
  const half = SAMPLE / 2
  const { events } = epoch
  const sample = events.length <= SAMPLE ? events : [...events.slice(0, half), ...events.slice(-half)]
  const whole = sample.filter(({ frame }) => frame.kind !== "delta" || frame.coalesced === 1)
  const known = whole.map(event => ({ event, found: places.get(contentOf(event.frame)) ?? [] }))
  const rare = known.filter(({ found }) => found.length > 0 && found.length <= MOST_PLACES)
  // Where everything is said often, a few events must do.
  for (const { event, found } of rare.length > 0 ? rare : known.slice(0, MOST_PLACES)) {
    for (const place of found) {
      if (place < least || place > most) continue
      votes.set(place - event.seq, (votes.get(place - event.seq) ?? 0) + 1)
    }
  }
  if (votes.size === 0) return null
  const best = Math.max(...votes.values())
  const equal = [...votes].filter(([, count]) => count === best).map(([by]) => by)
  const natural = rows
    .slice(0, end)
    .filter(row => row.begins)
    .map(row => row.place - 1)
  const by = natural.findLast(one => equal.includes(one)) ?? Math.max(...equal)
  const voters = rare.length > 0 ? rare.length : known.length
  return { by, guessed: (equal.length > 1 && !natural.includes(by)) || best * 2 < voters }
}

/** One epoch of the line beside the rows up to `end`. */
class Alignment {
  readonly #epoch: LiveEpoch
  readonly #rows: readonly DiskRow[]
  readonly #by: number
  readonly #end: number
  readonly #claimed = new Set<number>()
  readonly #present = new Set<number>()
  readonly #explained = new Set<number>()
  #approximate = false

  constructor(epoch: LiveEpoch, rows: readonly DiskRow[], by: number, end: number) {
    this.#epoch = epoch
    this.#rows = rows
    this.#by = by
    this.#end = end
  }

  done({ least, most }: { readonly least: number; readonly most: number }, guessed: boolean): Aligned {
    const { events } = this.#epoch
    for (const event of events) this.#present.add(event.seq)
    const moved = events.filter(event => !isCoalesced(event) && !this.#claim(event, this.#indexOf(event.seq)))
    for (const event of moved) this.#claimNear(event)
    for (const event of events) if (isCoalesced(event)) this.#claimParts(event.seq, event.frame)
    const begin = this.#firstFrom(least + this.#by)
    const filled = this.#fill(begin, least, most)
    const approximate = guessed || this.#approximate
    const reaches = (this.#rows[0]?.place ?? END) <= least + this.#by
    return { begin, least, reaches, filled, explained: this.#explained, approximate }
  }

  /** Gives each row that is left the number at its place, else the nearest that is missing. */
  #fill(begin: number, least: number, most: number): Aligned["filled"] {
    const filled: { readonly seq: number; readonly row: DiskRow }[] = []
    const taken = new Set<number>()
    const isFree = (seq: number) =>
      seq >= least && seq <= most && !this.#present.has(seq) && !this.#explained.has(seq) && !taken.has(seq)
    const left: { readonly seq: number; readonly row: DiskRow }[] = []
    for (let index = begin; index < this.#end; index++) {
      const row = this.#rows[index]
      if (row === undefined || this.#claimed.has(index)) continue
      const seq = row.place - this.#by
      if (seq > most) break
      if (!isFree(seq)) left.push({ seq, row })
      else {
        taken.add(seq)
        filled.push({ seq, row })
      }
    }
    for (const { seq, row } of left) {
      const near = nearest(seq, isFree)
      // A row that is told and yet not the same, or one too many, has no number to be put at.
      if (near === null) continue
      this.#approximate = true
      taken.add(near)
      filled.push({ seq: near, row })
    }
    return filled
  }

  /** Takes the row at `index` for the event, where it is the same and still free. */
  #claim({ frame }: LiveEvent, index: number | null): boolean {
    const row = index === null ? undefined : this.#rows[index]
    if (index === null || row === undefined || this.#claimed.has(index)) return false
    if (row.content !== contentOf(frame)) return false
    this.#claimed.add(index)
    return true
  }

  /** An event whose place the file has given to another stands near it; one that the file has not yet stands nowhere. */
  #claimNear(event: LiveEvent): void {
    if (this.#indexOf(event.seq) === null) return
    for (let distance = 1; distance <= NEAR; distance++) {
      if (this.#claim(event, this.#indexOf(event.seq - distance))) return
      if (this.#claim(event, this.#indexOf(event.seq + distance))) return
    }
  }

  /** Takes the rows that a coalesced delta stands for: the last of its stream up to its place that make up its text. */
  #claimParts(seq: number, frame: DeltaFrame): void {
    const indexes: number[] = []
    let rest = frame.text
    const last = this.#indexOf(seq)
    for (let index = last ?? -1; index >= 0 && index > (last ?? 0) - FAR - frame.coalesced; index--) {
      if (indexes.length === frame.coalesced) break
      const row = this.#rows[index]?.frame
      if (row?.kind !== "delta" || this.#claimed.has(index) || !isSameStream(row, frame)) continue
      if (!rest.endsWith(row.text)) break
      rest = rest.slice(0, rest.length - row.text.length)
      indexes.push(index)
    }
    const isWhole = indexes.length === frame.coalesced && rest === ""
    if (!isWhole && last !== null) this.#approximate = true
    if (isWhole) for (const index of indexes) this.#explain((this.#rows[index]?.place ?? 0) - this.#by, index)
    // Without its parts on the disk it stands for the numbers next before its own.
    else
      for (let before = 0; before < frame.coalesced; before++) this.#explain(seq - before, this.#indexOf(seq - before))
  }

  #explain(seq: number, index: number | null): void {
    if (!this.#present.has(seq)) this.#explained.add(seq)
    if (index !== null) this.#claimed.add(index)
  }

  /** Index of the row at the place of this number, null where the file has none. */
  #indexOf(seq: number): number | null {
    const place = seq + this.#by
    const index = this.#firstFrom(place)
    return index < this.#end && this.#rows[index]?.place === place ? index : null
  }

  /** Index of the first row at this place or behind it. */
  #firstFrom(place: number): number {
    return firstIndex(this.#end, index => (this.#rows[index]?.place ?? 0) >= place)
  }
}

type CoalescedEvent = LiveEvent & { readonly frame: DeltaFrame }

function isCoalesced(event: LiveEvent): event is CoalescedEvent {
  return event.frame.kind === "delta" && event.frame.coalesced > 1
}

function nearest(seq: number, isFree: (seq: number) => boolean): number | null {
  for (let distance = 1; distance <= NEAR; distance++) {
    if (isFree(seq - distance)) return seq - distance
    if (isFree(seq + distance)) return seq + distance
  }
  return null
}
