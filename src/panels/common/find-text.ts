// Searches a text of blocks: a transcript, or the text of a session.
import type { BlockLayout } from "../../transcript/block-layout.ts"
import { findBlocks } from "../../transcript/block-moves.ts"
import type { SessionBlock } from "../../transcript/session-block.ts"
import { count, matchWords } from "../../ui/text-width.ts"
import type { BlockReading, BlockText } from "../../view/block-reading.ts"
import type { Direction } from "../../view/intent.ts"
import { both, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { Finder } from "./panel.ts"

/** A text of blocks in front: how it is read, how it lies, and the plan that changes how it is read. */
interface SearchedText {
  readonly reading: BlockReading
  readonly blocks: BlockText | undefined
  change(reading: Partial<BlockReading>): Plan
}

/** Makes what searches such a text. */
export function blockFinder(textOf: (state: State, context: ViewContext) => SearchedText): Finder {
  return {
    take: (state, text, context) => planFind(textOf(state, context), text, 1, context.now),
    step(state, step, context) {
      const text = textOf(state, context)
      return planFind(text, text.reading.find, step, context.now)
    },
  }
}

/** Goes to the next or previous match; an empty text ends the search. */
function planFind({ reading, blocks, change }: SearchedText, find: string | null, step: Direction, now: number): Plan {
  if (find === null) return notice("No search yet. / starts one", "info", now)
  if (find === "") return change({ find: null })
  const to = blocks === undefined ? null : findBlocks(reading, find, step, blocks)
  return to === null ? both(change({ find }), notice(`No match for ${find}`, "warning", now)) : change({ ...to, find })
}

/** What is searched for, and which match a line is, for a title; empty without a search. */
export function foundWords(blocks: BlockLayout<SessionBlock>, { find, at }: BlockReading): string {
  if (find === null) return ""
  const { nth, count: all } = blocks.foundAt(find, at === null ? blocks.length - 1 : blocks.lineOf(at))
  if (all === 0) return ` · /${find} not found`
  return ` · /${find} ${nth === null ? matchWords(all) : `${count(nth)} of ${count(all)}`}`
}
