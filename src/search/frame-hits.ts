// Finds a text in what one frame says.
import { LOG_LINE } from "../../packages/wire/src/encode.ts"
import type { Decoded, EventFrame, PromptFrame } from "../../packages/wire/src/frame.ts"
import { isList } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { eventTexts, promptTexts } from "../run/select/event-texts.ts"
import { type CaptureOwner, NOBODY } from "./place-map.ts"
import type { RunPlace, SearchHit, TextFinder } from "./search-hit.ts"

/** A frame, its own line in the recording, and the owner of an event's texts. */
export interface FrameHits {
  readonly frame: EventFrame | PromptFrame
  readonly own: number
  /** Hits name the lines of the log that the recording was made from, if it was. */
  readonly place: Pick<RunPlace, "recording" | "log">
  readonly owner: CaptureOwner
}

/** The file that hits name: the log's, if the recording was made from one. */
export function fileOf({ recording, log }: FrameHits["place"]): string {
  const path = log ?? recording
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The hits in an event or a question. */
export function* hitsOfFrame({ frame, own, place, owner }: FrameHits, finder: TextFinder): Generator<SearchHit> {
  const [line, last] = place.log === undefined ? [own, own] : logLines(frame, own)
  const at = { file: fileOf(place), line, seq: "seq" in frame ? frame.seq : null }
  if (frame.kind === "prompt") {
    const asker = { ...NOBODY, who: sanitizeLine(frame.invokeid ?? frame.promptId), invokeid: frame.invokeid }
    for (const { what, text } of promptTexts(frame)) yield* finder.in(text, what, at, asker)
    return
  }
  // A tool call ends the reply it is in.
  for (const { what, text } of eventTexts(frame))
    yield* finder.in(text, what, what === "tool call" ? { ...at, line: last } : at, owner)
}

/** First and last log line of a frame; `own`, its own line, if the frame does not say. */
function logLines(frame: Decoded, own: number): readonly [number, number] {
  const lines = frame.kind === "event" ? frame.data[LOG_LINE] : null
  const [first, last = first] = isList(lines) ? lines : [lines]
  return [typeof first === "number" ? first : own, typeof last === "number" ? last : own]
}
