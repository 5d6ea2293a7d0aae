// Looks for where a condition came true in the past of a run.
import type { Decoded } from "../protocol/frame.ts"
import { added, type Breakpoints, noBreakpoints } from "../query/breakpoints.ts"
import type { Filter } from "../query/filter/filter.ts"
import { foldWithBreakpoints } from "../query/fold-with-breakpoints.ts"
import type { Run } from "../run/model/run.ts"
import type { Past } from "./past.ts"

/**
 * Walks through the run from a state, on or back, to the line that made the condition come true, as a breakpoint would
 * have hit. Gives the state after that line, null where there is none, and yields its place every few hundred lines, so
 * that others get their turn. Throws the error of the file system.
 */
export function* search(past: Past, from: Run, filter: Filter, step: 1 | -1, zone = 0): Generator<Run, Run | null> {
  const probe = { breakpoints: added(noBreakpoints, filter), zone }
  if (step > 0) {
    for (let run = from; ; ) {
      const lines = past.onward(run)
      if (lines.length === 0) return null
      const { hit, after } = tried(run, lines, probe)
      if (hit) return narrowed(run, lines, probe, "first")
      run = past.shared(after)
      yield run
    }
  }
  // What made it true lies before the state that is shown.
  for (let end = from.frames.lines - 1; end > 0; ) {
    const start = past.before(end)
    const found = yield* lastIn(past, start, end, probe)
    if (found !== null) return found
    end = start.frames.lines
  }
  return null
}

/** The last line up to `end` lines that made it come true, as the state after it. */
function* lastIn(past: Past, start: Run, end: number, probe: Probe): Generator<Run, Run | null> {
  let last: { readonly run: Run; readonly lines: readonly Decoded[] } | null = null
  for (let run = start; run.frames.lines < end; ) {
    const lines = past.next(run, Math.min(STEP, end - run.frames.lines))
    if (lines.length === 0) break
    const { hit, after } = tried(run, lines, probe)
    if (hit) last = { run, lines }
    run = after
    yield run
  }
  return last === null ? null : narrowed(last.run, last.lines, probe, "last")
}

const STEP = 256

/** The condition, and what a clock on the wall is ahead of UTC, in ms. */
interface Probe {
  readonly breakpoints: Breakpoints
  readonly zone: number
}

function tried(run: Run, lines: readonly Decoded[], probe: Probe): { hit: boolean; after: Run } {
  const { run: after, breakpoints } = foldWithBreakpoints(run, lines, probe.breakpoints, probe.zone)
  return { hit: breakpoints.pending.length > 0, after }
}

/** The state right after the first or the last of these lines that made it come true. */
function narrowed(from: Run, lines: readonly Decoded[], probe: Probe, wanted: "first" | "last"): Run | null {
  let run = from
  let found: Run | null = null
  for (const line of lines) {
    const { hit, after } = tried(run, [line], probe)
    run = after
    if (!hit) continue
    if (wanted === "first") return run
    found = run
  }
  return found
}
