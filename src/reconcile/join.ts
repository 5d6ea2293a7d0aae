import { rowCountOf } from "../run/fold-note.ts"
import { type Aligned, align, type NumberedRow, type RowScope } from "./align.ts"
import { type DecodedLine, type DiskRow, diskRows, isNumbered, RowCounter, STEP, type Steps } from "./disk-rows.ts"
import { diskNote, type Lead, renumbered } from "./earlier-rows.ts"
import { isAttachment, type LiveEpoch, type LiveEvent, liveEpochs } from "./received-rows.ts"

export interface Joined {
  /** All lines of the run: those of `live`, rows from disk, and a note before each group of rows. */
  readonly lines: readonly string[]
  /** Number of lines at the beginning that have not changed. */
  readonly kept: number
  /** The rows reach back as far as the lines. */
  readonly reaches: boolean
  /** The rows don't contain the latest epoch yet, so the end of the one before is unknown. */
  readonly lags: boolean
  /** What the earlier rows of the file are written by, before the lines; null if the scope has none, or no position. */
  readonly lead: Lead | null
}

/**
 * Fills in the rows that the connection lost. The hub and the file number and time their rows differently
 * (docs/contract.md section 2), so rows are matched by (event, data). An event that arrived stays as it arrived; so
 * does a coalesced delta, whose parts on disk are left out. While the connection is up, rows after the last event that
 * arrived are left to it. `live` are the lines of the run from its beginning, including rows of an earlier join. `rows`
 * are those of the file, without an incomplete last line.
 */
export function* join(live: readonly DecodedLine[], rows: readonly DecodedLine[], scope: RowScope): Steps<Joined> {
  const disk = yield* diskRows(rows, scope.earlier?.counter ?? new RowCounter())
  const epochs = yield* liveEpochs(withoutFilled(live))
  const writer = new Writer()
  const aligned = yield* align(epochs, disk, scope)
  const first = aligned.find(one => one !== null)
  // If the file has none of the events, the position of its rows is unknown.
  const before = scope.whole ? disk.slice(0, first?.begin ?? 0) : []
  if (scope.earlier === undefined) writer.earlier(before)
  else for (const row of before) scope.earlier.count(row)
  const isPlaced = aligned.every(one => one !== null)
  const leads = scope.earlier !== undefined && isPlaced && first !== undefined
  for (const [index, epoch] of epochs.entries()) {
    const one = aligned[index] ?? null
    const continues = leads && one === first && scope.earlier.groups(one).some(({ earlier }) => earlier === 0)
    if (one === null) writer.unaligned(epoch)
    else yield* writer.epoch(epoch, one, continues)
  }
  const { lines } = writer
  let kept = 0
  while (kept < live.length && lines[kept] === live[kept]?.text) kept++
  const reaches = aligned[0]?.reaches ?? false
  const lags = (epochs.at(-1)?.events.length ?? 0) > 0 && aligned.at(-1) === null
  return { lines, kept, reaches, lags, lead: leads ? leadOf(first, writer.next) : null }
}

/** Only what is needed later: the rows are not. */
function leadOf({ shift, least, approximate }: Aligned, next: Lead["next"]): Lead {
  return { shift, least, approximate, next }
}

class Writer {
  readonly lines: string[] = []
  /** The rows that continue those before the lines. */
  next = { rows: 0, absent: 0 }
  /** The last rows are of an epoch of which nothing arrived. */
  #isElsewhere = false

  add(lines: readonly DecodedLine[]): void {
    for (const { text } of lines) this.lines.push(text)
  }

  /** Writes epochs that only the file has: each is an epoch of its own, with the file's numbers. */
  earlier(rows: readonly DiskRow[]): void {
    const epochs = epochsOf(rows)
    for (const [i, epoch] of epochs.entries()) {
      this.#addFilled(withOwnNumbers(epoch), { absent: 0, guessed: false, earlier: epochs.length - i })
      this.lines.push(diskNote(epoch.at(-1)?.frame.ts ?? null, { epoch: true }))
    }
  }

  /** Writes epochs that only the file has, after one that arrived. */
  #later(rows: readonly DiskRow[]): void {
    for (const epoch of epochsOf(rows)) {
      this.lines.push(diskNote(epoch[0]?.frame.ts ?? null, { epoch: true }))
      this.#addFilled(withOwnNumbers(epoch), { absent: 0, guessed: false })
    }
    this.#isElsewhere = rows.length > 0
  }

  /** Writes an epoch that arrived. If it `continues` earlier rows, their note speaks for its first rows too. */
  *epoch(epoch: LiveEpoch, aligned: Aligned, continues: boolean): Steps<void> {
    const cells: Cell[] = [
      ...epoch.events.map(event => ({ seq: event.seq, event, row: null })),
      ...aligned.filled.map(({ seq, row }) => ({ seq, event: null, row })),
    ].toSorted((one, other) => one.seq - other.seq)
    let waiting: readonly DecodedLine[] = epoch.attached
    let rows: NumberedRow[] = []
    let missing = 0
    let isFirst = continues
    let last = aligned.least - 1
    this.#begin(epoch)
    for (const [index, { seq, event, row }] of cells.entries()) {
      if (index % STEP === 0) yield
      missing += missingBetween(last, seq, aligned.explained)
      last = seq
      if (event === null) {
        rows.push({ seq, row })
        continue
      }
      this.#addFilled(rows, { absent: missing, guessed: aligned.approximate, continues: isFirst })
      this.add(waiting)
      isFirst = false
      const older = olderCount(event)
      this.add([event.line, ...event.after, ...event.attached.slice(0, older)])
      waiting = event.attached.slice(older)
      rows = []
      missing = 0
    }
    this.#addFilled(rows, { absent: missing, guessed: aligned.approximate, continues: isFirst })
    this.#later(aligned.later)
    this.add(waiting)
  }

  #begin({ before }: LiveEpoch): void {
    if (this.#isElsewhere) this.lines.push(diskNote(null, { epoch: true }))
    this.#isElsewhere = false
    this.add(before)
  }

  unaligned(epoch: LiveEpoch): void {
    this.#begin(epoch)
    this.add(epoch.attached)
    for (const { line, after, attached } of epoch.events) this.add([line, ...after, ...attached])
  }

  #addFilled(rows: readonly NumberedRow[], { absent, guessed, earlier, continues = false }: FillInfo): void {
    if (rows.length + absent === 0) return
    const at = rows[0]?.row.frame.ts ?? null
    const said = { absent, approximate: guessed, earlier }
    const what = { rows: rows.length, ...(continues ? { continues } : said) }
    if (continues) this.next = { rows: rows.length, absent }
    this.lines.push(diskNote(at, what))
    for (const { row, seq } of rows) this.lines.push(renumbered(row.line.text, seq))
  }
}

function epochsOf(rows: readonly DiskRow[]): readonly (readonly DiskRow[])[] {
  const begins = rows.flatMap((row, index) => (index === 0 || row.begins ? [index] : []))
  return begins.map((from, i) => rows.slice(from, begins[i + 1] ?? rows.length))
}

function withOwnNumbers(rows: readonly DiskRow[]): readonly NumberedRow[] {
  return rows.map(row => ({ row, seq: row.number }))
}

/** What a note says about the rows that follow it. */
interface FillInfo {
  readonly absent: number
  readonly guessed: boolean
  /** For an epoch that only the disk has: the number of such epochs from this one on, all before those that arrived. */
  readonly earlier?: number
  /** The note of the rows before them says all of it. */
  readonly continues?: boolean
}

type Cell =
  | { readonly seq: number; readonly event: LiveEvent; readonly row: null }
  | (NumberedRow & { readonly event: null })

/** How many lines since an attachment precede the rows that were lost after the event. */
function olderCount({ seq, attached }: LiveEvent): number {
  const repeated = attached.findLastIndex(({ frame }) => isNumbered(frame) && frame.seq === seq)
  const next = attached.findIndex((line, index) => index > repeated && isAttachment(line))
  return next < 0 ? attached.length : next
}

/** How many numbers between the two never arrived, without those that a coalesced delta stands for. */
function missingBetween(low: number, high: number, explained: ReadonlySet<number>): number {
  let missing = Math.max(0, high - low - 1)
  if (explained.size === 0) return missing
  for (let seq = low + 1; seq < high; seq++) if (explained.has(seq)) missing--
  return missing
}

/** The lines without rows of an earlier join, which are found again. */
function withoutFilled(lines: readonly DecodedLine[]): readonly DecodedLine[] {
  const own: DecodedLine[] = []
  let fills = 0
  for (const line of lines) {
    if (line.frame.kind === "note" && line.frame.what === "disk") fills = rowCountOf(line.frame)
    else if (fills > 0) fills--
    else own.push(line)
  }
  return own
}
