// Parses as a pure step: a state and a chunk give the next state and the chunk's events.

import { FULL_KIT } from "./formats/full-kit.ts"
import type { TagFormats } from "./formats/tag-format.ts"
import { endCopy, fastEvent, feedCopy } from "./machine.ts"
import { beginParse, type ParseState } from "./parser-state.ts"
import type { ParserName } from "./rules.ts"
import type { SegmentEvent } from "./segment.ts"
import { rulesFor } from "./syntax-rules.ts"
import { stateOf, workingCopy } from "./working-copy.ts"

export interface ParseOptions {
  /** The caller's own tags, which count under every strategy. Default none. */
  readonly tags?: TagFormats | undefined
  /** Tags in Markdown code are text (docs/decisions.md 7.11). Default false. */
  readonly safe?: boolean | undefined
}

/** The state before the first chunk, as plain data. Throws if a tag's name cannot be one. */
export function initialParse(strategy: ParserName, options: ParseOptions = {}): ParseState {
  const order = strategy === "api_tool_call" ? [] : [strategy]
  const { tags = {}, safe = false } = options
  return beginParse(rulesFor({ order, tools: true, prefix: "", tags, safe }, FULL_KIT))
}

/** The state after `chunk` and the chunk's events. `state` is unchanged and can be continued again. */
export function stepParse(state: ParseState, chunk: string): { state: ParseState; events: SegmentEvent[] } {
  const copy = workingCopy(state, FULL_KIT)
  const event = fastEvent(copy, chunk)
  if (event !== null) return { state: stateOf(copy), events: [event] }
  feedCopy(copy, chunk)
  return { state: stateOf(copy), events: copy.events }
}

/** Ends the stream: emits held text. An open block ends incomplete; with `aborted`, open text too. Idempotent. */
export function endParse(
  state: ParseState,
  options: { readonly aborted?: boolean } = {},
): { state: ParseState; events: SegmentEvent[] } {
  const copy = workingCopy(state, FULL_KIT)
  endCopy(copy, options.aborted ?? false)
  return { state: stateOf(copy), events: copy.events }
}
