// Matches the rows on disk with the events that arrived, and numbers the rows that did not arrive.
import type { DeltaFrame } from "../../packages/wire/src/frame.ts"
import { contentOf } from "../run/identity/fingerprint.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { type DiskRow, isSameStream, STEP, type Steps } from "./disk-rows.ts"
import type { EarlierRows } from "./earlier-rows.ts"
import type { LiveEpoch, LiveEvent } from "./received-rows.ts"

/** Which parts of the run and the file are joined. */
export interface RowScope {
  /** Both lists are complete. Otherwise they begin in the middle of a run whose beginning is joined already. */
  readonly whole: boolean
  /** The connection is down, so rows after the last event that arrived are added too. */
  readonly ahead: boolean
  /** The rows of the file before those to join; none if these are all or the scope isn't whole. */
  readonly earlier?: EarlierRows
}

/** A row and the number it had on the connection. */
export interface NumberedRow {
  readonly seq: number
  readonly row: DiskRow
}

export interface Aligned {
  readonly begin: number
  /** The first number that the rows may fill: 1, as the hub counts, unless other rows of the epoch come before them. */
  readonly least: number
  /** From a number of the epoch to its position in the file. */
  readonly shift: number
  readonly filled: readonly NumberedRow[]
  /** Rows of the epochs after it of which no event arrived. */
  readonly later: readonly DiskRow[]
  /** True if the rows begin at the epoch's first number or before. */
  readonly reaches: boolean
  /** Numbers that a coalesced delta stands for. */
  readonly explained: ReadonlySet<number>
  readonly approximate: boolean
}

/** Maximum distance between a row's position in the file and on the connection (docs/contract.md section 2). */
const NEAR = 64
/** Rows searched for the parts of a coalesced delta, including rows of other sessions. */
const FAR = 512
/** Events of an epoch that are sampled, and the maximum number of rows with the same content for an event to count. */
const SAMPLE = 1024
const MOST_PLACES = 32

/** The position of each epoch; null if the file has none of its events. */
export function* align(
  epochs: readonly LiveEpoch[],
  rows: readonly DiskRow[],
  scope: RowScope,
): Steps<readonly (Aligned | null)[]> {
  const byContent = yield* groupByContent(rows)
  const before = scope.earlier?.begins ?? []
  const aligned: (Aligned | null)[] = []
  let end = rows.length
  for (const epoch of epochs.toReversed()) {
    const shift =
      shiftOf(epoch, rows.slice(0, end), byContent, before) ?? (scope.ahead ? shiftWithoutEvents(epoch, rows) : null)
    const isLast = end === rows.length
    if (shift === null) {
      aligned.unshift(null)
      continue
    }
    const { distance, guessed } = shift
    const goesOn = !scope.whole && epoch === epochs[0]
    const least = leastOf(epoch, goesOn, scope, (rows[0]?.place ?? 0) - distance)
    const bounds = { least, most: isLast && !scope.ahead ? mostOf(epoch) : Infinity }
    const heard = Math.max(1, mostOf(epoch)) + distance
    let over = firstIndex(end, index => (rows[index]?.place ?? 0) > heard)
    while (over < end && !beginsAnew(rows[over])) over++
    const one = yield* new Alignment(epoch.events, rows, distance, over).done(bounds, guessed)
    aligned.unshift({ ...one, later: bounds.most === Infinity ? rows.slice(over, end) : [] })
    end = one.begin
  }
  return aligned
}

function* groupByContent(rows: readonly DiskRow[]): Steps<RowsByContent> {
  const byContent = new Map<number, DiskRow[]>()
  for (const [index, row] of rows.entries()) {
    if (index % STEP === 0) yield
    const same = byContent.get(row.content)
    if (same === undefined) byContent.set(row.content, [row])
    else same.push(row)
  }
  return byContent
}

/** The hub counts from 1, unless an epoch `goesOn`. The first row of a file's end has number `firstOfRows`. */
function leastOf({ events }: LiveEpoch, goesOn: boolean, scope: RowScope, firstOfRows: number): number {
  const first = events[0]?.seq ?? (scope.earlier === undefined ? 1 : Infinity)
  if (goesOn) return first
  return Math.min(scope.earlier === undefined ? 1 : Math.max(1, firstOfRows), first)
}

/** A row that is written twice begins nothing. */
function beginsAnew(row: DiskRow | undefined): boolean {
  return row?.begins === true && row.number <= 1
}

function mostOf({ events }: LiveEpoch): number {
  return events.at(-1)?.seq ?? 0
}

/** If no event arrived, numbers begin with the latest epoch in the file. */
function shiftWithoutEvents({ events }: LiveEpoch, rows: readonly DiskRow[]): Shift | null {
  const begins = rows.findLast(row => row.begins)
  return events.length > 0 || begins === undefined ? null : { distance: begins.place - 1, guessed: false }
}

interface Shift {
  readonly distance: number
  readonly guessed: boolean
}

type RowsByContent = ReadonlyMap<number, readonly DiskRow[]>

/**
 * The shift from a number on the connection to a position in the file: the one that most events suggest, each by the
 * rows with its content. Of several equal ones, prefer one that makes an epoch of the file, or one that began at a
 * position `before` the rows, begin with number 1.
 */
function shiftOf(
  epoch: LiveEpoch,
  rows: readonly DiskRow[],
  byContent: RowsByContent,
  before: readonly number[],
): Shift | null {
  const least = rows[0]?.place ?? 0
  const most = rows.at(-1)?.place ?? -1
  const votes = new Map<number, number>()
  const half = SAMPLE / 2
  const { events } = epoch
  const sample = events.length <= SAMPLE ? events : [...events.slice(0, half), ...events.slice(-half)]
  const whole = sample.filter(({ frame }) => frame.kind !== "delta" || frame.coalesced === 1)
  const known = whole.map(event => ({ event, found: byContent.get(contentOf(event.frame)) ?? [] }))
  const rare = known.filter(({ found }) => found.length > 0 && found.length <= MOST_PLACES)
  // If every content is frequent, a few events must do.
  for (const { event, found } of rare.length > 0 ? rare : known.slice(0, MOST_PLACES)) {
    for (const { place } of found) {
      if (place < least || place > most) continue
      votes.set(place - event.seq, (votes.get(place - event.seq) ?? 0) + 1)
    }
  }
  if (votes.size === 0) return null
  const best = Math.max(...votes.values())
  const equal = [...votes].filter(([, count]) => count === best).map(([shift]) => shift)
  const begins = [...before, ...rows.flatMap(row => (row.begins ? [row.place] : []))]
  const epochShifts = begins.map(place => place - 1)
  const distance = epochShifts.findLast(one => equal.includes(one)) ?? Math.max(...equal)
  const voters = rare.length > 0 ? rare.length : known.length
  return { distance, guessed: (equal.length > 1 && !epochShifts.includes(distance)) || best * 2 < voters }
}

/** Aligns one epoch with the rows up to `end`. */
class Alignment {
  readonly #claimed = new Set<number>()
  readonly #present = new Set<number>()
  readonly #explained = new Set<number>()
  #approximate = false

  constructor(
    private readonly events: LiveEpoch["events"],
    private readonly rows: readonly DiskRow[],
    private readonly shift: number,
    private readonly end: number,
  ) {}

  *done(
    { least, most }: { readonly least: number; readonly most: number },
    guessed: boolean,
  ): Steps<Omit<Aligned, "later">> {
    const { events } = this
    for (const event of events) this.#present.add(event.seq)
    const displaced: LiveEvent[] = []
    for (const [index, event] of events.entries()) {
      if (index % STEP === 0) yield
      if (!isCoalesced(event) && !this.#claim(event, this.#indexOf(event.seq))) displaced.push(event)
    }
    for (const event of displaced) {
      yield
      this.#claimNear(event)
    }
    for (const event of events) {
      if (!isCoalesced(event)) continue
      yield
      this.#claimParts(event.seq, event.frame)
    }
    const begin = this.#firstFrom(least + this.shift)
    const filled = yield* this.#fill(begin, least, most)
    const approximate = guessed || this.#approximate
    const reaches = (this.rows[0]?.place ?? Infinity) <= least + this.shift
    return { begin, least, shift: this.shift, reaches, filled, explained: this.#explained, approximate }
  }

  /** Gives each unmatched row the number at its position, else the nearest missing one. */
  *#fill(begin: number, least: number, most: number): Steps<readonly NumberedRow[]> {
    const filled: NumberedRow[] = []
    const taken = new Set<number>()
    const isFree = (seq: number) =>
      seq >= least && seq <= most && !this.#present.has(seq) && !this.#explained.has(seq) && !taken.has(seq)
    const left: NumberedRow[] = []
    for (let index = begin; index < this.end; index++) {
      if (index % STEP === 0) yield
      const row = this.rows[index]
      if (row === undefined || this.#claimed.has(index)) continue
      const seq = row.place - this.shift
      if (seq > most) break
      if (!isFree(seq)) left.push({ seq, row })
      else {
        taken.add(seq)
        filled.push({ seq, row })
      }
    }
    for (const { seq, row } of left) {
      const near = nearest(seq, isFree)
      // A row that differs from its event, or that is one too many, has no number.
      if (near === null) continue
      this.#approximate = true
      taken.add(near)
      filled.push({ seq: near, row })
    }
    return filled
  }

  /** Claims the row at `index` for an event if their content is the same and the row is free. */
  #claim({ frame }: LiveEvent, index: number | null): boolean {
    const row = index === null ? undefined : this.rows[index]
    if (index === null || row === undefined || this.#claimed.has(index)) return false
    if (row.content !== contentOf(frame)) return false
    this.#claimed.add(index)
    return true
  }

  /** Claims a nearby row for an event whose position holds another row. None if the file ends before it. */
  #claimNear(event: LiveEvent): void {
    if (this.#indexOf(event.seq) === null) return
    for (let distance = 1; distance <= NEAR; distance++) {
      if (this.#claim(event, this.#indexOf(event.seq - distance))) return
      if (this.#claim(event, this.#indexOf(event.seq + distance))) return
    }
  }

  /** Claims the rows that a coalesced delta stands for: the last ones of its session that make up its text. */
  #claimParts(seq: number, frame: DeltaFrame): void {
    const indexes: number[] = []
    let rest = frame.text
    const last = this.#indexOf(seq)
    for (let index = last ?? -1; index >= 0 && index > (last ?? 0) - FAR - frame.coalesced; index--) {
      if (indexes.length === frame.coalesced) break
      const row = this.rows[index]?.frame
      if (row?.kind !== "delta" || this.#claimed.has(index) || !isSameStream(row, frame)) continue
      if (!rest.endsWith(row.text)) break
      rest = rest.slice(0, rest.length - row.text.length)
      indexes.push(index)
    }
    const isWhole = indexes.length === frame.coalesced && rest === ""
    if (!isWhole && last !== null) this.#approximate = true
    if (isWhole) for (const index of indexes) this.#explain((this.rows[index]?.place ?? 0) - this.shift, index)
    // If its parts are not on disk, it stands for the numbers just before its own.
    else
      for (let before = 0; before < frame.coalesced; before++) this.#explain(seq - before, this.#indexOf(seq - before))
  }

  #explain(seq: number, index: number | null): void {
    this.#explained.add(seq)
    if (index !== null) this.#claimed.add(index)
  }

  /** Index of the row at this number's position; null if there is none. */
  #indexOf(seq: number): number | null {
    const place = seq + this.shift
    const index = this.#firstFrom(place)
    return index < this.end && this.rows[index]?.place === place ? index : null
  }

  /** Index of the first row at or after this position. */
  #firstFrom(place: number): number {
    return firstIndex(this.end, index => (this.rows[index]?.place ?? 0) >= place)
  }
}

function isCoalesced(event: LiveEvent): event is LiveEvent & { readonly frame: DeltaFrame } {
  return event.frame.kind === "delta" && event.frame.coalesced > 1
}

function nearest(seq: number, isFree: (seq: number) => boolean): number | null {
  for (let distance = 1; distance <= NEAR; distance++) {
    if (isFree(seq - distance)) return seq - distance
    if (isFree(seq + distance)) return seq + distance
  }
  return null
}
