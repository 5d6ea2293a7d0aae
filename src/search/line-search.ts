// Searches lines of a recording in their order, and tells whose their texts are by the starts of turns before them.
import { replyRow } from "../../packages/wire/src/decode.ts"
import { copyOf } from "../../packages/wire/src/files/line-splitter.ts"
import type { DeltaFrame, EventFrame, PromptFrame } from "../../packages/wire/src/frame.ts"
import { parseJson } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { hasRow, isOfSession } from "../run/log.ts"
import { emptyRun } from "../run/model/run.ts"
import { RunBuilder } from "../run/run-builder.ts"
import { sessionName } from "../run/select/figures.ts"
import { findOrAddSession } from "../run/session-index.ts"
import { decodeLine } from "../transport/message.ts"
import { eventNameOf, idsOf, readPlainLine } from "../transport/plain-line.ts"
import type { FilteredLine, FrameTest } from "./filtered-reader.ts"
import { type CaptureOwner, NOBODY, type PlaceMap } from "./place-map.ts"
import { fileOf, hitsOfFrame, type RunPlace, type SearchHit, type TextFinder } from "./search-hit.ts"
import { SessionReplies, type StreamEvent, type StreamedText } from "./streamed-replies.ts"

/** The lines up to a number but for some. */
export type ToldLines = { readonly to: number; readonly left: ReadonlySet<number> }

interface LineSearchOptions {
  readonly place: Pick<RunPlace, "recording" | "log">
  readonly finder: TextFinder
  /** Is told which session owns each file that a row names; null if no files are searched. */
  readonly places: PlaceMap | null
  /** Searched only for streamed texts. */
  readonly told?: ToldLines
  readonly passes: FrameTest
  /** Also search the texts of deltas. All lines must be added then. */
  readonly streams: boolean
}

/** Events whose numbers are remembered, to know one that comes twice: the hub repeats far fewer. */
const REMEMBERED = 65_536

/** What is found is told when asked for, when more sessions may be known by name. */
export class LineSearch {
  /** Only sessions are added to it, for their names. */
  readonly #builder = new RunBuilder(emptyRun)
  readonly #replies: SessionReplies[] = []
  /** By their ids as plain lines have them; and the latest, since most deltas come one after the other. */
  readonly #plain = new Map<string, SessionReplies | null>()
  #lastIds = ""
  #last: SessionReplies | null = null
  /** The latest events, each at the place that its number has. */
  readonly #numbers = new Float64Array(REMEMBERED).fill(-1)
  readonly #times = new Float64Array(REMEMBERED)
  /** Lines that are left since only all lines tell their session, or whether they pass. */
  readonly left = new Set<number>()
  /** The hits in lines, of which the test could not tell whether they pass. */
  readonly undecided = new Map<number, () => Iterable<SearchHit>>()
  #found: (() => Iterable<SearchHit>)[] = []

  constructor(private readonly searched: LineSearchOptions) {
    this.#builder.nextEpoch()
  }

  /** Takes a line that was not decoded. */
  addLine(text: string, line: number): void {
    const plain = readPlainLine(text)
    if (plain === null && this.searched.places === null && this.#isTold(line) && this.#addReply(text)) return
    // A start may tell where its turn is captured.
    if (plain === null || (plain.adds === null && this.searched.places !== null))
      return void this.addFrame({ frame: decodeLine(text), text, line })
    const { seq, ts, ids, adds } = plain
    if (adds !== null && this.searched.streams) this.#repliesOfPlain(ids)?.add({ raw: text, line, seq })
    if (adds !== null || this.#isRepeat({ seq, ts: Number(ts) })) return
    this.#follow(this.#repliesOfPlain(ids), { type: "llm/start" })
  }

  /** Takes a line that was decoded; `passes` if it is known of its row. */
  addFrame({ frame, text: raw, line, passes }: Omit<FilteredLine, "last" | "passes"> & { passes?: boolean }): void {
    if (frame.kind === "delta" && frame.sessionId !== null && this.searched.streams)
      this.#repliesOf(frame)?.add({ raw, line, seq: frame.seq })
    if (frame.kind === "prompt" && this.searched.passes(frame) === true)
      this.#found.push(() => this.#hitsOf(frame, line, NOBODY))
    if (frame.kind === "event" && !this.#isRepeat(frame)) this.#addEvent(frame, line, passes)
  }

  /** Takes a reply whose texts were searched by their bytes; false if its line must be decoded. */
  #addReply(text: string): boolean {
    const reply = eventNameOf(text) === "llm/response" ? replyRow(parseJson(text)) : null
    if (reply !== null && !this.#isRepeat(reply))
      this.#follow(this.#repliesOf(reply), { type: "llm/response", content: [] })
    return reply !== null
  }

  /** Lets go of the memory of lines that were read long ago. */
  own(): void {
    for (const replies of this.#replies) replies.own()
  }

  /** The hits in the lines since the last call. */
  *hits(): Generator<SearchHit> {
    for (const hits of this.#found.splice(0)) yield* hits()
  }

  /** The hits in texts that still stream at the end of the recording. */
  *rest(): Generator<SearchHit> {
    for (const replies of this.#replies) yield* named(replies.rest(), replies)
  }

  #isRepeat({ seq, ts }: Pick<EventFrame, "seq" | "ts">): boolean {
    if (seq === null || ts === null) return false
    const at = seq % REMEMBERED
    if (this.#numbers[at] === seq && this.#times[at] === ts) return true
    this.#numbers[at] = seq
    this.#times[at] = ts
    return false
  }

  #addEvent(frame: EventFrame, line: number, told: boolean | undefined): void {
    const { body, invokeid } = frame
    const isOwned = isOfSession(body)
    if (isOwned && frame.sessionId === null && !this.searched.streams) {
      this.left.add(line)
      return
    }
    const replies = isOwned ? this.#repliesOf(frame) : null
    if (body.type === "llm/start" && body.label !== null) this.#label(frame, body.label)
    this.#follow(replies, body)
    const { places, streams } = this.searched
    if (!hasRow(frame) || (places === null && this.#isTold(line))) return
    const sessionId = frame.sessionId ?? replies?.ids.sessionId ?? null
    const passes = told ?? this.searched.passes({ ...frame, sessionId })
    if (passes === null && !streams) this.left.add(line)
    if (passes === false || (passes === null && !streams)) return
    const turn = replies?.turn ?? null
    const find = (): Iterable<SearchHit> => {
      const ids = replies?.ids ?? { invokeid, sessionId: null }
      const owner = { ...ids, who: replies?.name() ?? sanitizeLine(invokeid ?? ""), turn }
      places?.add(frame, owner)
      return this.#hitsOf(frame, line, owner)
    }
    if (passes === null) this.undecided.set(line, find)
    else this.#found.push(find)
  }

  #label({ invokeid, sessionId }: EventFrame, label: string): void {
    const index = findOrAddSession(this.#builder, invokeid, sessionId)
    if (index !== null) this.#builder.session(index).label = label
  }

  /** Tells a session's event to its replies. */
  #follow(replies: SessionReplies | null, body: StreamEvent): void {
    const hits = replies?.addEvent(body) ?? []
    if (replies !== null && hits.length > 0) this.#found.push(() => named(hits, replies))
  }

  #isTold(line: number): boolean {
    const { told } = this.searched
    return told !== undefined && line <= told.to && !told.left.has(line)
  }

  #hitsOf(frame: EventFrame | PromptFrame, own: number, owner: CaptureOwner): Iterable<SearchHit> {
    return this.#isTold(own) ? [] : hitsOfFrame({ frame, own, owner, ...this.searched }, this.searched.finder)
  }

  readonly #search = (streamed: StreamedText, { ids, turn }: SessionReplies): readonly SearchHit[] => {
    const { text, thinking, line, seq, frame } = streamed
    const { place, finder, passes } = this.searched
    if (passes(frame) !== true) return []
    const owner = { who: "", ...ids, turn }
    return [...finder.in(text, thinking ? "thinking" : "reply", { file: fileOf(place), line, seq }, owner)]
  }

  /** The session of a frame, found as the fold finds it (docs/decisions.md 1.7). */
  #repliesOf({ invokeid, sessionId }: Pick<DeltaFrame, "invokeid" | "sessionId">): SessionReplies | null {
    const builder = this.#builder
    if (sessionId === null) {
      const all = builder.run.invocations[builder.lookup().invocation(invokeid) ?? -1]?.sessions ?? []
      return this.#replies[all.findLast(one => this.#replies[one]?.state === "open") ?? all.at(-1) ?? -1] ?? null
    }
    const index = findOrAddSession(builder, invokeid, sessionId) ?? -1
    const known = this.#replies[index]
    if (known !== undefined) return known
    const name = (): string => sessionName(builder.run, index) ?? ""
    const made = new SessionReplies({ invokeid, sessionId }, this.#search, name)
    this.#replies[index] = made
    return made
  }

  #repliesOfPlain(ids: string): SessionReplies | null {
    if (this.#lastIds === ids) return this.#last
    let known = this.#plain.get(ids)
    if (known === undefined) {
      const part = copyOf(ids)
      const [invokeid, sessionId] = idsOf(part)
      known = this.#repliesOf({ invokeid, sessionId })
      this.#plain.set(part, known)
    }
    this.#lastIds = ids
    this.#last = known
    return known
  }
}

/** A session's hits with its name. */
function named(hits: readonly SearchHit[], replies: SessionReplies): readonly SearchHit[] {
  return hits.map(hit => ({ ...hit, who: replies.name() }))
}
