// Streams a block's content up to its closing marker, holding back only a possible beginning of that marker.
import { findMarker } from "./marker.ts"
import { type Mode, TEXT } from "./parser-state.ts"
import type { Metadata, SegmentType } from "./segment.ts"
import { closeSegment, emitText, openSegment, replay, type WorkingCopy } from "./working-copy.ts"

/** What an opening leads to: the segment to start, null if that comes later, and the next state. */
export interface MarkedBlock {
  readonly start: { readonly type: SegmentType; readonly metadata: Metadata } | null
  readonly mode: Mode
}

export function enterBlock(copy: WorkingCopy, block: MarkedBlock): void {
  if (block.start !== null) openSegment(copy, block.start.type, block.start.metadata)
  copy.mode = block.mode
}

/** The state that streams everything up to `close`. `close` is in ASCII lower case and matches any case. */
export function blockUntil(close: string): Mode {
  return { at: "block", close, held: "" }
}

export function runBlock(copy: WorkingCopy, mode: Extract<Mode, { at: "block" }>): void {
  const { close, held } = mode
  replay(copy, held)
  const { text, pos } = copy
  const at = findMarker(text, pos, close, true)
  const stop = at === -1 ? text.length : at
  emitText(copy, pos === 0 && stop === text.length ? text : text.slice(pos, stop))
  copy.steps += Math.min(stop + close.length, text.length) - pos
  if (at !== -1 && at + close.length <= text.length) {
    closeSegment(copy)
    copy.mode = TEXT
    copy.pos = at + close.length
    return
  }
  const rest = text.slice(stop)
  if (rest !== held) copy.mode = { at: "block", close, held: rest }
  copy.pos = text.length
}
