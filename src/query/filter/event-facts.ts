// Answers a filter for an event by its frame, without folding the run, or by its name alone.
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { isOfSession, levelOf } from "../../run/log.ts"
import { type FactTable, type Filter, type Key, termsOf } from "./filter.ts"
import { rowFacts } from "./row-facts.ts"

/**
 * What a row has from the rows before it, the habits of its model, or the prices. Deltas can't be left out of the fold:
 * an event with the number of one is of an agent that was restarted, where sessions have no model yet.
 */
const FOLDED: ReadonlySet<Key> = new Set(["model", "input", "cached", "cost"])

/** As `rowFacts` of its row, unless only the folded run knows: the session of a frame that names none may be one. */
export const eventFacts: FactTable<EventFrame> = {
  knows(key, { body, sessionId }) {
    if (key === "session") return sessionId !== null || !isOfSession(body)
    // An answer is shown by the name that its question gives it.
    return key === "text" ? body.type !== "human-input/answer" : !FOLDED.has(key)
  },
  texts: (run, frame, key) => rowFacts.texts(run, rowOf(frame), key),
  number: (run, frame, key) => rowFacts.number(run, rowOf(frame), key),
  is: (run, frame, word) => rowFacts.is(run, rowOf(frame), word),
}

function rowOf(what: EventFrame) {
  const { seq, ts } = what
  const place = { frame: 0, epoch: 0, order: 0, nth: 0, line: 0, session: null, model: null }
  return { ...place, seq, ts, level: levelOf(what), what }
}

/** The facts that a delta may have beside its name. A faulty delta has a row too. */
const OF_DELTAS: ReadonlySet<Key> = new Set(["invokeid", "session", "model", "text", "ts", "seq"])

/** Reads an event's name alone, and knows which facts no delta has. */
export const nameFacts: FactTable<string> = {
  knows: (key, name) => key === "event" || (name === "llm/delta" && !OF_DELTAS.has(key)),
  texts: (_, name, key) => (key === "event" ? [name] : key === "kind" ? ["event"] : []),
  number: () => null,
  is: (_, name, word) => (name === "llm/delta" && word !== "warning" ? false : null),
}

/** True if the filter asks for what only the folded run knows of its rows. */
export function asksFold(filter: Filter): boolean {
  return termsOf(filter).some(term => term.type !== "word" && FOLDED.has(term.key))
}

/** True if the filter depends on when the run began or ended. */
export function asksSpan(filter: Filter): boolean {
  return termsOf(filter).some(term => term.type === "time" && term.moment.from !== "epoch")
}

/** True if only events can match: their name or visit is asked for. */
export function asksEvent(filter: Filter): boolean {
  if ("parts" in filter) return filter.type === "and" ? filter.parts.some(asksEvent) : filter.parts.every(asksEvent)
  const isAsked = "key" in filter && (filter.key === "event" || filter.key === "visit")
  return isAsked && !("op" in filter && filter.op === "!=")
}
