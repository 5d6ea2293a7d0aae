// Plans what the keys of the waterfall do: its rows are sessions, its columns time.
import type { JumpKind } from "../../query/jump.ts"
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import {
  panned,
  runRange,
  scrolledTo,
  turnAt,
  type WaterfallViewport,
  waterfallTurnOf,
  wholeViewport,
  zoomed,
} from "../../run/select/waterfall.ts"
import { readingAt, readingOf } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import type { Direction, Fold, Move } from "../../view/intent.ts"
import { both, change, noMore, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { sessionOf, targetOf } from "../../view/select/shown-session.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import { alter, cursors, toggleView } from "../common/lines-overlay.ts"
import { openTranscript } from "../common/open-entry.ts"
import type { SomeUpdates } from "../common/panel.ts"

/** The session under the cursor; the first where none was chosen. */
export function waterfallRow(state: State): number {
  return sessionOf(state.present, state.view.list.selected) ?? 0
}

/** The turn that was chosen, else the one at the moment shown; 0 where there is none. */
export function waterfallTurn(state: State): number {
  return cursors.of(state.view).fall.turn ?? turnAt(state.present, waterfallRow(state), momentOf(state))
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

/** Another session; `follow` is the end of the run, and the turn there. */
export function moveWaterfall(state: State, by: Move, context: ViewContext): Plan {
  const { fall } = cursors.of(state.view)
  if (by.unit === "follow") return alter(state.view, { fall: { ...fall, from: null, turn: null } })
  const { sessions } = state.present
  const from = waterfallRow(state)
  const last = Math.max(0, sessions.length - 1)
  const row = clamp(from + stepOf(by, from, { ...context, lines: sessions.length }), 0, last)
  if (row === from) return nothing
  const moved = change({
    list: { selected: targetOf(state.present, row), pinned: true },
    reader: { text: readingOf(state.view.reader.text, null) },
  })
  return both(moved, alter(state.view, { fall: { ...fall, turn: null } }))
}

export const waterfallUpdates = {
  "waterfall/toggle": state => toggleView(state, "waterfall"),
  "waterfall/open": (state, _, { now }) => openTurn(state, now),
  "waterfall/zoom": (state, { step }, context) => {
    const { fall } = cursors.of(state.view)
    const now = waterfallNow(state, context.now)
    const whole = runRange(state.present, now)
    if (whole === null) return nothing
    const turn = waterfallTurnOf(state.present, waterfallRow(state), waterfallTurn(state), now)
    const around = turn === null ? momentOf(state) : (turn.from + turn.to) / 2
    return withViewport(state, zoomed(fall, whole, step, around))
  },
} satisfies SomeUpdates

/** Moves the lanes sideways; all of them is the whole run. */
export function panWaterfall(state: State, to: Fold, { now }: ViewContext): Plan {
  const { fall } = cursors.of(state.view)
  if (to === "all") return withViewport(state, { ...wholeViewport, turn: fall.turn })
  const whole = runRange(state.present, waterfallNow(state, now))
  return whole === null ? nothing : withViewport(state, panned(fall, whole, to === "fold" ? -1 : 1))
}

/** To the next turn of the session under the cursor; null for another kind of jump. */
export function jumpInWaterfall(state: State, kind: JumpKind, step: Direction, { now }: ViewContext): Plan | null {
  return kind === "turn" ? (stepTurn(state, step, now) ?? noMore("turn", step, now)) : null
}

function withViewport({ view }: State, fall: WaterfallViewport): Plan {
  return alter(view, { fall })
}

/** To the next turn of the session under the cursor, or the one before; null where there is none. */
function stepTurn(state: State, step: Direction, wall: number): Plan | null {
  const now = waterfallNow(state, wall)
  const whole = runRange(state.present, now)
  const turn = waterfallTurnOf(state.present, waterfallRow(state), waterfallTurn(state) + step, now)
  if (whole === null || turn === null || turn.turn < 1) return null
  return withViewport(state, { ...scrolledTo(cursors.of(state.view).fall, whole, turn), turn: turn.turn })
}

function openTurn(state: State, now: number): Plan {
  const turn = waterfallTurn(state)
  const session = state.present.sessions[waterfallRow(state)]?.id ?? null
  const index = sessionIndex(state.run, session) ?? -1
  const known = state.run.sessions[index]
  if (known === undefined || known.turns < turn) return notice("Not started yet at this point", "info", now)
  return openTranscript(state, index, readingAt(state.view.reader.text, known, turn))
}
