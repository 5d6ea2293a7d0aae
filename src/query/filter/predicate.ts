// Compiles a filter into tests for rows, frames, sessions and the run.
import type { EventFrame, Frame } from "../../../packages/wire/src/frame.ts"
import { emptyRun, type Row, type Run } from "../../run/model/run.ts"
import { eventFacts, nameFacts } from "./event-facts.ts"
import type { Compare, FactTable, Filter, MomentTerm, Term, Texts } from "./filter.ts"
import { frameFacts } from "./frame-facts.ts"
import { globTest } from "./glob.ts"
import { RegexMatcher } from "./regex-matcher.ts"
import { readPattern } from "./regex-tree.ts"
import { rowFacts } from "./row-facts.ts"
import { runFacts } from "./run-facts.ts"
import { sessionFacts } from "./session-facts.ts"

/** A compiled filter. Its results depend only on the arguments. */
export interface Predicate {
  /** Tests a log row; null if only its frame can decide, which has left memory. */
  row(run: Run, row: Row): boolean | null
  frame(run: Run, frame: Frame): boolean
  /** Tests an event by its frame, or by its name alone; null if more must be known. Of the run only its span counts. */
  event(run: Run, frame: EventFrame): boolean | null
  name(name: string): boolean | null
  /** Tests the session at this index as it is now; false if there is none. */
  session(run: Run, index: number): boolean
  /** Tests the run as it is now: by `runFacts`, and if they do not decide, by the sessions of the current epoch. */
  run(run: Run): boolean
}

/** Compiles a filter. `zone` is the offset from UTC in ms. 14:03 is on the run's first day, or on its second. */
export function compile(filter: Filter, zone = 0): Predicate {
  const evaluate = evaluator(filter, zone)
  const ofSession = (run: Run, index: number) => {
    const session = run.sessions[index]
    const buffer = run.turnBuffers[index]
    return session !== undefined && buffer !== undefined && evaluate(sessionFacts, run, { session, buffer }) === true
  }
  return {
    row: (run, row) => evaluate(rowFacts, run, row),
    frame: (run, frame) => evaluate(frameFacts, run, frame) === true,
    event: (run, frame) => evaluate(eventFacts, run, frame),
    name: name => evaluate(nameFacts, emptyRun, name),
    session: ofSession,
    run(run) {
      const answer = evaluate(runFacts, run, null)
      if (answer !== null) return answer
      const epoch = run.epochs.length - 1
      return run.sessions.some((session, index) => session.epoch === epoch && ofSession(run, index))
    },
  }
}

/** True, false, or null if it depends on what the subject can't answer. */
type Evaluate = <Subject>(facts: FactTable<Subject>, run: Run, subject: Subject) => boolean | null

function evaluator(filter: Filter, zone: number): Evaluate {
  if ("parts" in filter) {
    const parts = filter.parts.map(part => evaluator(part, zone))
    return combined(parts, filter.type === "or")
  }
  if (filter.type !== "not") return termEvaluator(filter, zone)
  const evaluate = evaluator(filter.part, zone)
  return (facts, run, subject) => {
    const answer = evaluate(facts, run, subject)
    return answer === null ? null : !answer
  }
}

/** Evaluates one part after the other until one decides. */
function combined(parts: readonly Evaluate[], settles: boolean): Evaluate {
  return (facts, run, subject) => {
    let answer: boolean | null = !settles
    for (const evaluate of parts) {
      const one = evaluate(facts, run, subject)
      if (one === settles) return settles
      if (one === null) answer = null
    }
    return answer
  }
}

function termEvaluator(term: Term, zone: number): Evaluate {
  switch (term.type) {
    case "word":
      return (facts, run, subject) => facts.is(run, subject, term.word)
    case "number": {
      const { key, op, value } = term
      return (facts, run, subject) =>
        facts.knows(key, subject) ? matchesNumber(facts.number(run, subject, key), op, value, value) : null
    }
    case "time": {
      const { op, moment } = term
      return (facts, run, subject) => {
        if (!facts.knows("ts", subject)) return null
        const ts = facts.number(run, subject, "ts")
        const from = momentTime(run, moment, zone)
        if (ts === null || from === null) return op === "!="
        return matchesNumber(Math.floor(ts), op, from, from + moment.span - 1)
      }
    }
    case "glob":
    case "plain":
    case "pattern": {
      const { key } = term
      const passes = textMatcher(term)
      const wanted = term.type !== "glob" || term.op === "="
      return (facts, run, subject) =>
        facts.knows(key, subject) ? someText(facts.texts(run, subject, key), passes) === wanted : null
    }
  }
}

type Passes = (text: string) => boolean

function someText(texts: Texts, passes: Passes): boolean {
  for (const text of texts) if (text && passes(text)) return true
  return false
}

/** Compares with the integers, or the one number, from `from` to `to`. An absent value is only unequal. */
function matchesNumber(value: number | null, op: Compare, from: number, to: number): boolean {
  if (value === null) return op === "!="
  switch (op) {
    case "=":
      return from <= value && value <= to
    case "!=":
      return value < from || to < value
    case ">=":
      return value >= from
    case "<=":
      return value <= to
    case ">":
      return value > to
    case "<":
      return value < from
  }
}

const DAY = 86_400_000

/** The epoch ms that a moment means in a run; null before the run has a time. */
export function momentTime({ firstTs, lastTs }: Run, { from, ms, span }: MomentTerm, zone: number): number | null {
  if (from === "epoch") return ms
  if (firstTs === null || lastTs === null) return null
  if (from === "start") return Math.floor(firstTs) + ms
  const onFirstDay = Math.floor((firstTs + zone) / DAY) * DAY - zone + ms
  const isOver = onFirstDay + span <= firstTs
  return isOver && onFirstDay + DAY <= lastTs ? onFirstDay + DAY : onFirstDay
}

function textMatcher(term: Extract<Term, { type: "glob" | "plain" | "pattern" }>): Passes {
  if (term.type === "glob") return globTest(term.glob)
  if (term.type === "plain") return literalMatcher(term.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "i")
  if (!/[\\^$.*+?()[\]{}|]/.test(term.source)) return literalMatcher(term.source, term.flags)
  const read = readPattern(term.source, term.flags)
  // A parsed filter has no such pattern.
  if ("error" in read) return () => false
  const machine = new RegexMatcher(read.node, term.flags)
  return text => machine.test(text)
}

/** Matches plain text with a native regular expression, which can't backtrack there. */
function literalMatcher(escaped: string, flags: string): Passes {
  const pattern = new RegExp(escaped, `${flags}u`)
  return text => pattern.test(text)
}
