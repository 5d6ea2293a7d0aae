// A session's transcript as blocks of lines for one width: what was wrapped stays, and an update costs what changed.
import type { ParserName } from "../../parse/rules.ts"
import type { Captured, Captures } from "../../store/captures.ts"
import { type Folds, isFolded, type Outline, type Spot, turnOfSpot } from "../../store/outline.ts"
import { passagesOf } from "../../store/passage.ts"
import { isAtWork } from "../../store/read.ts"
import type { Entry, Session } from "../../store/session.ts"
import type { State } from "../../store/state.ts"
import { at } from "../../store/vec.ts"
import { blank, clipSpans, type Line, line, span } from "../line.ts"
import type { Look } from "../look.ts"
import { Tail } from "../text/tail.ts"
import { count } from "../text.ts"
import { windowTop } from "../window.ts"
import { type Carded, paired } from "./card.ts"
import { linesWith } from "./find.ts"
import { type Block, blocksOf } from "./passage.ts"

/** Columns before the lines of a block. */
const INDENT = 2
/** The block of what still streams. */
const TAIL = "tail"

/** Entries that one event made, and the blocks of them. */
interface Group {
  readonly first: number
  readonly entries: Entry[]
  captured: Captured | undefined
  blocks: readonly Shown[]
}

interface Shown extends Block, Carded {
  readonly turn: number
  readonly body: readonly Line[]
}

export class SessionOutline implements Outline {
  private session = -1
  private columns = 0
  private strategy: ParserName | null = null
  private done = 0
  private last: Entry | undefined
  private captures: Captures | null = null
  private folds: Folds | null = null
  private groups: Group[] = []
  /** Every block, the line at which each begins, and where each stands by its key. */
  private blocks: readonly Shown[] = []
  private starts: readonly number[] = []
  private readonly places = new Map<string, number>()
  private settled = 0
  private readonly tail = new Tail()
  private tailHead = 0
  private look: Look | null = null
  private caret = ""
  rows = 1
  top = 0

  get length(): number {
    return this.settled + this.tailLength
  }

  private get tailLength(): number {
    return this.tail.length === 0 ? 0 : this.tailHead + this.tail.length
  }

  /** Brings the lines up to the state, for a place of so many columns and rows. */
  update(state: State, columns: number, rows: number, look: Look): void {
    const { run, view, captures } = state
    const { inspector } = view
    this.rows = rows
    this.look = look
    const index = inspector.session ?? -1
    const [session, stream] = [run.sessions[index], run.streams[index]]
    if (session === undefined || stream === undefined) {
      this.reset(-1, columns, run.strategy)
      return
    }
    const isSame = index === this.session && columns === this.columns && run.strategy === this.strategy
    if (!isSame || !this.continues(session)) this.reset(index, columns, run.strategy)
    const grown = this.takeEntries(session)
    const whole = captures !== this.captures && this.takeCaptures(captures)
    this.captures = captures
    if (grown || whole || this.folds !== inspector.folds) this.place(inspector.folds)
    this.tail.update(stream, Math.max(1, columns - INDENT), look)
    const turn = this.blocks.at(-1)?.turn ?? 0
    this.tailHead = session.turns !== turn ? 2 : 1
    this.caret = stream.status === "streaming" && isAtWork(run, index) ? look.glyphs.caret : ""
    const cursor = this.cursorOf(inspector.at)
    const first = inspector.first === null ? this.length - rows : this.lineOf(inspector.first)
    this.top = windowTop(Math.max(0, first), cursor, rows, this.length)
  }

  /** The rows to be drawn, the one under the cursor marked; without a cursor the end is followed. */
  window(at: Spot | null): readonly Line[] {
    const count = Math.max(0, Math.min(this.rows, this.length - this.top))
    return Array.from({ length: count }, (_, i) => {
      const shown = this.line(this.top + i)
      return at !== null && this.top + i === this.cursorOf(at) ? { ...shown, selected: true } : shown
    })
  }

  lineOf(spot: Spot): number {
    const { block, row } = spot
    if (block === "") return 0
    const last = Math.max(0, this.length - 1)
    const turn = turnOfSpot(spot)
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

  spotAt(line: number): Spot | null {
    if (line < 0 || line >= this.length) return null
    if (line >= this.settled) return { block: TAIL, row: line - this.settled }
    const place = this.placeAt(line)
    const block = this.blocks[place]
    return block === undefined ? null : { block: block.key, row: line - (this.starts[place] ?? 0) }
  }

  cardOf(block: string): string {
    return this.blocks[this.places.get(block) ?? -1]?.card ?? block
  }

  turnAt(line: number): number {
    return this.blocks[this.placeAt(Math.min(line, this.settled - 1))]?.turn ?? 0
  }

  turnFrom(line: number, step: 1 | -1): number | null {
    const begins = this.starts.filter((_, i) => i === 0 || this.blocks[i]?.turn !== this.blocks[i - 1]?.turn)
    if (this.tailLength > 0 && this.tailHead > 1) begins.push(this.settled)
    return (step === 1 ? begins.find(start => start > line) : begins.findLast(start => start < line)) ?? null
  }

  hitFrom(query: string, line: number, step: 1 | -1): Spot | null {
    const from = this.placeAt(Math.min(line, this.settled))
    const fromRow = line - (this.starts[from] ?? 0)
    const hits = this.blocks.flatMap(({ key, body }, place) => {
      const head = this.opensTurn(place) ? 2 : 1
      return linesWith(body, query).map(at => ({ place, block: key, row: head + at }))
    })
    const isLater = (one: (typeof hits)[number]) => one.place - from || one.row - fromRow
    const next = step > 0 ? hits.find(one => isLater(one) > 0) : hits.findLast(one => isLater(one) < 0)
    const { block, row } = next ?? hits.at(step > 0 ? 0 : -1) ?? { block: null, row: 0 }
    return block === null ? null : { block, row }
  }

  private cursorOf(spot: Spot | null): number {
    return spot === null ? Math.max(0, this.length - 1) : this.lineOf(spot)
  }

  private line(index: number): Line {
    if (index < this.settled) {
      const place = this.placeAt(index)
      const block = this.blocks[place]
      return block === undefined ? blank : this.blockLine(block, place, index - (this.starts[place] ?? 0))
    }
    const row = index - this.settled
    if (row < this.tailHead - 1) return this.turnLine((this.blocks.at(-1)?.turn ?? 0) + 1)
    if (row < this.tailHead)
      return line(span(`${this.look?.glyphs.unfolded ?? ""} `, "dim"), span("now", "bright", { bold: true }))
    const inner = row - this.tailHead
    const { spans } = this.tail.line(inner, inner === this.tail.length - 1 ? this.caret : "")
    return line(span(" ".repeat(INDENT)), ...spans)
  }

  private blockLine(block: Shown, place: number, row: number): Line {
    const opens = this.opensTurn(place)
    if (opens && row === 0) return this.turnLine(block.turn)
    const inner = row - (opens ? 1 : 0)
    if (inner > 0) {
      const body = block.body[inner - 1]
      return body === undefined ? blank : line(span(" ".repeat(INDENT)), ...body.spans)
    }
    const closed = this.folds !== null && isFolded(this.folds, block.card)
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

  private turnLine(turn: number): Line {
    const words = turn === 0 ? "before the first turn" : `turn ${turn}`
    return line(span(`── ${words} `.padEnd(this.columns, "─"), "dim"))
  }

  private opensTurn(place: number): boolean {
    return place === 0 || this.blocks[place]?.turn !== this.blocks[place - 1]?.turn
  }

  /** The block that a line belongs to. */
  private placeAt(line: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] ?? 0) <= line) low = middle
      else high = middle - 1
    }
    return low
  }

  private takeEntries(session: Session): boolean {
    const from = this.done
    for (; this.done < session.entries.length; this.done++) {
      const entry = at(session.entries, this.done)
      if (entry === undefined) continue
      const group = this.groups.at(-1)
      const isSame = group !== undefined && entry.ref !== null && group.entries.at(-1)?.ref === entry.ref
      if (isSame) group.entries.push(entry)
      else this.groups.push({ first: this.done, entries: [entry], captured: undefined, blocks: [] })
      const changed = this.groups.at(-1)
      if (changed !== undefined) changed.blocks = []
      this.last = entry
    }
    if (from === this.done) return false
    for (const group of this.groups) if (group.blocks.length === 0) this.build(group, this.captures)
    return true
  }

  private takeCaptures(captures: Captures): boolean {
    let changed = false
    for (const group of this.groups) {
      const ref = group.entries[0]?.ref ?? null
      if (ref === null || captures.get(ref) === group.captured) continue
      this.build(group, captures)
      changed = true
    }
    return changed
  }

  private build(group: Group, captures: Captures | null): void {
    const ref = group.entries[0]?.ref ?? null
    group.captured = ref === null ? undefined : captures?.get(ref)
    const { strategy } = this
    const passages = passagesOf(group.entries, group.captured)
    group.blocks = passages.flatMap((passage, i) =>
      blocksOf(passage, strategy ?? "api_tool_call").map((block, k) => ({
        ...block,
        key: `${group.first}.${i}.${k}`,
        card: `${group.first}.${i}.${k}`,
        type: passage.type,
        name: passage.name,
        ...(passage.callId !== undefined && { callId: passage.callId }),
        turn: passage.turn,
        body: block.lines(Math.max(1, this.columns - INDENT)),
      })),
    )
  }

  /** Where every block begins: after its text, or what is folded, has changed. */
  private place(folds: Folds): void {
    this.folds = folds
    this.blocks = paired(this.groups.flatMap(group => group.blocks))
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

  private continues(session: Session): boolean {
    const { entries } = session
    return entries.length >= this.done && (this.done === 0 || at(entries, this.done - 1) === this.last)
  }

  private reset(session: number, columns: number, strategy: ParserName): void {
    this.session = session
    this.columns = columns
    this.strategy = strategy
    this.done = 0
    this.last = undefined
    this.folds = null
    this.groups = []
    this.blocks = []
    this.starts = []
    this.places.clear()
    this.settled = 0
    this.tail.reset()
  }
}
