// Reads a recording in batches of decoded lines, with their log rows and whether they match a filter.

import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { type Decoded, isFrame } from "../../packages/wire/src/frame.ts"
import { asksFold, asksSpan } from "../query/filter/event-facts.ts"
import type { Filter } from "../query/filter/filter.ts"
import { compile } from "../query/filter/predicate.ts"
import { SHOWN, showTest } from "../query/show-test.ts"
import { fold } from "../run/fold.ts"
import { hasRow } from "../run/log.ts"
import { emptyList, slice } from "../run/model/chunked-list.ts"
import { noPrices, type Prices } from "../run/model/prices.ts"
import { emptyRun, frameNumber, initialRun, type Row, type Run } from "../run/model/run.ts"
import { Collector } from "../transport/collector.ts"
import { decodeLine } from "../transport/message.ts"
import { eventNameOf } from "../transport/plain-line.ts"

export interface FilteredLine {
  /** Without its line end. */
  readonly text: string
  readonly frame: Decoded
  /** Number of the line, from 1. */
  readonly line: number
  /** The file ends with it: it has no line end. */
  readonly last: boolean
  readonly passes: boolean
}

/** The log row of a frame, null if it has none, and the run after its batch. */
interface FrameRow {
  readonly row: Row | null
  readonly run: Run
}

export interface FilteredReaderOptions {
  readonly filter: Filter | null
  /** As in `compile`. */
  readonly zone: number
  /** What tokens cost. */
  readonly prices?: Prices
  /** Called with the share of the file that was read, from 0 to 1. */
  readonly onShare?: (share: number) => void
  /** Called with the number, from 1, of each skipped line. */
  readonly onSkipped?: (line: number) => void
}

/**
 * The lines of a recording, except those of more than 16 MB, in bounded memory; some that don't pass may be left out.
 * Folds if the filter asks it, or from the first line that does not tell by itself. Rejects with a file system error.
 */
export async function* readFiltered(
  path: string,
  options: FilteredReaderOptions,
): AsyncGenerator<readonly FilteredLine[]> {
  const { filter, prices = noPrices, onSkipped, onShare } = options
  const { frame: test, name, row } = await filterTests(path, options)
  const shows = filter === null ? () => true : showTest(filter)
  let rows = filter !== null && asksFold(filter) ? new RowFolder(prices) : null
  const garbage = new Collector()
  let before = 0
  for await (const { lines, remainder, share } of readLines(path)) {
    onShare?.(share)
    garbage.add(lines.reduce((sum, { length }) => sum + length, 0))
    const all = remainder === null || remainder === "" ? lines : [...lines, remainder]
    const read = (line: SourceLine, i: number) => {
      if (typeof line !== "string") onSkipped?.(before + i + 1)
      const named = rows === null ? eventNameOf(line) : null
      if (typeof line !== "string" || (named !== null && name(named) === false)) return []
      if (named !== null && SHOWN.has(named) && !shows(line)) return []
      return [{ text: line, frame: decodeLine(line), line: before + i + 1, last: i === lines.length }]
    }
    let batch = all.flatMap(read)
    const told = rows === null ? batch.map(one => test(one.frame)) : []
    if (told.includes(null)) {
      rows = await foldedTo(path, before, prices)
      batch = all.flatMap(read)
    }
    const made = rows?.add(batch.map(one => one.frame))
    yield batch.map((one, i) => ({ ...one, passes: made ? row(one.frame, made[i] ?? null) : told[i] === true }))
    before += all.length
  }
}

/** The rows of the first lines of a recording, folded. */
async function foldedTo(path: string, count: number, prices: Prices): Promise<RowFolder> {
  const rows = new RowFolder(prices)
  let left = count
  for await (const { lines } of readLines(path)) {
    if (left <= 0) break
    rows.add(lines.slice(0, left).flatMap(line => (typeof line === "string" ? decodeLine(line) : [])))
    left -= lines.length
  }
  return rows
}

/** Whether a frame passes without folding the run; null for an event of which its own frame does not tell. */
export type FrameTest = (frame: Decoded) => boolean | null

interface FilterTests {
  readonly frame: FrameTest
  /** The same for all events of this name. */
  readonly name: (name: string) => boolean | null
  readonly row: (frame: Decoded, made: FrameRow | null) => boolean
}

/** The tests of a filter for the frames of a recording. Rejects with a file system error. */
export async function filterTests(
  path: string,
  { filter, zone }: Pick<FilteredReaderOptions, "filter" | "zone">,
): Promise<FilterTests> {
  if (filter === null) return { frame: () => true, name: () => null, row: () => true }
  const passes = compile(filter, zone)
  const span = asksSpan(filter) ? await readSpan(path) : null
  const early = { ...emptyRun, ...span }
  return {
    frame(frame) {
      if (frame.kind === "event" && hasRow(frame)) return passes.event(early, frame)
      return isFrame(frame) && passes.frame(early, frame)
    },
    name: passes.name,
    row(frame, made) {
      if (made === null || !isFrame(frame)) return false
      const run = span === null ? made.run : { ...made.run, ...span }
      return made.row === null ? passes.frame(run, frame) : passes.row(run, made.row) === true
    },
  }
}

/** The time of a delta, or of another event, as agents write it; a whole line ends with the row. */
const TIMED = /^\{(?:"kind":"event",)?"seq":\d{1,15},"ts":(\d{1,15}),"event":.*\}\r?$/s

/** The first and the last time of a recording, epoch ms. */
async function readSpan(path: string): Promise<Pick<Run, "firstTs" | "lastTs">> {
  let [firstTs, lastTs] = [Infinity, -Infinity]
  for await (const { lines, remainder } of readLines(path)) {
    for (const line of remainder === null ? lines : [...lines, remainder]) {
      const told = typeof line === "string" ? TIMED.exec(line)?.[1] : undefined
      const ts = told === undefined ? timeOf(decodeLine(line)) : Number(told)
      if (ts === null) continue
      firstTs = Math.min(firstTs, ts)
      lastTs = Math.max(lastTs, ts)
    }
  }
  return firstTs > lastTs ? { firstTs: null, lastTs: null } : { firstTs, lastTs }
}

const timeOf = (frame: Decoded): number | null => ("ts" in frame ? frame.ts : null)

/** Number of batches after which session texts are dropped. */
const KEPT_BATCHES = 64

/** The finished part of a session, which no later frame changes. */
const NO_HISTORY = { entries: emptyList, heldUnits: 0, replyFrom: 0, replies: emptyList, stages: emptyList }

/** Folds a recording to get the log row of each frame, which knows its session. */
class RowFolder {
  #run: Run
  #batches = 0

  constructor(prices: Prices) {
    this.#run = initialRun({ prices })
  }

  /** Adds lines. Returns the log row of each; null for a line that is not a frame. */
  add(lines: readonly Decoded[]): readonly (FrameRow | null)[] {
    let number = frameNumber(this.#run)
    const run = fold(this.#run, lines)
    const byFrame = new Map<number, Row>()
    for (const row of slice(run.log.rows, 0, run.log.rows.length)) {
      if (row.what.kind === "event") byFrame.set(row.frame, row)
    }
    this.#run = this.#withoutHistory(run)
    return lines.map(line => (isFrame(line) ? { row: byFrame.get(++number) ?? null, run } : null))
  }

  /** Drops what later frames don't need: rows, and from time to time texts. */
  #withoutHistory(run: Run): Run {
    const rest = { ...run, log: { ...run.log, rows: emptyList, malformed: [] } }
    if (++this.#batches % KEPT_BATCHES !== 0) return rest
    const sessions = run.sessions.map(one => ({ ...one, ...NO_HISTORY }))
    const turnBuffers = run.turnBuffers.map(one => {
      const segments = one.segments && { ...one.segments, parts: emptyList, part: null }
      return { ...one, pieces: emptyList, tail: "", segments }
    })
    return { ...rest, sessions, turnBuffers }
  }
}
