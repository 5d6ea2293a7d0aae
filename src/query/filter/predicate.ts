import type { Frame } from "../../protocol/frame.ts"
import type { Row, Run } from "../../run/model/run.ts"
import type { FactTable, Passes } from "./facts.ts"
import type { Compare, Filter, MomentTerm, Term } from "./filter.ts"
import { frameFacts } from "./frame-facts.ts"
import { globTest } from "./glob.ts"
import { RegexMatcher } from "./regex-matcher.ts"
import { readPattern } from "./regex-tree.ts"
import { rowFacts } from "./row-facts.ts"
import { runFacts } from "./run-facts.ts"
import { sessionFacts } from "./session-facts.ts"

/** A filter made ready: compile once, then ask of as many as there are. Its answers depend on nothing else. */
export interface Predicate {
  /** Of a row of the run's log; null where that is settled only by its frame, which memory has let go. */
  row(run: Run, row: Row): boolean | null
  /** Of a frame that makes no row. */
  frame(run: Run, frame: Frame): boolean
  /** Of the session at this index, as it stands now; false where there is none. */
  session(run: Run, index: number): boolean
  /**
   * Of the run as it stands now. The run answers for itself where what it knows (`runFacts`) settles it;
   * where it depends on other keys, the filter holds when it does for one session of the current epoch.
   */
  run(run: Run): boolean
}

/**
 * Makes a filter ready. `zone` is what a clock on the wall is ahead of UTC, in ms: for times such as 14:03, which mean
 * the run's first day, and the second where the clock shows them only there.
 */
export function compile(filter: Filter, zone = 0): Predicate {
  const ask = question(filter, zone)
  const ofSession = (run: Run, index: number) => {
    const session = run.sessions[index]
    const stream = run.turnBuffers[index]
    return session !== undefined && stream !== undefined && ask(sessionFacts, run, { session, stream }) === true
  }
  return {
    row: (run, row) => ask(rowFacts, run, row),
    frame: (run, frame) => ask(frameFacts, run, frame) === true,
    session: ofSession,
    run(run) {
      const answer = ask(runFacts, run, null)
      if (answer !== null) return answer
      const epoch = run.epochs.length - 1
      return run.sessions.some((session, index) => session.epoch === epoch && ofSession(run, index))
    },
  }
}

/** `compile(filter).row`, for one row. */
export function matchRow(filter: Filter, run: Run, row: Row): boolean {
  return compile(filter).row(run, row) === true
}

/** `compile(filter).session`, for one session. */
export function matchSession(filter: Filter, run: Run, index: number): boolean {
  return compile(filter).session(run, index)
}

/** `compile(filter).run`, once. */
export function matchRun(filter: Filter, run: Run): boolean {
  return compile(filter).run(run)
}

/** True, false, or null where it depends on what the subject cannot answer for. */
type Question = <Subject>(facts: FactTable<Subject>, run: Run, subject: Subject) => boolean | null

function question(filter: Filter, zone: number): Question {
  switch (filter.type) {
    case "and":
      return list(
        filter.parts.map(part => question(part, zone)),
        false,
      )
    case "or":
      return list(
        filter.parts.map(part => question(part, zone)),
        true,
      )
    case "not": {
      const ask = question(filter.part, zone)
      return (facts, run, subject) => {
        const answer = ask(facts, run, subject)
        return answer === null ? null : !answer
      }
    }
    default:
      return ofTerm(filter, zone)
  }
}

/** Asks one after the other until an answer settles all. */
function list(parts: readonly Question[], settles: boolean): Question {
  return (facts, run, subject) => {
    let answer: boolean | null = !settles
    for (const ask of parts) {
      const one = ask(facts, run, subject)
      if (one === settles) return settles
      if (one === null) answer = null
    }
    return answer
  }
}

function ofTerm(term: Term, zone: number): Question {
  switch (term.type) {
    case "word":
      return (facts, run, subject) => facts.is(run, subject, term.word)
    case "number": {
      const { key, op, value } = term
      return (facts, run, subject) =>
        facts.knows(key, subject) ? compares(facts.number(run, subject, key), op, value, value) : null
    }
    case "time": {
      const { op, moment } = term
      return (facts, run, subject) => {
        const ts = facts.number(run, subject, "ts")
        const from = momentTime(run, moment, zone)
        if (ts === null || from === null) return op === "!="
        return compares(Math.floor(ts), op, from, from + moment.span - 1)
      }
    }
    default: {
      const { key } = term
      const passes = textTest(term)
      const wanted = term.type !== "glob" || term.op === "="
      return (facts, run, subject) =>
        facts.knows(key, subject) ? facts.some(run, subject, key, passes) === wanted : null
    }
  }
}

/** Compares with the whole numbers, or the one number, between `from` and `to`. What is absent is only unequal. */
function compares(value: number | null, op: Compare, from: number, to: number): boolean {
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

function textTest(term: Extract<Term, { type: "glob" | "plain" | "pattern" }>): Passes {
  if (term.type === "glob") return globTest(term.glob)
  if (term.type === "plain") return literal(term.text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "i")
  if (!/[\\^$.*+?()[\]{}|]/.test(term.source)) return literal(term.source, term.flags)
  const read = readPattern(term.source, term.flags)
  // A filter that was parsed has no such pattern.
  if ("error" in read) return () => false
  const machine = new RegexMatcher(read.node, term.flags)
  return text => machine.test(text)
}

/** The library's own search: where a pattern is plain text it has nothing to go back to. */
function literal(escaped: string, flags: string): Passes {
  const pattern = new RegExp(escaped, `${flags}u`)
  return text => pattern.test(text)
}
