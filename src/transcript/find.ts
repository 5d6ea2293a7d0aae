// Finds a text in the blocks of a transcript, and in what still streams behind them.

import type { Line } from "../ui/line.ts"
import { lineText } from "../ui/mark-hits.ts"
import type { Shown } from "./outline-blocks.ts"
import type { StreamingTail } from "./tail.ts"

/** A line in which a text begins: of which block, counted from 0, and which row of it. */
export interface TranscriptHit {
  readonly place: number
  readonly row: number
}

/** Lines at the end of what streams that are looked at again: they may change, and a text may go on behind them. */
const AGAIN = 4

/** What was found of one text. An update costs what came since, and where blocks came a look at each. */
export class TranscriptFinder {
  private query = ""
  private blocks: readonly Shown[] = []
  private known = new WeakMap<readonly Line[], readonly number[]>()
  private nth = new Map<string, number>()
  private version = -1
  private seen = 0
  /** In the blocks, and in which lines of the tail. */
  settled: readonly TranscriptHit[] = []
  streamed: readonly number[] = []

  /** `headOf` tells how many rows a block has above its lines. */
  update(query: string, blocks: readonly Shown[], headOf: (place: number) => number, tail: StreamingTail): void {
    const isNew = query !== this.query
    if (isNew) this.known = new WeakMap()
    if (isNew || tail.version !== this.version) {
      this.seen = 0
      this.streamed = []
    }
    this.query = query
    this.version = tail.version
    if (isNew || blocks !== this.blocks) {
      this.blocks = blocks
      this.settled = blocks.flatMap(({ body }, place) =>
        this.rowsIn(body).map(row => ({ place, row: headOf(place) + row })),
      )
      this.nth = new Map(this.settled.map(({ place, row }, i) => [`${place} ${row}`, i + 1]))
    }
    const from = Math.max(0, this.seen - AGAIN)
    const lines = Array.from({ length: Math.max(0, tail.length - from) }, (_, i) => tail.line(from + i, ""))
    const kept = this.streamed.filter(row => row < from)
    this.streamed = lines.length === 0 ? kept : [...kept, ...linesWith(lines, query).map(row => from + row)]
    this.seen = tail.length
  }

  get count(): number {
    return this.settled.length + this.streamed.length
  }

  /** Which of them, from 1, begins in this row of a block; null where none does. */
  nthOf({ place, row }: TranscriptHit): number | null {
    return this.nth.get(`${place} ${row}`) ?? null
  }

  private rowsIn(body: readonly Line[]): readonly number[] {
    const known = this.known.get(body) ?? linesWith(body, this.query)
    this.known.set(body, known)
    return known
  }
}

/** The lines in which `query` begins, in whatever case; where a line breaks stands a space. */
export function linesWith(lines: readonly Line[], query: string): readonly number[] {
  const wanted = query.toLowerCase()
  const found: number[] = []
  let text = ""
  const ends: number[] = []
  for (const one of lines) {
    text += `${lineText(one).toLowerCase()} `
    ends.push(text.length)
  }
  let row = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, ends[row] ?? text.length)) {
    while (at >= (ends[row] ?? Number.POSITIVE_INFINITY)) row++
    found.push(row)
  }
  return found
}
