import { changesState, eventTypeOf } from "../run/model/row.ts"
import type { Row, Run } from "../run/model/run.ts"
import { MatchIndex, nextIn, type ScannedRange, wholeLog } from "./match-index.ts"

/** A kind of row that the user can jump between: its name, its test, and the rows that pass. */
function kindOf(words: string, test: (row: Row) => boolean) {
  return { words, test, index: new MatchIndex((_, row) => test(row)) }
}

export const JUMPS = {
  error: kindOf("error", row => row.level === "error"),
  warning: kindOf("warning", row => row.level === "warning"),
  state: kindOf("change of state", ({ what }) =>
    what.kind === "event" ? changesState(what) : what.kind === "evicted" && what.changesState,
  ),
  prompt: kindOf("question", row => eventTypeOf(row) === "human-input/start"),
  turn: kindOf("turn", row => eventTypeOf(row) === "llm/start"),
}

export type JumpKind = keyof typeof JUMPS

/** The rows that filters show: those of an index, in the chunks that were scanned. */
interface ShownRows {
  readonly matches?: MatchIndex | null
  readonly range?: ScannedRange
}

/** The next (or previous) shown row of a kind, seen from `from`; null if none. Costs a lookup per chunk. */
export function jump(run: Run, kind: JumpKind, step: 1 | -1, from: number, shown: ShownRows = {}): number | null {
  const { index } = JUMPS[kind]
  const { matches = null, range = wholeLog } = shown
  return nextIn(run, matches === null ? [index] : [index, matches], from, step, range)
}
