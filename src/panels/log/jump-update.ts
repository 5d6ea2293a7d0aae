// Decides where the keys that jump take the log's cursor, and says so where there is nothing of the kind.

import { shownMatches } from "../../query/filters.ts"
import { JUMP_WORDS, jump } from "../../query/jump.ts"
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Intent } from "../../view/intent.ts"
import { change, notice, type Plan } from "../../view/plan-result.ts"
import { cursorOn } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"
import { followRow, openRow } from "../pager/open-entry.ts"
import { planSeekJump, seeks } from "../time/update.ts"

export function planJump(state: State, { kind, step }: Extract<Intent, { type: "jump" }>, now: number): Plan {
  if (seeks(state)) return planSeekJump(state, { kind, step }, now)
  const { run, view } = state
  // Who follows stands behind the last row, and who reads an entry on its row.
  const from = openRow(state) ?? (view.cursor === null ? run.log.rows.length : rowIndex(run, view.cursor))
  const shown = shownMatches(view.filters, state.zone)
  const index = jump(run, kind, step, from, shown === null ? [] : [shown], view.filters.scanned)
  const row = index === null ? undefined : at(run.log.rows, index)
  if (row === undefined) return notice(`No ${step > 0 ? "later" : "earlier"} ${JUMP_WORDS[kind]}`, "info", now)
  return change({ focus: "log", ...cursorOn(state, row), ...followRow(state, row) })
}
