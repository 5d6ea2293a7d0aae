// Searches the past of a run for the next or previous line at which a condition became true.

import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { parseJson } from "../../packages/wire/src/json.ts"
import { type BeginTest, beginTest, type LinesTest } from "../query/begin-test.ts"
import { type Conditions, onlyBreakpoint } from "../query/conditions.ts"
import type { Filter } from "../query/filter/filter.ts"
import { foldWithBreakpoints, playFrames } from "../query/fold-with-breakpoints.ts"
import type { Run } from "../run/model/run.ts"
import { decodeLine } from "../transport/message.ts"
import { eventNameOf, readPlainLine } from "../transport/plain-line.ts"
import type { Past } from "./past.ts"

/**
 * The state after the next line in direction `step` that meets the condition; null if none. Yields the share that was
 * searched, from 0 to 1, or a state passed. Throws a file error.
 */
export function* findCondition(
  past: Past,
  from: Run,
  filter: Filter,
  step: 1 | -1,
  zone: number,
): Generator<Run | number, Run | null> {
  const probe = { conditions: onlyBreakpoint(filter), zone }
  const test = beginTest(filter)
  if (test !== null) return yield* findLine(past, from, { ...probe, test }, step)
  const first = from.frames.lines
  if (step === 1) {
    for (let run = from; ; ) {
      const lines = past.linesToSnapshot(run)
      if (lines.length === 0) return null
      const played = playFrames(run, lines, probe.conditions, zone)
      if (played.stopped) return played.run
      run = past.snapshotOf(played.run)
      yield (run.frames.lines - first) / (past.length - first)
    }
  }
  // The line that led to the state shown is not searched: the match must lie before it.
  for (let end = first - 1; end > 0; ) {
    const start = past.snapshotBefore(end)
    const share = 1 - end / first
    const steps = findLast(past, start, end, probe)
    let next = steps.next()
    for (; next.done !== true; next = steps.next()) yield share
    const found = next.value
    if (found !== null) return found
    end = start.frames.lines
  }
  return null
}

/** Lines read and tested in a step. */
const READ = 2048
/** Lines tested before they are folded to, on the way back; and those before them, whose texts they continue. */
const BLOCK = 8 * READ
const BEFORE = 2 * READ

/** Decodes most lines at most, and folds only to those at which the condition may become true. */
function* findLine(
  past: Past,
  from: Run,
  probe: Probe & { readonly test: BeginTest },
  step: 1 | -1,
): Generator<Run | number, Run | null> {
  const first = from.frames.lines
  const { asksDeltas, begin } = probe.test
  const [size, before] = step === -1 && asksDeltas ? [BLOCK, BEFORE] : [READ, 0]
  let test = begin()
  for (let next = step === 1 ? first : first - 1; step === 1 ? next < past.length : next > 0; ) {
    const [start, end] = step === 1 ? [next, next + size] : [Math.max(0, next - size), next]
    if (step === -1) test = begin()
    for (let at = Math.max(0, start - before); at < end; at += READ) {
      let number = at
      for (const line of past.lines(at, Math.min(at + READ, end))) addLine(line, number++, probe.test, test)
      yield (next - first) / ((step === 1 ? past.length : 0) - first)
    }
    const places = test.found().filter(place => place >= start)
    for (const place of step === 1 ? places : places.toReversed()) {
      const run = yield* past.runAtLine(place)
      const { hit, after } = evaluate(run, past.linesAfter(run, 1), probe)
      if (hit) return after
    }
    next = step === 1 ? end : start
  }
  return null
}

/** Decodes a line only if its row may show what is sought. */
function addLine(line: SourceLine, number: number, { named, asksDeltas, shows }: BeginTest, test: LinesTest): void {
  const plain = asksDeltas && typeof line === "string" ? readPlainLine(line) : null
  if (plain !== null && plain.text !== null) {
    const { ids, text, seq, adds } = plain
    test.addDelta(ids, { text, thinking: adds === "thinking", seq, coalesced: 1 }, number)
    return
  }
  if (plain?.adds === null && !shows(String(line))) {
    test.addStart(plain.ids, plain.seq, number)
    return
  }
  const name = eventNameOf(line)
  const isReply = asksDeltas && name === "llm/response" && typeof line === "string"
  if (isReply && !shows(line) && test.addReply(parseJson(line), number)) return
  if (name === null || named(name)) test.add(decodeLine(line), number)
}

/** The state after the last match in the first `end` lines. */
function* findLast(past: Past, start: Run, end: number, probe: Probe): Generator<void, Run | null> {
  let last: { readonly run: Run; readonly lines: readonly Decoded[] } | null = null
  for (let run = start; ; ) {
    const lines = past.linesAfter(run, Math.min(FOLD_LINES, end - run.frames.lines))
    if (lines.length === 0) break
    const { hit, after } = evaluate(run, lines, probe)
    if (hit) last = { run, lines }
    run = after
    yield
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
