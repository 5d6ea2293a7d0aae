// Searches a recording: prompts, requests, replies, tool results and errors.
import { LOG_LINE } from "../protocol/encode.ts"
import type { Decoded } from "../protocol/frame.ts"
import { isList } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Row, Run } from "../run/model/run.ts"
import { eventTexts, promptTexts } from "../run/select/event-texts.ts"
import { sessionName } from "../run/select/figures.ts"
import { readFiltered } from "./filtered-reader.ts"
import { PartialReplies, type PartialReply } from "./partial-replies.ts"
import { type CaptureOwner, NOBODY, type PlaceMap } from "./place-map.ts"
import type { RunPlace, SearchHit, SearchOptions, TextFinder } from "./search-hit.ts"

/** The hits in order; in a log, by its own lines. `places` records who owns each capture that a row names. */
export async function* searchRecording(
  { recording, log }: Pick<RunPlace, "recording" | "log">,
  { filter, zone, signal, warn }: Omit<SearchOptions, "text">,
  finder: TextFinder,
  places: PlaceMap,
): AsyncGenerator<SearchHit> {
  const path = log ?? recording
  const file = path.slice(path.lastIndexOf("/") + 1)
  const replies = new PartialReplies()
  /** Names of sessions, by their ids. */
  const names = new Map<string, string>()
  const hitsIn = ({ session, turn, thinking, text, at }: PartialReply): Iterable<SearchHit> => {
    if (!at.passes) return []
    const who = names.get(JSON.stringify(session)) ?? sanitizeLine(session.invokeid ?? session.sessionId)
    return finder.in(text, thinking ? "thinking" : "reply", at, { who, ...session, turn })
  }
  let skipped = 0
  const onSkipped = (): void => void skipped++
  for await (const batch of readFiltered(recording, { filter, zone, rows: true, onSkipped })) {
    if (signal?.aborted === true) return
    for (const { frame, line: own, made, passes } of batch) {
      if (made === null) continue
      const [line, last] = log === undefined ? [own, own] : logLines(frame, own)
      const at = { file, line, seq: "seq" in frame ? frame.seq : null, passes }
      if (frame.kind === "delta") replies.add(frame, at)
      if (frame.kind === "prompt" && passes) {
        const owner = { ...NOBODY, who: sanitizeLine(frame.invokeid ?? frame.promptId), invokeid: frame.invokeid }
        for (const { what, text } of promptTexts(frame)) yield* finder.in(text, what, at, owner)
      }
      if (frame.kind !== "event" || made.row === null) continue
      const session = sessionOf(made.run, made.row)
      let owner: CaptureOwner = { ...NOBODY, who: sanitizeLine(frame.invokeid ?? ""), invokeid: frame.invokeid }
      if (session !== null) {
        const { who, ...ids } = session
        names.set(JSON.stringify(ids), who)
        const { turn, unrepeated } = replies.addEvent(frame, ids)
        for (const one of unrepeated) yield* hitsIn(one)
        owner = { who, ...ids, turn }
      }
      if (!passes) continue
      places.add(frame, owner)
      // A tool call ends the reply it is in.
      for (const { what, text } of eventTexts(frame)) {
        yield* finder.in(text, what, what === "tool call" ? { ...at, line: last } : at, owner)
      }
    }
  }
  for (const one of replies.end()) yield* hitsIn(one)
  if (skipped > 0)
    warn(`${sanitizeLine(file)}: skipped ${skipped} ${skipped === 1 ? "line" : "lines"} longer than 16 MB`)
}

/** The session of a row, and its name as in the live pane. */
function sessionOf(
  run: Run,
  row: Row,
): { readonly who: string; readonly invokeid: string | null; readonly sessionId: string } | null {
  const session = row.session === null ? undefined : run.sessions[row.session]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || group === undefined) return null
  return {
    who: sessionName(run, row.session ?? -1) ?? group.title,
    invokeid: group.invokeid,
    sessionId: session.sessionId,
  }
}

/** First and last log line of a frame; `own`, its own line, if the frame does not say. */
function logLines(frame: Decoded, own: number): readonly [number, number] {
  const lines = frame.kind === "event" ? frame.data[LOG_LINE] : null
  const [first, last = first] = isList(lines) ? lines : [lines]
  return [typeof first === "number" ? first : own, typeof last === "number" ? last : own]
}
