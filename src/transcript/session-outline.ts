// The transcript of a session: turns with their blocks, in full where a capture has them.
import { sessionById, turnNumber } from "../run/identity/find-by-id.ts"
import { isTruncatedReply } from "../run/log.ts"
import { firstIndex } from "../run/model/binary-search.ts"
import { itemAt } from "../run/model/chunked-list.ts"
import { isAfterLast } from "../run/model/id.ts"
import type { Session } from "../run/model/session.ts"
import { type TurnFacts, turnFacts } from "../run/select/turn-facts.ts"
import type { TextSize } from "../ui/layout.ts"
import type { ColorToken, Line, RenderContext } from "../ui/line.ts"
import { type Anchor, HEADING, type Outline, type OutlineReading, turnOfAnchor } from "../view/block-reading.ts"
import type { State } from "../view/state.ts"
import { BlockLayout } from "./block-layout.ts"
import { type BlockHeading, headLine } from "./passage-blocks.ts"
import type { SessionBlock, Shape } from "./session-block.ts"
import { turnLine } from "./turn-heading.ts"

export class SessionOutline extends BlockLayout implements Outline {
  private session: Session | undefined
  private tailTurn = 0

  update(
    state: Pick<State, "run" | "captures">,
    reading: OutlineReading,
    size: TextSize,
    context: RenderContext,
  ): void {
    this.session = sessionById(state.run, reading.session)
    this.tailTurn = this.session?.turns ?? 0
    this.refresh(state, reading, size, context)
  }

  /** Stays within a block that has fewer lines now. */
  override lineOf(anchor: Anchor): number {
    const id = turnOfAnchor(anchor)
    if (id !== null) {
      const turn = this.session === undefined ? 0 : turnNumber(this.session, id)
      const start = this.starts[firstIndex(this.blocks.length, place => (this.blocks[place]?.turn ?? turn) >= turn)]
      return start ?? Math.min(Math.max(0, this.length - 1), this.settled)
    }
    const place = this.placeOf(anchor.block)
    if (anchor.row === HEADING && place < this.blocks.length) return this.headingOf(place)
    const line = super.lineOf(anchor)
    return place === this.blocks.length || isAfterLast(anchor.block) ? line : Math.min(line, this.endOf(place))
  }

  turnAt(line: number): number {
    if (line >= this.settled && this.tailLength > 0) return this.tailTurn
    return this.blocks[this.positionOf(Math.min(line, this.settled - 1)).place]?.turn ?? 0
  }

  turnFrom(line: number, step: 1 | -1): number | null {
    const begins = this.starts.filter((_, place) => this.opensTurn(place))
    if (this.tailLength > 0 && this.tailHead > 0) begins.push(this.settled)
    return nextFrom(begins, line, step)
  }

  /** Errors, and the headings of turns whose reply was refused or truncated. */
  errorFrom(line: number, step: 1 | -1): number | null {
    const begins = this.blocks.flatMap(({ token, turn }, place) => {
      const start = this.starts[place] ?? 0
      const isHeading = this.opensTurn(place) && isTruncatedReply(this.factsOf(turn)?.stopReason ?? null)
      return [...(isHeading ? [start] : []), ...(token === "error" ? [this.headingOf(place)] : [])]
    })
    return nextFrom(begins, line, step)
  }

  /** The colour of the bar before a heading: the session's hue, red for an error; null is the tail. */
  protected barOf(block: SessionBlock | null): ColorToken {
    const result = block === null ? null : this.list.resultOf(this.placeOf(block.key))
    if (block?.token === "error" || result?.token === "error") return "error"
    const isAside = block !== null && ["system", "user", "note", "tool-result"].includes(block.type)
    return isAside ? "dim" : `hue${itemAt(this.run.sessions, this.shape?.session)?.invocation ?? 0}`
  }

  /** The first block of a turn has the heading of the turn above its own; a result has that of its call. */
  protected headRows(place: number): number {
    const block = this.blocks[place]
    const isBare = block?.type === "text" && this.list.isBelowCall(place) && !this.isShut(place)
    const own = isBare || (block !== undefined && block.card !== block.key) ? 0 : 1
    return this.opensTurn(place) ? own + 1 : own
  }

  /** The line of the heading of the block at this place: of a result that of its call. */
  private headingOf(place: number): number {
    const call = this.placeOf(this.blocks[place]?.card ?? "")
    return (this.starts[call] ?? 0) + Math.max(0, this.headRows(call) - 1)
  }

  protected headLine(block: SessionBlock, place: number, row: number, { columns, glyphs }: Shape): Line {
    if (row === 0 && this.opensTurn(place)) return turnLine(block.turn, this.factsOf(block.turn), columns)
    const result = this.list.resultOf(place)
    const hidden = this.isShut(place) ? block.body : null
    return headLine(block, { hidden, result, bar: this.barOf(block), columns, glyphs })
  }

  protected tailHeadRows(): number {
    return this.tailTurn === (this.blocks.at(-1)?.turn ?? 0) ? 0 : 1
  }

  protected tailTurnLine({ columns }: Shape): Line {
    return turnLine(this.tailTurn, this.factsOf(this.tailTurn), columns)
  }

  protected tailBlockLine(head: BlockHeading, { columns, glyphs }: Shape): Line {
    return headLine(head, { hidden: null, result: null, bar: this.barOf(null), columns, glyphs })
  }

  private factsOf(turn: number): TurnFacts | null {
    return turnFacts(this.run, this.shape?.session ?? -1, turn, this.now)
  }

  private opensTurn(place: number): boolean {
    return place === 0 || this.blocks[place]?.turn !== this.blocks[place - 1]?.turn
  }
}

function nextFrom(lines: readonly number[], line: number, step: 1 | -1): number | null {
  return (step === 1 ? lines.find(one => one > line) : lines.findLast(one => one < line)) ?? null
}
