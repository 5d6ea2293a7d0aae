// Removes from a coalesced delta what arrived before: a repeated event may be merged where it was not the first time.
import type { DeltaFrame } from "../protocol/frame.ts"
import type { TurnBuffer } from "./model/session.ts"

/** The part of a delta that is new to its turn: the text, and the number of deltas it stands for. */
export function unseenPart(buffer: TurnBuffer, frame: DeltaFrame): { readonly text: string; readonly deltas: number } {
  const { seq, coalesced, text } = frame
  const all = { text, deltas: coalesced }
  // Without an overlap of numbers nothing can have arrived before.
  if (seq === null || buffer.lastSeq >= seq || buffer.lastSeq <= seq - coalesced) return all
  const seen = Math.min(coalesced - 1, buffer.lastSeq - (seq - coalesced))
  const tail = buffer.tailThinking === frame.thinking ? buffer.tail : ""
  const length = overlap(tail, text, (text.length * seen) / coalesced)
  return length === 0 ? all : { text: text.slice(length), deltas: coalesced - seen }
}

/** Length of a beginning of `text` that is also the end of `tail`; if several match, the one nearest to `about`. */
function overlap(tail: string, text: string, about: number): number {
  let best = 0
  for (let length = 1; length <= Math.min(tail.length, text.length); length++) {
    const isNearer = best === 0 || Math.abs(length - about) < Math.abs(best - about)
    if (isNearer && tail.endsWith(text.slice(0, length))) best = length
  }
  return best
}
