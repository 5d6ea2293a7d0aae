// Puts a tool's result below the call that it answers, so that the two stand and fold as one card.
import type { Passage } from "../run/select/passages.ts"

export interface Carded {
  readonly key: string
  /** The key of the block that it folds with: of a result its call's, of any other its own. */
  readonly card: string
  readonly type: Passage["type"]
  readonly name: string | null
  /** What joins a call and its result, raw; absent where the agent gives none. */
  readonly callId?: string
  readonly turn: number
}

/** The blocks, each result below its call and in the call's turn. One whose call is not known for sure stays where it was told. */
export function paired<Shown extends Carded>(blocks: readonly Shown[]): readonly Shown[] {
  const calls = new Calls<Shown>()
  const results = new Map<string, Shown[]>()
  const stay = blocks.filter(block => {
    if (block.type === "tool-call") calls.take(block)
    const call = block.type === "tool-result" ? calls.answeredBy(block) : null
    if (call === null) return true
    const result = { ...block, card: call.key, turn: call.turn }
    const others = results.get(call.key)
    if (others === undefined) results.set(call.key, [result])
    else others.push(result)
    return false
  })
  return results.size === 0 ? blocks : stay.flatMap(block => [block, ...(results.get(block.key) ?? [])])
}

/** Calls in the order they were told, by their ids, and those of the turn that wait for a result. */
export class Calls<Shown extends Carded> {
  private readonly named = new Map<string, { readonly call: Shown; readonly isOne: boolean }>()
  private readonly open = new Set<Shown>()
  private readonly openByTool = new Map<string, Set<Shown>>()
  private turn = 0

  take(call: Shown): void {
    const { callId } = call
    if (call.turn !== this.turn) this.beginTurn(call.turn)
    if (callId !== undefined) {
      // An id that comes again while its call waits names two calls: neither can be told from the other.
      const before = this.named.get(callId)?.call
      this.named.set(callId, { call, isOne: before === undefined || !this.open.has(before) })
    }
    this.open.add(call)
    const alike = this.openByTool.get(call.name ?? "") ?? new Set()
    this.openByTool.set(call.name ?? "", alike.add(call))
  }

  /** By the id; without one, a turn's only open call of that tool. */
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
