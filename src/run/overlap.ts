// Takes out of a coalesced delta what was told already: a ring that is repeated may be merged where it was not before.
import type { DeltaFrame } from "../protocol/frame.ts"
import type { TurnBuffer } from "./model/session.ts"

/** What of this delta is new to its stream: a text, and for how many deltas it stands. */
export function unseenPart(stream: TurnBuffer, frame: DeltaFrame): { readonly text: string; readonly deltas: number } {
  const { seq, coalesced, text } = frame
  const all = { text, deltas: coalesced }
  // So many deltas cannot have numbers of their own between the latest one and this.
  if (seq === null || stream.lastSeq >= seq || stream.lastSeq <= seq - coalesced) return all
  const seen = Math.min(coalesced - 1, stream.lastSeq - (seq - coalesced))
  const said = stream.tailThinking === frame.thinking ? stream.tail : ""
  const length = overlap(said, text, (text.length * seen) / coalesced)
  return length === 0 ? all : { text: text.slice(length), deltas: coalesced - seen }
}

/** How much of the beginning of `text` stands at the end of `said`; of several lengths that fit, the one nearest to `about`. */
function overlap(said: string, text: string, about: number): number {
  let best = 0
  for (let length = 1; length <= Math.min(said.length, text.length); length++) {
    const isNearer = best === 0 || Math.abs(length - about) < Math.abs(best - about)
    if (isNearer && said.endsWith(text.slice(0, length))) best = length
  }
  return best
}
