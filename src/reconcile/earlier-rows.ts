// Holds the rows at the end of a long file for a join, and writes those before them without holding them.
import { decode } from "../../packages/wire/src/decode.ts"
import type { Numbered } from "../run/identity/fingerprint.ts"
import { type DecodedLine, isNumbered, RowCounter, type RowPlace } from "./disk-rows.ts"

/** How the earlier rows are numbered, as the join has found. */
export interface Lead {
  /** From a number of the first epoch that arrived to its position in the file. */
  readonly shift: number
  /** The number up to which the earlier rows belong to that epoch. */
  readonly least: number
  /** Some positions are approximate. */
  readonly approximate: boolean
  /** The rows that the join writes right after the earlier ones, and how many of them the file lacks. */
  readonly next: { readonly rows: number; readonly absent: number }
}

/** Rows that are written below one note. */
interface RowGroup {
  readonly rows: number
  /** The number of epochs before those that arrived, from this one on; 0 for the epoch that arrived. */
  readonly earlier: number
}

/** The earlier rows of a file: counted when they are read first, written when they are read again. */
export class EarlierRows {
  readonly counter = new RowCounter()
  /** Rows with consecutive positions. */
  readonly #stretches: { readonly place: number; readonly begins: boolean; rows: number }[] = []

  get isEmpty(): boolean {
    return this.#stretches.length === 0
  }

  get begins(): readonly number[] {
    return this.#stretches.flatMap(({ place, begins }) => (begins ? [place] : []))
  }

  add(frame: Numbered): void {
    this.count(this.counter.next(frame))
  }

  /** Counts a row of the join too: it comes before the rows that the join fills in. */
  count({ place, begins }: RowPlace): void {
    const last = this.#stretches.at(-1)
    if (last !== undefined && !begins && place === last.place + last.rows) last.rows++
    else this.#stretches.push({ place, begins, rows: 1 })
  }

  /** The groups of the rows before the number `least`. */
  groups({ shift, least }: Pick<Lead, "shift" | "least">): readonly RowGroup[] {
    const sizes: number[] = []
    let own = 0
    for (const { place, begins, rows } of this.#stretches) {
      const before = Math.min(rows, Math.max(0, shift + 1 - place))
      if (before > 0 && (begins || sizes.length === 0)) sizes.push(0)
      if (before > 0) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + before
      own += Math.max(0, Math.min(rows, shift + least - place) - before)
    }
    const groups = sizes.map((rows, index) => ({ rows, earlier: sizes.length - index }))
    return own > 0 ? [...groups, { rows: own, earlier: 0 }] : groups
  }
}

/** Writes the earlier rows as lines of the run. Each epoch that only the file has is an epoch of its own. */
export class EarlierRowsWriter {
  readonly #counter = new RowCounter()
  readonly #groups: readonly RowGroup[]
  #group = 0
  /** The rows of the group that were written. */
  #written = 0

  constructor(
    rows: EarlierRows,
    private readonly lead: Lead,
  ) {
    this.#groups = rows.groups(lead)
  }

  /** True once all earlier rows were written. */
  get isDone(): boolean {
    return this.#groups[this.#group] === undefined
  }

  lines({ frame, text }: DecodedLine): readonly DecodedLine[] {
    const group = this.#groups[this.#group]
    if (group === undefined || !isNumbered(frame)) return []
    const { place, number } = this.#counter.next(frame)
    const { shift } = this.lead
    const lines: DecodedLine[] = []
    const isOwn = group.earlier === 0
    if (this.#written === 0) lines.push(decoded(diskNote(frame.ts, this.#noted(group))))
    const seq = isOwn ? place - shift : number
    const row = renumbered(text, seq)
    // A number that was no integer is a fault of the frame.
    const units = frame.kind === "event" ? { units: row.length } : {}
    lines.push(frame.seq === null ? decoded(row) : { text: row, frame: { ...frame, seq, ...units } })
    this.#written++
    if (this.#written < group.rows) return lines
    if (!isOwn) lines.push(decoded(diskNote(frame.ts, { epoch: true })))
    this.#group++
    this.#written = 0
    return lines
  }

  /** What the note before a group says: that of this epoch speaks for the join's next rows too. */
  #noted({ rows, earlier }: RowGroup): object {
    if (earlier > 0) return { rows, absent: 0, approximate: false, earlier }
    const { least, approximate, next } = this.lead
    return { rows, more: next.rows, absent: least - 1 - rows + next.absent, approximate }
  }
}

function decoded(text: string): DecodedLine {
  return { text, frame: decode(text) }
}

/** A note about rows from disk. It is the same however often it is written, so that unchanged lines are recognized. */
export function diskNote(at: number | null, data: object): string {
  return JSON.stringify({ kind: "sidecar", at, what: "disk", ...data })
}

/** The row as the hub would have sent it, except for its time. */
export function renumbered(text: string, seq: number): string {
  return JSON.stringify({ ...JSON.parse(text), kind: "event", seq })
}

/** The last rows of a file whose rows are added in order. */
export class TranscriptTail {
  readonly earlier = new EarlierRows()
  #rows: DecodedLine[] = []
  #units = 0

  /** Holds at least the last `most` UTF-16 units, and at most twice as many; all of them unless `isBounded`. */
  constructor(
    private readonly most: number,
    private readonly isBounded: boolean,
  ) {}

  get rows(): readonly DecodedLine[] {
    return this.#rows
  }

  add(rows: readonly DecodedLine[]): void {
    for (const row of rows) {
      this.#rows.push(row)
      this.#units += row.text.length
    }
    if (this.isBounded && this.#units > 2 * this.most) this.#drop()
  }

  #drop(): void {
    let count = 0
    while (this.#units > this.most) {
      const row = this.#rows[count]
      if (row === undefined) break
      count++
      this.#units -= row.text.length
      if (isNumbered(row.frame)) this.earlier.add(row.frame)
    }
    this.#rows = this.#rows.slice(count)
  }
}
