// Steps a kept state through a stream: a state and a chunk give the next state and the events of the chunk.

import { endCopy } from "./ending.ts"
import { feedCopy, quietEvent } from "./machine.ts"
import type { ParseState } from "./parser-state.ts"
import { beginParse } from "./parser-state.ts"
import type { SegmentEvent } from "./segment.ts"
import type { ParserName } from "./syntax-rules.ts"
import { DEFAULT_PATTERNS, rulesFor } from "./syntax-rules.ts"
import { stateOf, workingCopy } from "./working-copy.ts"
import { builtIn } from "./xml-tags.ts"

/** The state before the first chunk: plain data, for whoever keeps states. */
export function initialParse(strategy: ParserName): ParseState {
  return beginParse(rulesFor(strategy === "api_tool_call" ? [] : [strategy], true, DEFAULT_PATTERNS, ""))
}

/** The state after `chunk` and the events that it gave. `state` is not touched and may be continued again. */
export function stepParse(state: ParseState, chunk: string): { state: ParseState; events: SegmentEvent[] } {
  const draft = workingCopy(state, builtIn)
  const quiet = quietEvent(draft, chunk)
  if (quiet !== null) return { state: stateOf(draft), events: [quiet] }
  feedCopy(draft, chunk)
  return { state: stateOf(draft), events: draft.events }
}

/**
 * The end of the stream: what was held is said, and a block that is open ends with `complete: false`. With `aborted`
 * open text does too. Ending an ended state gives no events.
 */
export function endParse(
  state: ParseState,
  options: { readonly aborted?: boolean } = {},
): { state: ParseState; events: SegmentEvent[] } {
  const draft = workingCopy(state, builtIn)
  endCopy(draft, options.aborted ?? false)
  return { state: stateOf(draft), events: draft.events }
}
