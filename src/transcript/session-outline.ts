// A session's transcript as blocks of lines for one width: what was wrapped stays, and an update costs what changed.
import type { ParserName } from "../parse/syntax-rules.ts"
import type { Run } from "../run/model/run.ts"
import { isAtWork } from "../run/select/figures.ts"
import { turnFacts } from "../run/select/turn-facts.ts"
import { blank, clipSpans, type Line, line, span } from "../ui/line.ts"
import { markedLine } from "../ui/mark-hits.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { count } from "../ui/text-width.ts"
import { blockAt, windowTop } from "../ui/window-top.ts"
import { type Anchor, type Folds, isFolded, type Outline, turnOfAnchor } from "../view/block-reading.ts"
import type { State } from "../view/state.ts"
import { TranscriptFinder, type TranscriptHit } from "./find.ts"
import { Blocks, type Shown } from "./outline-blocks.ts"
import { StreamingTail } from "./tail.ts"
import { turnLine } from "./turn-heading.ts"

/** Columns before the lines of a block. */
const INDENT = 2
/** The block of what still streams. */
const TAIL = "tail"

export class SessionOutline implements Outline {
  private session = -1
  private columns = 0
  private strategy: ParserName | null = null
  private folded: Folds | null = null
  private made: Blocks | null = null
  /** Every block, the line at which each begins, and where each stands by its key. */
  private blocks: readonly Shown[] = []
  private starts: readonly number[] = []
  private readonly places = new Map<string, number>()
  private settled = 0
  private readonly tail = new StreamingTail()
  private readonly finder = new TranscriptFinder()
  private query: string | null = null
  private tailHead = 0
  private tailTurn = 0
  private run: Run | null = null
  private look: RenderContext | null = null
  private caret = ""
  readonly folds = true
  rows = 1
  top = 0

  get length(): number {
    return this.settled + this.tailLength
  }

  private get tailLength(): number {
    return this.tail.length === 0 ? 0 : this.tailHead + this.tail.length
  }

  /** Brings the lines up to the state, for a place of so many columns and rows. */
  update(state: State, columns: number, rows: number, look: RenderContext): void {
    const { run, view, captures } = state
    this.run = run
    const { inspector } = view
    this.rows = rows
    this.look = look
    this.query = inspector.find
    const index = inspector.session ?? -1
    const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
    if (session === undefined || stream === undefined) {
      this.reset(-1, columns, run.strategy)
      return
    }
    const isSame = index === this.session && columns === this.columns && run.strategy === this.strategy
    const made = isSame && this.made?.continues(session) ? this.made : this.reset(index, columns, run.strategy)
    if (made.take(session, captures) || this.folded !== inspector.folds) this.place(made, inspector.folds)
    this.tail.update(stream, Math.max(1, columns - INDENT), look)
    this.tailTurn = session.turns
    this.tailHead = session.turns !== (this.blocks.at(-1)?.turn ?? 0) ? 2 : 1
    this.caret = stream.status === "streaming" && isAtWork(run, index) ? look.glyphs.caret : ""
    const cursor = this.cursorOf(inspector.at)
    const first = inspector.first === null ? this.length - rows : this.lineOf(inspector.first)
    this.top = windowTop(Math.max(0, first), cursor, rows, this.length)
  }

  /** The rows to be drawn, the one under the cursor marked; without a cursor the end is followed. */
  window(at: Anchor | null): readonly Line[] {
    const count = Math.max(0, Math.min(this.rows, this.length - this.top))
    return Array.from({ length: count }, (_, i) => {
      const shown = this.line(this.top + i)
      return at !== null && this.top + i === this.cursorOf(at) ? { ...shown, selected: true } : shown
    })
  }

  lineOf(spot: Anchor): number {
    const { block, row } = spot
    if (block === "") return 0
    const last = Math.max(0, this.length - 1)
    const turn = turnOfAnchor(spot)
    if (turn !== null) return this.lineOfTurn(turn) ?? Math.min(last, this.settled)
    if (block === TAIL) return Math.min(last, this.settled + row)
    const place = this.places.get(block)
    if (place === undefined) return last
    const start = this.starts[place] ?? 0
    return Math.min(start + row, (this.starts[place + 1] ?? this.settled) - 1)
  }

  /** Null where no settled block is of that turn or a later one. */
  private lineOfTurn(turn: number): number | null {
    const place = this.blocks.findIndex(block => block.turn >= turn)
    return this.starts[place] ?? null
  }

  spotAt(line: number): Anchor | null {
    if (line < 0 || line >= this.length) return null
    if (line >= this.settled) return { block: TAIL, row: line - this.settled }
    const place = blockAt(this.starts, line)
    const block = this.blocks[place]
    return block === undefined ? null : { block: block.key, row: line - (this.starts[place] ?? 0) }
  }

  cardOf(block: string): string {
    return this.blocks[this.places.get(block) ?? -1]?.card ?? block
  }

  turnAt(line: number): number {
    if (line >= this.settled && this.tailLength > 0) return this.tailTurn
    return this.blocks[blockAt(this.starts, Math.min(line, this.settled - 1))]?.turn ?? 0
  }

  turnFrom(line: number, step: 1 | -1): number | null {
    const begins = this.starts.filter((_, i) => i === 0 || this.blocks[i]?.turn !== this.blocks[i - 1]?.turn)
    if (this.tailLength > 0 && this.tailHead > 1) begins.push(this.settled)
    return (step === 1 ? begins.find(start => start > line) : begins.findLast(start => start < line)) ?? null
  }

  errorFrom(line: number, step: 1 | -1): number | null {
    const begins = this.blocks.flatMap(({ token }, place) => {
      // Above the first block of a turn stands the turn's own line.
      return token === "error" ? [(this.starts[place] ?? 0) + (this.opensTurn(place) ? 1 : 0)] : []
    })
    return (step === 1 ? begins.find(start => start > line) : begins.findLast(start => start < line)) ?? null
  }

  hitFrom(query: string, line: number, step: 1 | -1): Anchor | null {
    this.find(query)
    const last = this.blocks.length
    const { settled, streamed } = this.finder
    const hits = [...settled, ...streamed.map(row => ({ place: last, row: this.tailHead + row }))]
    const from = this.hitAt(line)
    const isLater = (one: TranscriptHit) => one.place - from.place || one.row - from.row
    const next = step > 0 ? hits.find(one => isLater(one) > 0) : hits.findLast(one => isLater(one) < 0)
    const hit = next ?? hits.at(step > 0 ? 0 : -1)
    return hit === undefined ? null : { block: this.blocks[hit.place]?.key ?? TAIL, row: hit.row }
  }

  /** How often a text was found, and which of that stands at a line, from 1; null where none does. */
  foundAt(query: string, line: number): { readonly nth: number | null; readonly count: number } {
    this.find(query)
    const { finder } = this
    const hit = this.hitAt(line)
    const streamed = hit.place < this.blocks.length ? -1 : finder.streamed.indexOf(hit.row - this.tailHead)
    return { nth: streamed < 0 ? finder.nthOf(hit) : finder.settled.length + streamed + 1, count: finder.count }
  }

  private find(query: string): void {
    this.finder.update(query, this.blocks, place => (this.opensTurn(place) ? 2 : 1), this.tail)
  }

  private hitAt(line: number): TranscriptHit {
    if (line >= this.settled) return { place: this.blocks.length, row: line - this.settled }
    const place = blockAt(this.starts, line)
    return { place, row: line - (this.starts[place] ?? 0) }
  }

  private cursorOf(spot: Anchor | null): number {
    return spot === null ? Math.max(0, this.length - 1) : this.lineOf(spot)
  }

  private line(index: number): Line {
    if (index < this.settled) {
      const place = blockAt(this.starts, index)
      const block = this.blocks[place]
      return block === undefined ? blank : this.blockLine(block, place, index - (this.starts[place] ?? 0))
    }
    const row = index - this.settled
    if (row < this.tailHead - 1) return this.turnLine(this.tailTurn)
    if (row < this.tailHead)
      return line(span(`${this.look?.glyphs.unfolded ?? ""} `, "dim"), span("now", "bright", { bold: true }))
    const inner = row - this.tailHead
    const made = this.tail.line(inner, inner === this.tail.length - 1 ? this.caret : "")
    const beside = (at: number) => (at < 0 || at >= this.tail.length ? undefined : this.tail.line(at, ""))
    return this.inner(made, () => [beside(inner - 1), beside(inner + 1)])
  }

  private blockLine(block: Shown, place: number, row: number): Line {
    const opens = this.opensTurn(place)
    if (opens && row === 0) return this.turnLine(block.turn)
    const inner = row - (opens ? 1 : 0)
    if (inner > 0) {
      const body = block.body[inner - 1]
      return body === undefined ? blank : this.inner(body, () => [block.body[inner - 2], block.body[inner]])
    }
    const closed = this.folded !== null && isFolded(this.folded, block.card)
    const { glyphs } = this.look ?? { glyphs: null }
    const size = closed ? `  ${count(block.body.length)} ${block.body.length === 1 ? "line" : "lines"}` : ""
    const spans = [
      span(`${(closed ? glyphs?.folded : glyphs?.unfolded) ?? ""} `, "dim"),
      span(block.label, block.token, { bold: true }),
      span(block.aside === "" ? "" : `  ${block.aside}`, "normal"),
      span(size, "dim"),
    ]
    return { spans: clipSpans(spans, this.columns, glyphs?.ellipsis ?? "") }
  }

  /** A line of a block; what is searched for is marked in it, also where it goes on in the lines beside it. */
  private inner(own: Line, beside: () => readonly [Line | undefined, Line | undefined]): Line {
    const { query } = this
    const { spans } = query === null ? own : markedLine(own, beside(), query)
    return line(span(" ".repeat(INDENT)), ...spans)
  }

  private turnLine(turn: number): Line {
    const { run, look } = this
    const facts = run === null ? null : turnFacts(run, this.session, turn, look?.now ?? 0)
    return turnLine(turn, facts, this.columns)
  }

  private opensTurn(place: number): boolean {
    return place === 0 || this.blocks[place]?.turn !== this.blocks[place - 1]?.turn
  }

  /** Where every block begins: after its text, or what is folded, has changed. */
  private place(made: Blocks, folds: Folds): void {
    this.folded = folds
    this.blocks = made.all()
    this.places.clear()
    let line = 0
    this.starts = this.blocks.map((block, place) => {
      const start = line
      this.places.set(block.key, place)
      // A call and its result stand together.
      const gap = this.blocks[place + 1]?.card === block.key ? 0 : 1
      line += (this.opensTurn(place) ? 1 : 0) + 1 + (isFolded(folds, block.card) ? 0 : block.body.length + gap)
      return start
    })
    this.settled = line
  }

  private reset(session: number, columns: number, strategy: ParserName): Blocks {
    this.session = session
    this.columns = columns
    this.strategy = strategy
    this.folded = null
    this.made = new Blocks(Math.max(1, columns - INDENT), strategy)
    this.blocks = []
    this.starts = []
    this.places.clear()
    this.settled = 0
    this.tail.reset()
    return this.made
  }
}
