// Tells whether a condition may become true at a frame, without folding the run.
import { decodeBlocks } from "../../packages/wire/src/capture.ts"
import { replyRow } from "../../packages/wire/src/decode.ts"
import type { Decoded, EventFrame } from "../../packages/wire/src/frame.ts"
import type { Json } from "../../packages/wire/src/json.ts"
import { ObjectReader } from "../../packages/wire/src/object-reader.ts"
import { isTruncatedReply, levelOf } from "../run/log.ts"
import { emptyRun } from "../run/model/run.ts"
import { asksEvent, asksSpan } from "./filter/event-facts.ts"
import { type Filter, type Term, wordsIn } from "./filter/filter.ts"
import { compile } from "./filter/predicate.ts"
import { type ShowTest, showTest } from "./show-test.ts"
import { type AddedText, TurnTexts } from "./turn-texts.ts"

/** Tells at which lines a condition may become true: no other lines, though some may turn out false. */
export interface BeginTest {
  /** False if no event of this name can make the condition true. All deltas share one name. */
  readonly named: (name: string) => boolean
  /** A test that begins anywhere in a run. */
  readonly begin: () => LinesTest
  /** True if deltas can make it true. The test rejects more of them after it saw the lines before. */
  readonly asksDeltas: boolean
  /** Says of a start or a reply whether its row may show the text. A text may continue in a row that doesn't. */
  readonly shows: ShowTest
}

/** The test of a condition; null if only the folded run can tell, as of sums over a turn. */
export function beginTest(filter: Filter): BeginTest | null {
  if (asksSpan(filter)) return null
  if (asksEvent(filter)) return testOf(filter, [], () => false)
  // A conjunction becomes true with its last part, which is never the owner of a session: an owner doesn't change.
  const parts = (filter.type === "and" ? filter.parts : [filter]).filter(part => !isOwner(part))
  const terms = parts.flatMap(beginTerms)
  if (terms.length === 0 || terms.includes(null)) return null
  const known = terms.filter(term => term !== null)
  return testOf({ type: "or", parts: known }, known.flatMap(wordsOf), frame =>
    frame.kind === "event"
      ? mayFail(frame)
      : frame.kind !== "delta" && frame.kind !== "phase" && frame.kind !== "progress" && frame.kind !== "blank",
  )
}

/** `more` passes frames of which the filter does not tell. */
function testOf(filter: Filter, words: readonly string[], more: (frame: Decoded) => boolean): BeginTest {
  const { event, name } = compile(filter)
  const passes = (frame: Decoded): boolean =>
    (frame.kind === "event" && event(emptyRun, frame) !== false) || more(frame)
  return {
    named: one => name(one) !== false,
    begin: () => new LinesTest(passes, words),
    asksDeltas: words.length > 0,
    shows: showTest(filter),
  }
}

/** Takes the lines of a run in their order. */
export class LinesTest {
  readonly #found = new Set<number>()
  readonly #texts: TurnTexts | null
  #next = -1

  /** Finds lines whose frame passes, or at which the text of a session's turn may come to hold a word. */
  constructor(
    private readonly passes: (frame: Decoded) => boolean,
    words: readonly string[],
  ) {
    this.#texts = words.length === 0 ? null : new TurnTexts(words, this.#found)
  }

  add(frame: Decoded, line: number): void {
    if (this.passes(frame)) this.#found.add(line)
    if (this.#texts === null || (frame.kind !== "event" && frame.kind !== "delta")) return
    const { invokeid, sessionId } = frame
    const ids = invokeid === null || sessionId === null ? null : idsOf(invokeid, sessionId)
    this.#follow(frame.seq, line)
    if (ids === null) this.#found.add(line)
    else if (frame.kind === "delta") this.#texts.add(ids, frame, line)
    else if (frame.body.type === "llm/start") this.#texts.start(ids, frame.seq)
    else if (frame.body.type === "llm/response") this.#texts.reply(ids, frame.body.content, frame.seq, line)
  }

  /** Takes the start of a turn, which shows nothing that is sought, of a session whose ids are written as in JSON. */
  addStart(ids: string, seq: number, line: number): void {
    this.#follow(seq, line)
    this.#texts?.start(ids, seq)
  }

  /** Takes the JSON of a reply that shows nothing that is sought; false if the line must be decoded. */
  addReply(row: Json | undefined, line: number): boolean {
    const reply = replyRow(row)
    if (reply === null) return false
    const { seq, invokeid, sessionId, data } = reply
    this.#follow(seq, line)
    this.#texts?.reply(idsOf(invokeid, sessionId), decodeBlocks(new ObjectReader(data), "content"), seq, line)
    return true
  }

  /** Takes a delta of a session whose ids are written as in JSON. */
  addDelta(ids: string, delta: AddedText, line: number): void {
    this.#follow(delta.seq, line)
    this.#texts?.add(ids, delta, line)
  }

  /** The lines found since the last call, in their order. */
  found(): readonly number[] {
    this.#texts?.settle()
    const found = [...this.#found].sort((a, b) => a - b)
    this.#found.clear()
    return found
  }

  /** A gap before a number has a row of its own, which only the folded run tests. */
  #follow(seq: number | null, line: number): void {
    if (seq !== null && seq !== this.#next) this.#found.add(line)
    this.#next = (seq ?? this.#next - 1) + 1
  }
}

const idsOf = (invokeid: string, sessionId: string): string =>
  `"invokeid":${JSON.stringify(invokeid)},"session-id":${JSON.stringify(sessionId)}`

const isOwner = (filter: Filter): boolean => "key" in filter && (filter.key === "invokeid" || filter.key === "session")

/** Terms of which at least one becomes true when the filter does; null for a term that needs the folded run. */
function beginTerms(filter: Filter): readonly (Term | null)[] {
  if ("parts" in filter) return filter.parts.length === 0 ? [null] : filter.parts.flatMap(beginTerms)
  if (filter.type === "not") return [null]
  if (filter.type === "word") return [filter.word === "error" ? filter : null]
  const isKnown = filter.key === "tool" || filter.key === "reason" || wordsOf(filter).length > 0
  return [isKnown && !("op" in filter && filter.op === "!=") ? filter : null]
}

/** The words that a term seeks in a text: one, or none. */
function wordsOf(term: Term): readonly string[] {
  return "key" in term && term.key === "text" ? wordsIn(term) : []
}

/** True for an event that sets a reason in words of ours, or that keeps the streamed text as the reply. */
function mayFail(frame: EventFrame): boolean {
  const { body } = frame
  if (body.type === "llm/response") return body.content === null || isTruncatedReply(body.stopReason)
  return levelOf(frame) === "error" || (body.type === "llm/worker-exit" && body.isError)
}
