import type { Passage } from "../run/select/passages.ts"

export interface Carded {
  readonly key: string
  /** The key of the block it folds with: of a result its call's, else its own. */
  readonly card: string
  readonly type: Passage["type"]
  readonly name: string | null
  /** Joins a call and its result, raw; absent where the agent gives none. */
  readonly callId?: string
  readonly turn: number
}

/** Blocks in the order shown. A result whose call is not known for sure stays where it came. */
export class CardList<Shown extends Carded> {
  readonly blocks: Shown[] = []
  private calls = new Calls<Shown>()

  clear(): void {
    this.blocks.length = 0
    this.calls = new Calls()
  }

  /** Returns the index at which the block was put. */
  add(block: Shown): number {
    if (block.type === "tool-call") this.calls.take(block)
    const call = block.type === "tool-result" ? this.calls.answeredBy(block) : null
    if (call === null) return this.blocks.push(block) - 1
    let index = this.blocks.lastIndexOf(call) + 1
    while (this.blocks[index]?.card === call.key) index++
    this.blocks.splice(index, 0, { ...block, card: call.key, turn: call.turn })
    return index
  }
}

/** Calls by their ids, and the calls of the latest turn that have no result yet. */
class Calls<Shown extends Carded> {
  private readonly named = new Map<string, { readonly call: Shown; readonly isOne: boolean }>()
  private readonly open = new Set<Shown>()
  private readonly openByTool = new Map<string, Set<Shown>>()
  private turn = 0

  take(call: Shown): void {
    const { callId } = call
    if (call.turn !== this.turn) this.beginTurn(call.turn)
    if (callId !== undefined) {
      // An id that is used again while its call waits can mean either call.
      const before = this.named.get(callId)?.call
      this.named.set(callId, { call, isOne: before === undefined || !this.open.has(before) })
    }
    this.open.add(call)
    const alike = this.openByTool.get(call.name ?? "") ?? new Set()
    this.openByTool.set(call.name ?? "", alike.add(call))
  }

  /** The call with the result's id; without an id, the turn's only open call of that tool. */
  answeredBy(result: Shown): Shown | null {
    const { callId } = result
    const named = callId === undefined ? undefined : this.named.get(callId)
    if (named !== undefined && !named.isOne) return null
    const call = named?.call ?? this.onlyOpen(result)
    if (call === null) return null
    this.open.delete(call)
    this.openByTool.get(call.name ?? "")?.delete(call)
    return call
  }

  private onlyOpen({ callId, name, turn }: Shown): Shown | null {
    if (turn !== this.turn) return null
    const open = name === null ? this.open : this.openByTool.get(name)
    const [only] = open?.size === 1 ? open : []
    return only === undefined || (callId !== undefined && only.callId !== undefined) ? null : only
  }

  private beginTurn(turn: number): void {
    this.turn = turn
    this.open.clear()
    this.openByTool.clear()
  }
}
