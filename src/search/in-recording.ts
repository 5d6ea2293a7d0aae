// Searches a recording: prompts, requests, replies, tool results and errors.
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Row, Run } from "../run/model/run.ts"
import { sessionName } from "../run/select/figures.ts"
import { readFiltered } from "./filtered-reader.ts"
import { fileOf, hitsOfFrame, logLines } from "./frame-hits.ts"
import { PartialReplies, type PartialReply } from "./partial-replies.ts"
import { type CaptureOwner, NOBODY, type PlaceMap } from "./place-map.ts"
import { quickSearch } from "./quick-search.ts"
import type { RunPlace, SearchHit, SearchOptions, TextFinder } from "./search-hit.ts"

/** The hits, streamed replies maybe last; in a log, by its own lines. `places` records who owns what a row names. */
export async function* searchRecording(
  { recording, log }: Pick<RunPlace, "recording" | "log">,
  { filter, zone, signal, warn, onShare }: Omit<SearchOptions, "text">,
  { finder, places }: { readonly finder: TextFinder; readonly places: PlaceMap },
): AsyncGenerator<SearchHit> {
  const place = { recording, ...(log !== undefined && { log }) }
  const file = fileOf(place)
  const { needle } = finder.matcher
  /** Those of which `quickSearch` has told all hits. */
  const done = new Set<number>()
  if (needle !== null && filter === null) yield* quickSearch(place, signal, { finder, needle, done })
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
  for await (const batch of readFiltered(recording, {
    filter,
    zone,
    rows: true,
    onSkipped,
    ...(onShare && { onShare }),
  })) {
    if (signal?.aborted === true) return
    for (const { frame, line: own, made, passes } of batch) {
      if (made === null) continue
      const [line] = log === undefined ? [own] : logLines(frame, own)
      const at = { file, line, seq: "seq" in frame ? frame.seq : null, passes }
      if (frame.kind === "delta") replies.add(frame, at)
      const hits = (owner: CaptureOwner) => {
        const isEvent = frame.kind === "event" || frame.kind === "prompt"
        return isEvent && !done.has(own) ? hitsOfFrame({ frame, own, file, log: log !== undefined, owner }, finder) : []
      }
      if (frame.kind === "prompt" && passes) yield* hits(NOBODY)
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
      yield* hits(owner)
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
