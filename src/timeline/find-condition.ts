// Searches the past of a run for the next or previous line at which a condition became true.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { added, type Breakpoints, noBreakpoints } from "../query/breakpoints.ts"
import type { Filter } from "../query/filter/filter.ts"
import { foldWithBreakpoints } from "../query/fold-with-breakpoints.ts"
import type { Run } from "../run/model/run.ts"
import type { Past } from "./past.ts"

/** The state after the next line in direction `step` that meets the condition; null if none. Throws a file error. */
export function* findCondition(
  past: Past,
  from: Run,
  filter: Filter,
  step: 1 | -1,
  zone = 0,
): Generator<Run, Run | null> {
  const probe = { breakpoints: added(noBreakpoints, filter), zone }
  if (step > 0) {
    for (let run = from; ; ) {
      const lines = past.linesToSnapshot(run)
      if (lines.length === 0) return null
      const { hit, after } = evaluate(run, lines, probe)
      if (hit) return narrow(run, lines, probe, "first")
      run = past.snapshotOf(after)
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
  return last === null ? null : narrow(last.run, last.lines, probe, "last")
}

const FOLD_LINES = 256

interface Probe {
  readonly breakpoints: Breakpoints
  readonly zone: number
}

function evaluate(run: Run, lines: readonly Decoded[], probe: Probe): { hit: boolean; after: Run } {
  const { run: after, breakpoints } = foldWithBreakpoints(run, lines, probe.breakpoints, probe.zone)
  return { hit: breakpoints.pending.length > 0, after }
}

/** The state right after the first or last match in these lines. */
function narrow(from: Run, lines: readonly Decoded[], probe: Probe, wanted: "first" | "last"): Run | null {
  let run = from
  let found: Run | null = null
  for (const line of lines) {
    const { hit, after } = evaluate(run, [line], probe)
    run = after
    if (!hit) continue
    if (wanted === "first") return run
    found = run
  }
  return found
}
