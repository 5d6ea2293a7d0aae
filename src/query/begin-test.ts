// Tells whether a condition may become true at a frame, without folding the run.
import type { Decoded, DeltaFrame, EventFrame } from "../../packages/wire/src/frame.ts"
import { isTruncatedReply, levelOf } from "../run/log.ts"
import { emptyRun } from "../run/model/run.ts"
import { asksEvent, asksSpan } from "./filter/event-facts.ts"
import type { Filter, Term } from "./filter/filter.ts"
import { compile } from "./filter/predicate.ts"

/** Tests the frames of a run in order. False is certain; true may turn out false once the run is folded. */
export interface BeginTest {
  /** False if no event of this name can make the condition true. All deltas share one name. */
  readonly named: (name: string) => boolean
  /** A test that begins anywhere in a run. */
  readonly begin: () => (frame: Decoded) => boolean
  /** True if deltas can make it true. The test rejects more of them after it saw the frames before. */
  readonly asksDeltas: boolean
}

/** The test of a condition; null if only the folded run can tell, as of sums over a turn. */
export function beginTest(filter: Filter): BeginTest | null {
  if (asksSpan(filter)) return null
  if (asksEvent(filter)) {
    const { event, name } = compile(filter)
    const test = (frame: Decoded): boolean => frame.kind === "event" && event(emptyRun, frame) !== false
    return { named: one => name(one) !== false, begin: () => test, asksDeltas: false }
  }
  // A conjunction becomes true with its last part, which is never the owner of a session: an owner doesn't change.
  const parts = (filter.type === "and" ? filter.parts : [filter]).filter(part => !isOwner(part))
  const terms = parts.flatMap(beginTerms)
  if (terms.length === 0 || terms.includes(null)) return null
  const known = terms.filter(term => term !== null)
  const { event } = compile(known.length === 1 ? (known[0] ?? filter) : { type: "or", parts: known })
  const words = known.flatMap(term => wordOf(term) ?? [])
  const begin = (): ((frame: Decoded) => boolean) => {
    const texts = words.map(word => new TurnTexts(word))
    let next = -1
    return frame => {
      if (frame.kind === "event" || frame.kind === "delta") {
        const isNext = frame.seq === null || frame.seq === next
        next = (frame.seq ?? next - 1) + 1
        // All must see the frame. A gap before it has a row of its own.
        const isText = texts.map(one => one.mayMatch(frame)).includes(true) || (words.length > 0 && !isNext)
        return isText || (frame.kind === "event" && (event(emptyRun, frame) !== false || mayFail(frame)))
      }
      return frame.kind !== "phase" && frame.kind !== "progress" && frame.kind !== "blank"
    }
  }
  return { named: name => name !== "llm/delta" || words.length > 0, begin, asksDeltas: words.length > 0 }
}

const isOwner = (filter: Filter): boolean => "key" in filter && (filter.key === "invokeid" || filter.key === "session")

/** Terms of which at least one becomes true when the filter does; null for a term that needs the folded run. */
function beginTerms(filter: Filter): readonly (Term | null)[] {
  if ("parts" in filter) return filter.parts.length === 0 ? [null] : filter.parts.flatMap(beginTerms)
  if (filter.type === "not") return [null]
  if (filter.type === "word") return [filter.word === "error" ? filter : null]
  const isKnown = filter.key === "tool" || filter.key === "reason" || wordOf(filter) !== null
  return [isKnown && !("op" in filter && filter.op === "!=") ? filter : null]
}

/** The word that a term seeks in a session's text; null for any other term. */
function wordOf(term: Term): string | null {
  if (!("key" in term) || term.key !== "text") return null
  const word = term.type === "plain" ? term.text : term.type === "pattern" ? term.source : ""
  const isPlain = term.type === "plain" || !/[\\^$.*+?()[\]{}|]/.test(word)
  return isPlain && word !== "" ? word : null
}

/** True for an event that sets a reason in words of ours, or that keeps the streamed text as the reply. */
function mayFail(frame: EventFrame): boolean {
  const { body } = frame
  if (body.type === "llm/response") return body.content === null || isTruncatedReply(body.stopReason)
  return levelOf(frame) === "error" || (body.type === "llm/worker-exit" && body.isError)
}

/** UTF-16 units of a word that are sought, and of a text's end that are kept: in another case a word may be longer. */
const LOOKED_FOR = 64
const KEPT = 2 * LOOKED_FOR

/** The end of a turn's text, whether all of it was seen, and the end before the current reply; null if unseen. */
interface TextEnd {
  readonly all: string
  readonly isKnown: boolean
  readonly before: string | null
  readonly seq: number
}
const unknownEnd: TextEnd = { all: "", isKnown: false, before: null, seq: -1 }

/** Keeps the end of each session's text, where a word may begin that the next delta ends. */
class TurnTexts {
  readonly #ends = new Map<string, TextEnd>()
  readonly #word: RegExp

  constructor(text: string) {
    const letters = [...text.slice(0, LOOKED_FOR).toWellFormed()].map(one => one.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&"))
    this.#word = new RegExp(letters.join(""), "iu")
  }

  /** True if a session's text may hold the word from this frame on. */
  mayMatch(frame: DeltaFrame | EventFrame): boolean {
    const { sessionId, invokeid } = frame
    const body = frame.kind === "event" ? frame.body : null
    if (body !== null && body.type !== "llm/start" && body.type !== "llm/response") return false
    if (sessionId === null || invokeid === null) return true
    const kinds = frame.kind === "delta" ? [frame.thinking] : [false, true]
    return kinds.map(thinking => this.#follow(`${thinking} ${invokeid} ${sessionId}`, frame, thinking)).includes(true)
  }

  #follow(key: string, frame: DeltaFrame | EventFrame, thinking: boolean): boolean {
    const end = this.#ends.get(key) ?? unknownEnd
    const content = frame.kind === "event" && frame.body.type === "llm/response" ? frame.body.content : null
    const isStart = frame.kind === "event" && frame.body.type === "llm/start"
    const said = content?.flatMap(one => (one.type === (thinking ? "thinking" : "text") ? [one.text] : []))
    const added = frame.kind === "delta" ? frame.text : ""
    const all = isStart ? "" : said === undefined ? end.all + added : (end.before ?? "") + said.join("")
    const isKnown = isStart || (end.isKnown && (said === undefined || end.before !== null)) || all.length > KEPT
    const before = frame.kind === "delta" ? end.before : isKnown ? all.slice(-KEPT) : null
    const seq = frame.seq ?? end.seq + 1
    this.#ends.set(key, { all: all.slice(-KEPT), before, isKnown, seq })
    const overtook = frame.kind === "delta" && seq - frame.coalesced < end.seq
    return overtook || this.#word.test(all) || !end.isKnown || (said !== undefined && end.before === null)
  }
}
