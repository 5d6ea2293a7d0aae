// Where the log jumps to: the next error, warning, change of state, question or turn before or behind a row.

import { at } from "../run/model/chunked-list.ts"
import { changesState, eventTypeOf } from "../run/model/event.ts"
import type { Row, Run } from "../run/model/run.ts"
import type { JumpKind } from "./jump-kind.ts"
import { MatchIndex, nextIn, wholeLog } from "./match-index.ts"

const tests: { readonly [kind in JumpKind]: (row: Row) => boolean } = {
  error: row => row.level === "error",
  warning: row => row.level === "warning",
  state: ({ what }) => (what.kind === "event" ? changesState(what) : what.kind === "evicted" && what.changesState),
  prompt: row => eventTypeOf(row) === "human-input/start",
  turn: row => eventTypeOf(row) === "llm/start",
}

const kinds: { readonly [kind in JumpKind]: MatchIndex } = {
  error: new MatchIndex((_, row) => tests.error(row)),
  warning: new MatchIndex((_, row) => tests.warning(row)),
  state: new MatchIndex((_, row) => tests.state(row)),
  prompt: new MatchIndex((_, row) => tests.prompt(row)),
  turn: new MatchIndex((_, row) => tests.turn(row)),
}

/** True for a row that the keys of this kind lead to. */
export function isJumpTarget(kind: JumpKind, row: Row): boolean {
  return tests[kind](row)
}

/**
 * The index of the next row of a kind behind the row at `from` (-1 for before the first), or before it with `step` -1;
 * null where there is none. `shown` leaves out rows that are not shown, and all outside of `span`. Costs a look at each
 * chunk of the log that lies between, whatever came before.
 */
export function jump(
  run: Run,
  kind: JumpKind,
  step: 1 | -1,
  from: number,
  shown: readonly MatchIndex[] = [],
  span = wholeLog,
): number | null {
  return nextIn(run, [kinds[kind], ...shown], from, step, span)
}

/** The row itself: what a replay seeks. */
export function jumpRow(run: Run, kind: JumpKind, step: 1 | -1, from: number): Row | null {
  const index = jump(run, kind, step, from)
  return index === null ? null : (at(run.log.rows, index) ?? null)
}
