import { firstIndex } from "../run/model/binary-search.ts"
import { blank, type Line } from "../ui/line.ts"
import { hitsIn, lineText } from "../ui/mark-hits.ts"
import type { LazyBody } from "./lazy-body.ts"
import type { StreamingTail } from "./tail.ts"

/** The line where a match begins: its block, counted from 0, and its row there. */
export interface TranscriptHit {
  readonly place: number
  readonly row: number
}

interface SearchedBlock {
  readonly aside: string
  readonly body: LazyBody
}

/** The transcript as it is searched; the tail counts as the block behind the last. */
export interface SearchedBlocks {
  readonly blocks: readonly SearchedBlock[]
  readonly headRows: (place: number) => number
  readonly tailHead: number
}

/** Lines before those that may change are searched again: a match may continue behind them. */
const AGAIN = 4
/** By how much reading a text is cheaper than making its lines; the cost of searching a line, UTF-16 units. */
const LOOK = 64
const LINE_UNITS = 16

/** Keeps the matches of one text. Blocks are searched part by part, and only those whose text can hold a match. */
export class TranscriptFinder {
  private query = ""
  private words: readonly RegExp[] = []
  /** The matches of a block: the rows found in the first lines of its body. */
  private found = new WeakMap<LazyBody, { readonly rows: number[]; searched: number; isDone: boolean }>()
  /** How many blocks are searched to the end, and the hits above each of them and above the next. */
  private done = 0
  private readonly above = [0]
  private tailVersion = -1
  private searched = 0
  private streamed: readonly number[] = []

  begin(query: string): void {
    if (query === this.query) return
    this.query = query
    // The lines may show the marks of Markdown or JSON otherwise; the words stay.
    this.words = (query.match(/[\p{L}\p{N}]+/gu) ?? []).map(word => new RegExp(word, "iu"))
    this.found = new WeakMap()
    this.done = 0
    this.tailVersion = -1
  }

  /** The first block that is not searched to its end. */
  get next(): number {
    return this.done
  }

  /** Blocks from this index on may be others than before. */
  changedFrom(index: number): void {
    this.done = Math.min(this.done, index)
  }

  /** Goes on in all blocks for about `units` UTF-16 units; false while there is more. */
  searchOn(blocks: readonly SearchedBlock[], units: number): boolean {
    let left = units
    for (let block = blocks[this.done]; block !== undefined; block = blocks[this.done]) {
      left -= this.searchBlock(block, left)
      const found = this.found.get(block.body)
      if (found?.isDone !== true) break
      this.above[this.done + 1] = (this.above[this.done] ?? 0) + found.rows.length
      this.done++
    }
    return this.done === blocks.length
  }

  /** Searches a block as far as `units` go; returns how many it took. */
  searchBlock(block: SearchedBlock, units: number): number {
    let left = units
    while (left > 0 && this.found.get(block.body)?.isDone !== true) left -= this.search(block, left)
    return units - left
  }

  /** Goes on in a block for about `units` UTF-16 units, and makes its lines if need be; returns how many it took. */
  private search({ body, aside }: SearchedBlock, units: number): number {
    const known = this.found.get(body)
    const found = known ?? { rows: [], searched: 0, isDone: false }
    if (known === undefined) {
      this.found.set(body, found)
      found.isDone = !this.words.every(word => word.test(body.text) || word.test(aside))
      return 1 + Math.floor(body.text.length / LOOK)
    }
    if (!body.isMade) return body.make(units)
    const to = Math.min(body.length, found.searched + Math.ceil(units / LINE_UNITS))
    const rows = rowsWith(row => body.line(row), { from: found.searched, to, length: body.length }, this.query)
    for (const row of rows) found.rows.push(row)
    const lines = to - found.searched
    found.searched = to
    found.isDone = to === body.length
    return Math.max(1, lines * LINE_UNITS)
  }

  searchTail(tail: StreamingTail): void {
    if (tail.version !== this.tailVersion) this.searched = 0
    const from = Math.max(0, this.searched - AGAIN)
    const rows = rowsWith(row => tail.bodyAt(row) ?? blank, { from, to: tail.length, length: tail.length }, this.query)
    this.streamed = [...this.streamed.filter(row => row < from), ...rows]
    this.searched = tail.settled
    this.tailVersion = tail.version
  }

  /**
   * The number of hits so far, and of the one that begins in a row, from 1; null where none does. Costs the blocks that
   * are not searched yet.
   */
  countTo(position: TranscriptHit, searched: SearchedBlocks): { readonly nth: number | null; readonly count: number } {
    const nthFrom = (above: number): number | null => {
      const { rows, head } = this.rowsAt(position.place, searched)
      const index = firstFrom(rows, position.row - head)
      return rows[index] === position.row - head ? above + index + 1 : null
    }
    let nth = position.place < this.done ? nthFrom(this.above[position.place] ?? 0) : null
    let count = this.above[this.done] ?? 0
    for (let place = this.done; place <= searched.blocks.length; place++) {
      if (place === position.place) nth = nthFrom(count)
      count += this.rowsAt(place, searched).rows.length
    }
    return { nth, count }
  }

  /** The next hit behind a row of a block, or before it, in the same block; null if there is none. */
  hitIn({ place, row }: TranscriptHit, step: 1 | -1, searched: SearchedBlocks): TranscriptHit | null {
    const { rows, head } = this.rowsAt(place, searched)
    const found = rows[step === 1 ? firstFrom(rows, row - head + 1) : firstFrom(rows, row - head) - 1]
    return found === undefined ? null : { place, row: head + found }
  }

  /** The rows found in a block, below those of its head. */
  private rowsAt(place: number, { blocks, headRows, tailHead }: SearchedBlocks) {
    const block = blocks[place]
    if (block === undefined) return { rows: this.streamed, head: tailHead }
    return { rows: this.found.get(block.body)?.rows ?? NONE, head: headRows(place) }
  }
}

const NONE: readonly number[] = []

function firstFrom(rows: readonly number[], row: number): number {
  return firstIndex(rows.length, index => (rows[index] ?? 0) >= row)
}

interface RowRange {
  readonly from: number
  readonly to: number
  /** How many rows there are: a match may continue behind the range. */
  readonly length: number
}

/** The rows of a range in which a text begins; a line break counts as a space. */
function rowsWith(
  lineAt: (row: number) => Line | undefined,
  { from, to, length }: RowRange,
  query: string,
): readonly number[] {
  const textOf = (row: number): string => {
    const line = lineAt(row)
    return line === undefined ? "" : `${lineText(line)} `
  }
  const after = (index: number, units: number): string => {
    let text = ""
    for (let row = from + index + 1; row < length && text.length < units; row++) text += textOf(row)
    return text
  }
  const lines = { length: Math.max(0, to - from), text: (index: number) => textOf(from + index), after }
  return [...new Set(hitsIn(lines, query).map(hit => from + hit.line))]
}
