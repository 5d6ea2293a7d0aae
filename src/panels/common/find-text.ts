// Searches a transcript.
import { keyOf } from "../../keys/key-text.ts"
import type { BlockLayout } from "../../transcript/block-layout.ts"
import { findBlocks } from "../../transcript/block-moves.ts"
import { count, matchWords } from "../../ui/text-width.ts"
import type { Outline, OutlineReading } from "../../view/block-reading.ts"
import type { Direction } from "../../view/intent.ts"
import { both, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { search } from "./keys.ts"
import type { Finder } from "./panel.ts"

/** The transcript in front: how it is read, how it lies, and the plan that changes how it is read. */
interface SearchedTranscript {
  readonly reading: OutlineReading
  readonly outline: Outline | undefined
  change(reading: Partial<OutlineReading>): Plan
}

/** Makes what searches it. */
export function blockFinder(transcriptOf: (state: State, context: ViewContext) => SearchedTranscript): Finder {
  return {
    take: (state, text, context) => planFind(transcriptOf(state, context), text, 1, context.now),
    step(state, step, context) {
      const transcript = transcriptOf(state, context)
      const { find } = transcript.reading
      if (find === null) return notice(`No search yet. ${keyOf(state.view, search)} starts one`, "info", context.now)
      return planFind(transcript, find, step, context.now)
    },
  }
}

/** Goes to the next or previous match; an empty text ends the search. */
function planFind({ reading, outline, change }: SearchedTranscript, find: string, step: Direction, now: number): Plan {
  if (find === "") return change({ find: null })
  const to = outline === undefined ? null : findBlocks(reading, find, step, outline)
  if (to !== null) return change({ ...to, find })
  const isSearching = outline?.isSearching === true
  const words = isSearching ? `Still searching for ${find}. n goes on` : `No match for ${find}`
  return both(change({ find }), notice(words, isSearching ? "info" : "warning", now))
}

/** What is searched for, and which match a line is, for a title; empty without a search. */
export function foundWords(outline: BlockLayout, { find, at }: OutlineReading): string {
  if (find === null) return ""
  const { nth, count: all } = outline.foundAt(find, at === null ? outline.length - 1 : outline.lineOf(at))
  if (all === 0) return ` · /${find} ${outline.isSearching ? "searching…" : "not found"}`
  const more = outline.isSearching ? "…" : ""
  return ` · /${find} ${nth === null ? matchWords(all) : `${count(nth)} of ${count(all)}`}${more}`
}
