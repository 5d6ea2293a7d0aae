// Decides where the keys that jump take the log's cursor, and says so where there is nothing of the kind.
import { change, type Plan, say } from "./decision.ts"
import { follow, openRow } from "./entry.ts"
import { shownSieve } from "./filters.ts"
import type { Intent } from "./intent.ts"
import { JUMP_WORDS, jump } from "./jump.ts"
import { indexOfRow } from "./log-rows.ts"
import { planSeekJump, seeks } from "./plan-time.ts"
import type { State } from "./state.ts"
import { at } from "./vec.ts"

export function planJump(state: State, { kind, step }: Extract<Intent, { type: "jump" }>, now: number): Plan {
  if (seeks(state)) return planSeekJump(state, { kind, step }, now)
  const { run, view } = state
  // Who follows stands behind the last row, and who reads an entry on its row.
  const from = openRow(state) ?? (view.cursor === null ? run.log.rows.length : indexOfRow(run, view.cursor))
  const shown = shownSieve(view.filters, state.zone)
  const index = jump(run, kind, step, from, shown === null ? [] : [shown], view.filters.sifted)
  const row = index === null ? undefined : at(run.log.rows, index)
  if (row === undefined) return say(`No ${step > 0 ? "later" : "earlier"} ${JUMP_WORDS[kind]}`, "info", now)
  const newFrom = view.cursor === null ? run.log.nextKey : view.newFrom
  return change({ focus: "log", cursor: row.key, newFrom, ...follow(state, row) })
}
