// Streams the content of a block up to its closing marker, holding back only what may be the beginning of that marker.

import { findMarker } from "./marker.ts"
import type { Mode } from "./parser-state.ts"
import { TEXT } from "./parser-state.ts"
import type { Metadata, SegmentType } from "./segment.ts"
import type { WorkingCopy } from "./working-copy.ts"
import { closeSegment, emitText, openSegment, replay } from "./working-copy.ts"

/** What an opening leads to: the segment it starts, if it does at once, and the state that reads on. */
export interface MarkedBlock {
  readonly start: { readonly type: SegmentType; readonly metadata: Metadata } | null
  readonly mode: Mode
}

export function enterBlock(draft: WorkingCopy, block: MarkedBlock): void {
  if (block.start !== null) openSegment(draft, block.start.type, block.start.metadata)
  draft.mode = block.mode
}

/** The state that streams everything up to `close`, which is in ASCII lower case and matched in either. */
export function blockUntil(close: string): Mode {
  return { at: "block", close, held: "" }
}

export function runBlock(draft: WorkingCopy, mode: Extract<Mode, { at: "block" }>): void {
  const { close, held } = mode
  replay(draft, held)
  const { text, pos } = draft
  const at = findMarker(text, pos, close, true)
  const stop = at === -1 ? text.length : at
  emitText(draft, pos === 0 && stop === text.length ? text : text.slice(pos, stop))
  draft.steps += Math.min(stop + close.length, text.length) - pos
  if (at !== -1 && at + close.length <= text.length) {
    closeSegment(draft)
    draft.mode = TEXT
    draft.pos = at + close.length
    return
  }
  const rest = text.slice(stop)
  if (rest !== held) draft.mode = { at: "block", close, held: rest }
  draft.pos = text.length
}
