// Opens the list of what led to a turn or to a row, and finds what stands in it.
import { rowIdOf, rowIndex, turnIdOf, turnPlace } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { RowId, TurnPlace, TurnRef } from "../../run/model/id.ts"
import type { Row } from "../../run/model/run.ts"
import { type Causes, causesOfRow, causesOfTurn } from "../../run/select/why.ts"
import { change, inFront, notice, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"

/** Opens what led to a turn, or to a row of no session; says so where there is nothing to tell. */
export function openWhy(state: State, turn: TurnPlace | null, row: Row | null, now: number): Plan {
  const { present } = state
  const session = present.sessions[turn?.session ?? -1]
  const about =
    turn !== null && session !== undefined
      ? { session: session.id, turn: turnIdOf(session, turn.turn) }
      : row === null
        ? null
        : rowIdOf(present, row)
  if (about === null || causesOf(state, about).list.length === 0) return notice("No known cause", "info", now)
  return change({ overlays: inFront(state, { type: "why", cursor: 0, about }) })
}

/** Causes change only with texts that were read from disk meanwhile. */
const causes = derived<Causes>()

/** What led to a turn or a row. */
export function causesOf({ present, captures, recalled }: State, about: TurnRef | RowId): Causes {
  return causes([about, captures, recalled, present.disk.epochs], () =>
    "session" in about
      ? causesOfTurn({ run: present, captures }, turnPlace(present, about))
      : causesOfRow({ run: present, captures, recalled }, rowIndex(present, about)),
  )
}
