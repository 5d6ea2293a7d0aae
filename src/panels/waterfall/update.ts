// Plans what the keys of the view of time do, and says what it shows: its rows are sessions, its columns time.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { rangeAround, runRange, type TimeRange, turnAt, waterfallTurnOf } from "../../run/select/waterfall.ts"
import { readingAt, readingOf } from "../../view/block-reading.ts"
import type { Direction } from "../../view/intent.ts"
import { noMore, notice, type Plan } from "../../view/plan-result.ts"
import { sessionOf, targetOf } from "../../view/select/shown-session.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import type { ViewChange } from "../../view/view.ts"
import { openTranscript } from "../common/open-entry.ts"
import { alter, cursors } from "../common/views.ts"

/** The session under the cursor; the first where none was chosen. */
export function waterfallRow(state: State): number {
  return sessionOf(state.present, state.view.list.selected) ?? 0
}

/** The turn that was chosen, else the one at the moment shown; 0 where there is none. */
export function waterfallTurn(state: State): number {
  return cursors.of(state.view).timeTurn ?? turnAt(state.present, waterfallRow(state), momentOf(state))
}

/** The moment that the panes show, epoch ms. */
export function momentOf({ run }: State): number {
  return run.lastTs ?? 0
}

/** Until when the run is known, epoch ms: a clock runs on while an agent is at work and nobody is in the past. */
export function waterfallNow(state: State, now: number): number {
  const present = state.present
  const last = present.lastTs ?? 0
  return isLive(state) && !state.isPast && !isOver(present) ? Math.max(last, now) : last
}

/** The time that is shown: the whole run, or what is around the chosen turn; null where nothing has a time. */
export function shownRange(state: State, wall: number): TimeRange | null {
  const now = waterfallNow(state, wall)
  const whole = runRange(state.present, now)
  const isNear = whole !== null && cursors.of(state.view).isNear
  const turn = isNear ? waterfallTurnOf(state.present, waterfallRow(state), waterfallTurn(state), now) : null
  return whole === null || turn === null ? whole : rangeAround(whole, turn)
}

/** The cursor on another session, whose turn is that of the moment shown. */
export function onSession({ present, view }: State, row: number): ViewChange {
  return {
    list: { selected: targetOf(present, row), pinned: true },
    reader: { text: readingOf(view.reader.text, null) },
    ...cursors.put(view, { timeTurn: null }),
  }
}

/** To the next turn of the session under the cursor, or the one before. */
export function stepTurn(state: State, step: Direction, wall: number): Plan {
  const to = waterfallTurn(state) + step
  const turn = waterfallTurnOf(state.present, waterfallRow(state), to, waterfallNow(state, wall))
  return turn === null || to < 1 ? noMore("turn", step, wall) : alter(state.view, { timeTurn: to })
}

/** Opens the chosen turn in the reader. */
export function openTurn(state: State, now: number): Plan {
  const turn = waterfallTurn(state)
  const session = state.present.sessions[waterfallRow(state)]?.id ?? null
  const index = sessionIndex(state.run, session) ?? -1
  const known = state.run.sessions[index]
  if (known === undefined || known.turns < turn) return notice("Not started yet at this point", "info", now)
  return openTranscript(state, index, readingAt(state.view.reader.text, known, turn))
}
