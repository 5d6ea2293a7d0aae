// Decides where the keys that jump take the log's cursor, and says so where there is nothing of the kind.
import { change, type Plan, say } from "./decision.ts"
import type { Intent } from "./intent.ts"
import { type JumpKind, jumpRow } from "./jump.ts"
import { indexOfRow } from "./row-place.ts"
import type { State } from "./state.ts"

const WORDS: { readonly [kind in JumpKind]: string } = {
  error: "error",
  warning: "warning",
  state: "change of state",
  prompt: "question",
  turn: "turn",
}

export function planJump(state: State, { kind, step }: Extract<Intent, { type: "jump" }>, now: number): Plan {
  const { run, view } = state
  // Who follows stands behind the last row.
  const from = view.cursor === null ? run.log.rows.length : indexOfRow(run, view.cursor)
  const row = jumpRow(run, kind, step, from)
  if (row === null) return say(`No ${step > 0 ? "later" : "earlier"} ${WORDS[kind]}`, "info", now)
  return change({ focus: "log", cursor: row.key, newFrom: view.cursor === null ? run.log.nextKey : view.newFrom })
}
