// Decides where the reader goes in a session's text, and which blocks are folded.
import { foldBlocks, moveBlocks } from "../../transcript/block-moves.ts"
import type { Fold, Move } from "../../view/intent.ts"
import { change, nothing, type Plan } from "../../view/plan-result.ts"
import { readText } from "../../view/select/asker.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"

export function moveText(state: State, by: Move, context: ViewContext): Plan {
  if (context.text === undefined) return nothing
  const text = readText(state)
  return change({
    text: { ...text, ...moveBlocks(text, by, context.text) },
    ...(by.unit === "follow" ? {} : { pinned: true }),
  })
}

/** Folds what is read: a call with its result, what was thought. */
export function foldText(state: State, to: Fold, context: ViewContext): Plan {
  if (context.text === undefined) return nothing
  const text = readText(state)
  return change({ text: { ...text, ...foldBlocks(text, to, context.text) }, pinned: true })
}
