// Finds the next or previous error, warning, state change, question or turn in the log.
import { at } from "../run/model/chunked-list.ts"
import { changesState, eventTypeOf } from "../run/model/event.ts"
import type { Row, Run } from "../run/model/run.ts"
import type { JumpKind } from "./jump-kind.ts"
import { MatchIndex, nextIn, type ScannedRange, wholeLog } from "./match-index.ts"

const TESTS: { readonly [kind in JumpKind]: (row: Row) => boolean } = {
  error: row => row.level === "error",
  warning: row => row.level === "warning",
  state: ({ what }) => (what.kind === "event" ? changesState(what) : what.kind === "evicted" && what.changesState),
  prompt: row => eventTypeOf(row) === "human-input/start",
  turn: row => eventTypeOf(row) === "llm/start",
}

const INDEXES: { readonly [kind in JumpKind]: MatchIndex } = {
  error: new MatchIndex((_, row) => TESTS.error(row)),
  warning: new MatchIndex((_, row) => TESTS.warning(row)),
  state: new MatchIndex((_, row) => TESTS.state(row)),
  prompt: new MatchIndex((_, row) => TESTS.prompt(row)),
  turn: new MatchIndex((_, row) => TESTS.turn(row)),
}

/** The rows that filters show: those of an index, in the chunks that were scanned. */
interface ShownRows {
  readonly matches?: MatchIndex | null
  readonly range?: ScannedRange
}

/** True if jumps of this kind stop at the row. */
export function isJumpTarget(kind: JumpKind, row: Row): boolean {
  return TESTS[kind](row)
}

/**
 * Index of the next row of a kind after `from` (-1 for before the first row), or of the previous one with `step` -1;
 * null if there is none. Only rows that are shown count. Costs a lookup per chunk in between.
 */
export function jump(run: Run, kind: JumpKind, step: 1 | -1, from: number, shown: ShownRows = {}): number | null {
  const { matches = null, range = wholeLog } = shown
  return nextIn(run, matches === null ? [INDEXES[kind]] : [INDEXES[kind], matches], from, step, range)
}

/** The row itself, for seeking in a replay. */
export function jumpRow(run: Run, kind: JumpKind, step: 1 | -1, from: number): Row | null {
  const index = jump(run, kind, step, from)
  return index === null ? null : (at(run.log.rows, index) ?? null)
}
