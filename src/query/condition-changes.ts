// Finds where watched conditions start or stop being true.
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import { sessionName } from "../run/select/figures.ts"
import type { Condition, ConditionChange, ConditionHit } from "./conditions.ts"
import { type FoldStep, foldInSteps, foldStep, newHit } from "./fold-with-breakpoints.ts"

/** A change, before it is known which line made it. */
type Change = Pick<ConditionChange, "to" | "words">

/** Folds `lines` and returns the changes by the condition's key, each at its line. */
export function changesIn(
  from: Run,
  lines: readonly Decoded[],
  list: readonly Condition[],
  zone: number,
): { readonly run: Run; readonly found: ReadonlyMap<number, readonly ConditionChange[]> } {
  const found = new Map<number, ConditionChange[]>()
  let run = from
  for (const step of foldInSteps(from, lines)) {
    run = step.after
    const changed = step.isNote ? [] : list.filter(one => changesOf(one, step, zone).length > 0)
    let { before } = step
    for (const line of changed.length > 0 ? step.lines : []) {
      const own = step.lines.length === 1 ? step : foldStep(before, [line])
      before = own.after
      for (const one of changed) {
        const changes = changesOf(one, own, zone)
        if (changes.length === 0) continue
        const known = found.get(one.key) ?? []
        found.set(one.key, known)
        known.push(...changes.map(change => ({ ...change, ...placeOf(own.after, line) })))
      }
    }
  }
  return { run, found }
}

function placeOf(run: Run, line: Decoded): Pick<ConditionChange, "frame" | "epoch" | "seq" | "ts"> {
  const seq = "seq" in line && typeof line.seq === "number" ? line.seq : null
  return { frame: frameNumber(run), epoch: Math.max(0, run.epochs.length - 1), seq, ts: run.lastTs }
}

/** The sessions of a hit, in words; empty if it was the run. */
export function whoWords(run: Run, { sessions, count }: Pick<ConditionHit, "sessions" | "count">): string {
  const names = sessions.flatMap(index => {
    const name = sessionName(run, index)
    return name === null ? [] : [name]
  })
  const more = count - names.length
  if (names.length === 0) return count > 1 ? `${count} times` : ""
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ")
}

function changesOf(one: Condition, step: FoldStep, zone: number): readonly Change[] {
  const { before, after, changed } = step
  // A condition that stops being true is one that becomes true when the step is reversed.
  const stopped = newHit(one, { before: after, after: before, changed }, zone)
  const started = newHit(one, step, zone)
  return [
    ...(stopped === null ? [] : [{ to: false, words: whoWords(before, stopped) }]),
    ...(started === null ? [] : [{ to: true, words: whoWords(after, started) }]),
  ]
}
