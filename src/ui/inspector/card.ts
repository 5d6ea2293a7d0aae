// Puts a tool's call and its result together, so that they stand and fold as one card.
import type { Passage } from "../../store/passage.ts"

export interface Carded {
  readonly key: string
  /** The key of the block that it folds with: of a result the call above it, of any other its own. */
  readonly card: string
  readonly type: Passage["type"]
  readonly name: string | null
  readonly turn: number
}

/**
 * The blocks, a result put together with the call right above it. Of several calls in a row the results may come in any
 * order, so that those stay apart.
 */
export function paired<Shown extends Carded>(blocks: readonly Shown[]): readonly Shown[] {
  return blocks.map((block, i) => {
    const call = blocks[i - 1]
    if (block.type !== "tool-result" || call?.type !== "tool-call" || blocks[i - 2]?.type === "tool-call") return block
    const answers = block.turn === call.turn && (block.name === null || block.name === call.name)
    return answers ? { ...block, card: call.key } : block
  })
}
