// Holds the working copy of a state that one chunk reads on, and the events that it gave.

import type { ParseState, Resolve } from "./parser-state.ts"
import type { Metadata } from "./segment.ts"
import { SegmentEvent, SegmentType } from "./segment.ts"

/** One chunk's working copy of a state. Only what this chunk replaced is new; nothing of the old state is changed. */
export type WorkingCopy = { -readonly [K in keyof ParseState]: ParseState[K] } & {
  readonly resolve: Resolve
  /** The characters at hand and the next one to read. */
  text: string
  pos: number
  /** Where each mark stands next in `text`: -1 for nowhere, below that for unknown. */
  readonly spots: number[]
  /** Content of the open segment that is not yet an event. */
  out: string
  events: SegmentEvent[]
}

const UNKNOWN = -2

/** The text has changed, so nothing is known of where its marks stand. */
export function forget(spots: number[]): void {
  for (let i = 0; i < spots.length; i++) spots[i] = UNKNOWN
}

export function workingCopy(state: ParseState, resolve: Resolve): WorkingCopy {
  const { rules, mode, segment, count, carry, steps } = state
  const spots = rules.marks.map(() => UNKNOWN)
  return { rules, mode, segment, count, carry, steps, resolve, text: "", pos: 0, spots, out: "", events: [] }
}

export function stateOf({ rules, mode, segment, count, carry, steps }: WorkingCopy): ParseState {
  return { rules, mode, segment, count, carry, steps }
}

/** Begins a segment; text that was open ends here. */
export function openSegment(draft: WorkingCopy, type: SegmentType, metadata: Metadata): string {
  closeSegment(draft)
  draft.count++
  const id = `${draft.rules.prefix}seg_${draft.count}`
  draft.segment = { id, type }
  draft.events.push(SegmentEvent.start(id, type, metadata))
  return id
}

/** Adds content to the open segment; where none is open it is text. */
export function emitText(draft: WorkingCopy, text: string): void {
  if (text === "") return
  if (draft.segment === null) openSegment(draft, SegmentType.TEXT, {})
  draft.out = draft.out === "" ? text : draft.out + text
}

/** Turns the content gathered so far into one event. */
export function flush(draft: WorkingCopy): void {
  if (draft.out === "" || draft.segment === null) return
  draft.events.push(SegmentEvent.content(draft.segment.id, draft.out))
  draft.out = ""
}

/** Ends the open segment, if any. */
export function closeSegment(draft: WorkingCopy, metadata?: Metadata, cut = false): void {
  if (draft.segment === null) return
  flush(draft)
  draft.events.push(SegmentEvent.end(draft.segment.id, metadata, cut))
  draft.segment = null
}

/** Puts held text back before the unread characters. */
export function replay(draft: WorkingCopy, held: string): void {
  if (held === "") return
  draft.text = held + draft.text.slice(draft.pos)
  draft.pos = 0
  forget(draft.spots)
  draft.steps += draft.text.length
}
