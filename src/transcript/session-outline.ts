// The inspector's transcript of a session: turns with their blocks, in full where a capture has them.
import { sessionIndex, turnNumber } from "../run/identity/find-by-id.ts"
import { isTruncatedReply } from "../run/log.ts"
import { isAfterLast } from "../run/model/id.ts"
import type { Session } from "../run/model/session.ts"
import { passagesOf } from "../run/select/passages.ts"
import { type TurnFacts, turnFacts } from "../run/select/turn-facts.ts"
import type { TextSize } from "../ui/layout.ts"
import { clipSpans, type Line, line, type RenderContext, span, wrap } from "../ui/line.ts"
import { count, width } from "../ui/text-width.ts"
import { type Anchor, type Outline, turnOfAnchor } from "../view/block-reading.ts"
import type { State } from "../view/state.ts"
import { BlockLayout } from "./block-layout.ts"
import { type PassageBlock, passageBlocks } from "./passage-blocks.ts"
import { blockKey, type EntryGroup, type SessionBlock, type Shape, sessionBlock } from "./session-block.ts"
import { turnLine } from "./turn-heading.ts"

interface Block extends SessionBlock, Omit<PassageBlock, "lines"> {}

export class SessionOutline extends BlockLayout<Block> implements Outline {
  protected readonly indent = 2
  private session: Session | undefined
  private tailTurn = 0

  override get folds(): boolean {
    return true
  }

  update(state: State, size: TextSize, context: RenderContext): void {
    const { inspector } = state.view
    const session = sessionIndex(state.run, inspector.session)
    this.session = state.run.sessions[session ?? -1]
    this.tailTurn = this.session?.turns ?? 0
    this.refresh(state, { ...inspector, session }, size, context)
  }

  /** Stays within a block that has fewer lines now. */
  override lineOf(anchor: Anchor): number {
    const id = turnOfAnchor(anchor)
    if (id !== null) {
      const turn = this.session === undefined ? 0 : turnNumber(this.session, id)
      const start = this.starts[this.blocks.findIndex(block => block.turn >= turn)]
      return start ?? Math.min(Math.max(0, this.length - 1), this.settled)
    }
    const place = this.placeOf(anchor.block)
    const line = super.lineOf(anchor)
    return place === this.blocks.length || isAfterLast(anchor.block) ? line : Math.min(line, this.endOf(place))
  }

  override cardOf(block: string): string {
    return super.cardOf(block) ?? block
  }

  turnAt(line: number): number {
    if (line >= this.settled && this.tailLength > 0) return this.tailTurn
    return this.blocks[this.positionOf(Math.min(line, this.settled - 1)).place]?.turn ?? 0
  }

  turnFrom(line: number, step: 1 | -1): number | null {
    const begins = this.starts.filter((_, place) => this.opensTurn(place))
    if (this.tailLength > 0 && this.tailHead > 1) begins.push(this.settled)
    return nextFrom(begins, line, step)
  }

  /** Errors, and the headings of turns whose reply was refused or truncated. */
  errorFrom(line: number, step: 1 | -1): number | null {
    const begins = this.blocks.flatMap(({ token, turn }, place) => {
      const start = this.starts[place] ?? 0
      const isHeading = this.opensTurn(place) && isTruncatedReply(this.factsOf(turn)?.stopReason ?? null)
      return [...(isHeading ? [start] : []), ...(token === "error" ? [start + this.headRows(place) - 1] : [])]
    })
    return nextFrom(begins, line, step)
  }

  protected blocksOf({ ids, entries, captured }: EntryGroup, { columns, strategy }: Shape): readonly Block[] {
    return passagesOf(entries, captured).flatMap((passage, i) =>
      passageBlocks(passage, strategy).map(({ lines, ...block }, part) => {
        const room = Math.max(1, columns - this.indent)
        const isClipped = headWidth(block) > columns
        const body = () => [...(isClipped ? asideLines(block.aside, room) : []), ...lines(room)]
        return { ...block, ...sessionBlock(blockKey(ids[0], i, part), passage, true, body) }
      }),
    )
  }

  protected joined(result: Block, { key, turn }: Block): Block {
    return { ...result, card: key, turn }
  }

  /** The first block of a turn has the heading of the turn above its own. */
  protected headRows(place: number): number {
    return this.opensTurn(place) ? 2 : 1
  }

  protected headLine(block: Block, place: number, row: number, { columns, glyphs }: Shape): Line {
    if (row < this.headRows(place) - 1) return turnLine(block.turn, this.factsOf(block.turn), columns)
    const closed = this.isClosed(place)
    const lines = closed ? block.body().length : 0
    const spans = [
      span(`${closed ? glyphs.folded : glyphs.unfolded} `, "dim"),
      span(block.label, block.token, { bold: true }),
      span(block.aside === "" ? "" : `  ${block.aside}`, "normal"),
      span(closed ? `  ${count(lines)} ${lines === 1 ? "line" : "lines"}` : "", "dim"),
    ]
    return { spans: clipSpans(spans, columns, glyphs.ellipsis) }
  }

  protected override innerLine(row: number, lineAt: (row: number) => Line | undefined): Line {
    return line(span(" ".repeat(this.indent)), ...super.innerLine(row, lineAt).spans)
  }

  protected override tailHeadRows(): number {
    return this.tailTurn === (this.blocks.at(-1)?.turn ?? 0) ? 1 : 2
  }

  protected override tailHeadLine(row: number, { columns, glyphs }: Shape): Line {
    if (row < this.tailHead - 1) return turnLine(this.tailTurn, this.factsOf(this.tailTurn), columns)
    return line(span(`${glyphs.unfolded} `, "dim"), span("now", "bright", { bold: true }))
  }

  private factsOf(turn: number): TurnFacts | null {
    return turnFacts(this.run, this.shape?.session ?? -1, turn, this.now)
  }

  private opensTurn(place: number): boolean {
    return place === 0 || this.blocks[place]?.turn !== this.blocks[place - 1]?.turn
  }
}

/** Columns of an unfolded block's heading. */
function headWidth({ label, aside }: Pick<PassageBlock, "label" | "aside">): number {
  return 2 + width(label) + (aside === "" ? 0 : 2 + width(aside))
}

/** What the heading can't hold begins the block. */
function asideLines(aside: string, columns: number): readonly Line[] {
  return wrap(aside, columns).map(one => line(span(one)))
}

function nextFrom(lines: readonly number[], line: number, step: 1 | -1): number | null {
  return (step === 1 ? lines.find(one => one > line) : lines.findLast(one => one < line)) ?? null
}
