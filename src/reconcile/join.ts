// Joins the rows of a transcript on disk to what came by the line: one sequence, in which each event stands once.

import { rowCountOf } from "../run/fold-note.ts"
import { type Aligned, align } from "./align.ts"
import { type DecodedLine, type DiskRow, diskRows, isNumbered, type RowScope } from "./disk-rows.ts"
import { isAttachment, type LiveEpoch, type LiveEvent, liveEpochs } from "./received-rows.ts"

export interface Joined {
  /** All lines of the run, as texts: those of `live`, those that the disk has, and a note before each stretch of these. */
  readonly lines: readonly string[]
  /** How many lines at their beginning are as they were. */
  readonly kept: number
  /** Rows that come from the disk. */
  readonly rows: number
  /** Numbers that are missing and not on the disk either. */
  readonly absent: number
  /** What belongs where is a guess at some place. */
  readonly approximate: boolean
  /** The rows reach back as far as the lines do. */
  readonly reaches: boolean
  /** The rows hold nothing yet of what came last, so that the end of what was before it is not known. */
  readonly lags: boolean
}

/**
 * Puts what the line lost into its place. The hub and the file number and time their rows differently (docs/contract.md section 2), so rows are matched by (event, data); a row on disk that came by the line too stands as it came, and so
 * does a coalesced delta, whose parts on disk are left out. What follows the last event that came is left to a line
 * that is up.
 * `live` are the lines of the run from its beginning, what an earlier join has filled in among them, and `rows` those of
 * the file, its torn end left out.
 */
export function join(live: readonly DecodedLine[], rows: readonly DecodedLine[], scope: RowScope): Joined {
  const disk = diskRows(rows)
  const epochs = liveEpochs(withoutFills(live))
  const writer = new Writer()
  const aligned = align(epochs, disk, scope)
  const first = aligned.find(one => one !== null)
  // Where no event is known on the disk, nothing says where its rows belong.
  if (scope.whole && first !== undefined && first !== null) writer.earlier(disk.slice(0, first.begin))
  epochs.forEach((epoch, index) => {
    const one = aligned[index] ?? null
    if (one === null) writer.asItCame(epoch)
    else writer.epoch(epoch, one)
  })
  const { lines } = writer
  let kept = 0
  while (kept < live.length && lines[kept] === live[kept]?.text) kept++
  const reaches = aligned[0]?.reaches ?? false
  const lags = (epochs.at(-1)?.events.length ?? 0) > 0 && aligned.at(-1) === null
  return { lines, kept, reaches, lags, rows: writer.rows, absent: writer.absent, approximate: writer.approximate }
}

/** Writes the sequence, and counts what the disk gave. */
class Writer {
  readonly lines: string[] = []
  rows = 0
  absent = 0
  approximate = false

  tell(lines: readonly DecodedLine[]): void {
    for (const { text } of lines) this.lines.push(text)
  }

  /** What the file holds of epochs that the line told nothing of: each is one of its own, with the file's numbers. */
  earlier(rows: readonly DiskRow[]): void {
    const begins = rows.flatMap((row, index) => (index === 0 || row.begins ? [index] : []))
    for (const [i, from] of begins.entries()) {
      const to = begins[i + 1] ?? rows.length
      const own = rows.slice(from, to).map(row => ({ row, seq: row.number }))
      this.#stretch(own, { absent: 0, guessed: false, earlier: begins.length - i })
      this.#note(rows[to - 1]?.frame.ts ?? null, { epoch: true })
    }
  }

  epoch(epoch: LiveEpoch, aligned: Aligned): void {
    const cells: Cell[] = [
      ...epoch.events.map(event => ({ seq: event.seq, event, row: null })),
      ...aligned.filled.map(({ seq, row }) => ({ seq, event: null, row })),
    ].toSorted((one, other) => one.seq - other.seq)
    let waiting: readonly DecodedLine[] = epoch.attached
    let stretch: { readonly seq: number; readonly row: DiskRow }[] = []
    let holes = 0
    let last = aligned.least - 1
    this.tell(epoch.before)
    for (const { seq, event, row } of cells) {
      holes += holesBetween(last, seq, aligned.explained)
      last = seq
      if (event === null) {
        stretch.push({ seq, row })
        continue
      }
      this.#stretch(stretch, { absent: holes, guessed: aligned.approximate })
      this.tell(waiting)
      const sure = knownFrom(event)
      this.tell([event.told, ...event.after, ...event.attached.slice(0, sure)])
      waiting = event.attached.slice(sure)
      stretch = []
      holes = 0
    }
    this.#stretch(stretch, { absent: holes, guessed: aligned.approximate })
    this.tell(waiting)
  }

  asItCame(epoch: LiveEpoch): void {
    this.tell([...epoch.before, ...epoch.attached])
    for (const { told, after, attached } of epoch.events) this.tell([told, ...after, ...attached])
  }

  #stretch(rows: readonly { readonly row: DiskRow; readonly seq: number }[], stretch: Stretch): void {
    const { absent, guessed, earlier } = stretch
    if (rows.length + absent === 0) return
    const at = rows[0]?.row.frame.ts ?? null
    this.#note(at, { rows: rows.length, absent, approximate: guessed, ...(earlier !== undefined && { earlier }) })
    for (const { row, seq } of rows) this.lines.push(renumbered(row.told.text, seq))
    this.rows += rows.length
    this.absent += absent
    this.approximate ||= guessed
  }

  /** A note says the same however often its place is joined, so that what is known already is kept. */
  #note(at: number | null, data: object): void {
    this.lines.push(JSON.stringify({ kind: "sidecar", at, what: "disk", ...data }))
  }
}

/** What a note says of the rows that follow it. */
interface Stretch {
  readonly absent: number
  readonly guessed: boolean
  /** Of an epoch that only the disk has: how many such epochs there are from it on, all before what came by the connection. */
  readonly earlier?: number
}

type Cell =
  | { readonly seq: number; readonly event: LiveEvent; readonly row: null }
  | { readonly seq: number; readonly event: null; readonly row: DiskRow }

/**
 * How many of the lines from an attachment on are older than what was lost behind the event: an attachment that repeated
 * it had nothing later to repeat.
 */
function knownFrom({ seq, attached }: LiveEvent): number {
  const repeated = attached.findLastIndex(({ frame }) => isNumbered(frame) && frame.seq === seq)
  const next = attached.findIndex((told, index) => index > repeated && isAttachment(told))
  if (repeated < 0) return 0
  return next < 0 ? attached.length : next
}

/** How many numbers between the two never came, less those that a coalesced delta stands for. */
function holesBetween(low: number, high: number, explained: ReadonlySet<number>): number {
  let holes = Math.max(0, high - low - 1)
  if (explained.size === 0) return holes
  for (let seq = low + 1; seq < high; seq++) if (explained.has(seq)) holes--
  return holes
}

/** The lines without what an earlier join has filled in: all of it is found again. */
function withoutFills(lines: readonly DecodedLine[]): readonly DecodedLine[] {
  const own: DecodedLine[] = []
  let fills = 0
  for (const told of lines) {
    if (told.frame.kind === "note" && told.frame.what === "disk") fills = rowCountOf(told.frame)
    else if (fills > 0) fills--
    else own.push(told)
  }
  return own
}

/** The row as the hub would have sent it, but for its time. */
function renumbered(text: string, seq: number): string {
  return JSON.stringify({ ...JSON.parse(text), kind: "event", seq })
}
