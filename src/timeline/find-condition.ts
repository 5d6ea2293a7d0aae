// Searches the past of a run for the next or previous line at which a condition became true.
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { type Conditions, onlyBreakpoint } from "../query/conditions.ts"
import { asksEvent, asksSpan } from "../query/filter/event-facts.ts"
import type { Filter } from "../query/filter/filter.ts"
import { compile } from "../query/filter/predicate.ts"
import { foldWithBreakpoints, playFrames } from "../query/fold-with-breakpoints.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import { decodeLine } from "../transport/message.ts"
import type { Past } from "./past.ts"

/**
 * The state after the next line in direction `step` that meets the condition; null if none. Yields states passed, or
 * the share that was searched, from 0 to 1. Throws a file error.
 */
export function* findCondition(
  past: Past,
  from: Run,
  filter: Filter,
  step: 1 | -1,
  zone = 0,
): Generator<Run | number, Run | null> {
  const probe = { conditions: onlyBreakpoint(filter), zone }
  const mayMatch = lineTest(filter)
  if (mayMatch !== null) return yield* findRow(past, from, { ...probe, mayMatch }, step)
  if (step > 0) {
    for (let run = from; ; ) {
      const lines = past.linesToSnapshot(run)
      if (lines.length === 0) return null
      const played = playFrames(run, lines, probe.conditions, zone)
      if (played.stopped) return played.run
      run = past.snapshotOf(played.run)
      yield run
    }
  }
  // The line that led to the state shown is not searched: the match must lie before it.
  for (let end = from.frames.lines - 1; end > 0; ) {
    const start = past.snapshotBefore(end)
    const found = yield* findLast(past, start, end, probe)
    if (found !== null) return found
    end = start.frames.lines
  }
  return null
}

/** Searches for a row: only lines that may make a matching one are decoded and folded. */
function* findRow(
  past: Past,
  from: Run,
  probe: Probe & { readonly mayMatch: LineTest },
  step: 1 | -1,
): Generator<Run | number, Run | null> {
  const first = from.frames.lines
  for (let next = step > 0 ? first : first - 1; ; ) {
    const start = step > 0 ? next : Math.max(0, next - FOLD_LINES)
    const lines = past.lines(start, step > 0 ? start + FOLD_LINES : next)
    if (lines.length === 0) return null
    const places = lines.flatMap((line, i) => (probe.mayMatch(line) ? [start + i] : []))
    for (const place of step > 0 ? places : places.toReversed()) {
      const run = yield* past.runAtLine(place)
      const { hit, after } = evaluate(run, past.linesAfter(run, 1), probe)
      if (hit) return after
    }
    next = step > 0 ? start + lines.length : start
    yield (next - first) / ((step > 0 ? past.length : 0) - first)
  }
}

/** An event's name where agents write it: before all that may be long. */
const NAMED = /^\{(?:"kind":"event",)?"seq":\d{1,15},"ts":\d{1,15},"event":"([^"\\]*)",/

type LineTest = (line: SourceLine) => boolean

/** The test of whether a line may make a matching row; null if no line tells by itself. */
function lineTest(filter: Filter): LineTest | null {
  if (!asksEvent(filter) || asksSpan(filter)) return null
  const passes = compile(filter)
  return line => {
    const name = typeof line === "string" ? NAMED.exec(line)?.[1] : undefined
    if (name !== undefined && passes.name(sanitize(name)) === false) return false
    const frame = decodeLine(line)
    return frame.kind === "event" && passes.event(emptyRun, frame) !== false
  }
}

/** The state after the last match in the first `end` lines. */
function* findLast(past: Past, start: Run, end: number, probe: Probe): Generator<Run, Run | null> {
  let last: { readonly run: Run; readonly lines: readonly Decoded[] } | null = null
  for (let run = start; run.frames.lines < end; ) {
    const lines = past.linesAfter(run, Math.min(FOLD_LINES, end - run.frames.lines))
    if (lines.length === 0) break
    const { hit, after } = evaluate(run, lines, probe)
    if (hit) last = { run, lines }
    run = after
    yield run
  }
  return last === null ? null : lastIn(last.run, last.lines, probe)
}

const FOLD_LINES = 256

interface Probe {
  readonly conditions: Conditions
  /** The local time zone's offset from UTC, ms. */
  readonly zone: number
}

function evaluate(run: Run, lines: readonly Decoded[], probe: Probe): { hit: boolean; after: Run } {
  const { run: after, conditions } = foldWithBreakpoints(run, lines, probe.conditions, probe.zone)
  return { hit: conditions.pending.length > 0, after }
}

/** The state right after the last match in these lines. */
function lastIn(from: Run, lines: readonly Decoded[], probe: Probe): Run | null {
  let [run, found]: [Run, Run | null] = [from, null]
  for (const line of lines) {
    const { hit, after } = evaluate(run, [line], probe)
    run = after
    if (hit) found = run
  }
  return found
}
