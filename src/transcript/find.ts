// Finds a text in the blocks of a transcript, folded or not, and in what streams below them.
import { firstIndex } from "../run/model/binary-search.ts"
import { blank, type Line } from "../ui/line.ts"
import { hitsIn, lineText } from "../ui/mark-hits.ts"
import type { LazyBody } from "./lazy-body.ts"
import type { StreamingTail } from "./tail.ts"

/** A line in which a text begins: its block, counted from 0, and its row there. */
export interface TranscriptHit {
  readonly place: number
  readonly row: number
}

/** The transcript as it is searched, all its lines made; the tail counts as the block behind the last. */
export interface SearchedBlocks {
  readonly blocks: readonly { readonly body: LazyBody }[]
  /** Counts the changes of the blocks. */
  readonly version: number
  readonly headRows: (place: number) => number
  readonly tail: StreamingTail
  readonly tailHead: number
}

/** Lines before those that may change are searched again: a match may continue behind them. */
const AGAIN = 4

/** Keeps the matches of one text: an update searches new lines only. */
export class TranscriptFinder {
  private query = ""
  private version = -1
  private tailVersion = -1
  private searched = 0
  private rows = new WeakMap<LazyBody, readonly number[]>()
  private settled: readonly TranscriptHit[] = []
  private streamed: readonly number[] = []
  private hits: readonly TranscriptHit[] = []

  update(query: string, { blocks, version, headRows, tail, tailHead }: SearchedBlocks): void {
    const isNew = query !== this.query
    if (isNew) this.rows = new WeakMap()
    if (isNew || version !== this.version) {
      this.settled = blocks.flatMap(({ body }, place) =>
        this.rowsOf(body, query).map(row => ({ place, row: headRows(place) + row })),
      )
    }
    if (isNew || tail.version !== this.tailVersion) {
      this.searched = 0
      this.streamed = []
    }
    const from = Math.max(0, this.searched - AGAIN)
    const lines = Array.from({ length: Math.max(0, tail.length - from) }, (_, i) => tail.bodyAt(from + i) ?? blank)
    this.streamed = [...this.streamed.filter(row => row < from), ...rowsWith(lines, query).map(row => from + row)]
    this.searched = tail.settled
    this.query = query
    this.version = version
    this.tailVersion = tail.version
    this.hits = [...this.settled, ...this.streamed.map(row => ({ place: blocks.length, row: tailHead + row }))]
  }

  get count(): number {
    return this.hits.length
  }

  /** The number of the hit that begins in a row, from 1; null where none does. */
  nthAt(position: TranscriptHit): number | null {
    const index = this.firstFrom(position)
    const hit = this.hits[index]
    return hit?.place === position.place && hit.row === position.row ? index + 1 : null
  }

  /** The next hit behind a row, or before it; wraps around. */
  hitFrom({ place, row }: TranscriptHit, step: 1 | -1): TranscriptHit | null {
    const index = step === 1 ? this.firstFrom({ place, row: row + 1 }) : this.firstFrom({ place, row }) - 1
    return this.hits[index] ?? this.hits.at(step === 1 ? 0 : -1) ?? null
  }

  private firstFrom({ place, row }: TranscriptHit): number {
    return firstIndex(this.hits.length, index => {
      const hit = this.hits[index]
      return hit !== undefined && (hit.place > place || (hit.place === place && hit.row >= row))
    })
  }

  private rowsOf(body: LazyBody, query: string): readonly number[] {
    const lines = () => Array.from({ length: body.length }, (_, row) => body.line(row) ?? blank)
    const rows = this.rows.get(body) ?? rowsWith(lines(), query)
    this.rows.set(body, rows)
    return rows
  }
}

/** The lines in which a text begins; a line break counts as a space. */
function rowsWith(lines: readonly Line[], query: string): readonly number[] {
  const textOf = (index: number): string => {
    const line = lines[index]
    return line === undefined ? "" : `${lineText(line)} `
  }
  const after = (line: number, units: number): string => {
    let text = ""
    for (let i = line + 1; i < lines.length && text.length < units; i++) text += textOf(i)
    return text
  }
  return [...new Set(hitsIn({ length: lines.length, text: textOf, after }, query).map(hit => hit.line))]
}
