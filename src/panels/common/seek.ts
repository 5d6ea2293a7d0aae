// Shows another moment of the run.
import type { Moment } from "../../query/moment.ts"
import { frameNumber, type Row } from "../../run/model/run.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, notice, only, type Plan } from "../../view/plan-result.ts"
import { cursorOn, cursorPlace } from "../../view/select/log-rows.ts"
import { createSlice } from "../../view/slice.ts"
import { isRecording, type State } from "../../view/state.ts"
import type { Time } from "../../view/time.ts"
import { followingEnd, followRow, openRow, selectingRow } from "./open-entry.ts"

/** The moment and the place that a jump left, for the way back. */
type Departure = Readonly<ReturnType<typeof departureOf>>

/** Where jumps began, the last one last. */
const jumps = createSlice<{ readonly begun: readonly Departure[] }>("jumps", { begun: [] })

/** The most places kept for the way back. */
const DEPARTURES = 100

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return state.isPast || isRecording(state)
}

/** Stops playing, and shows the run at a moment, whose row the log follows. */
export function seek(moment: Moment): Plan {
  return both(both(setTime({ playing: false }), change({ log: { cursor: null } })), only({ type: "time/seek", moment }))
}

/** A jump: goes to `there`, and keeps the place it leaves for the way back. */
export function jump(state: State, there: Plan): Plan {
  const begun = [...jumps.of(state.view).begun.slice(1 - DEPARTURES), departureOf(state)]
  return both(change(jumps.put(state.view, { begun })), there)
}

/** Goes back to where the last jump began that led elsewhere; `now` is in epoch ms. */
export function returnFromJump(state: State, now: number): Plan {
  const { begun } = jumps.of(state.view)
  const here = departureOf(state)
  const last = begun.findLastIndex(one => isElsewhere(one, here))
  const back = begun[last]
  if (back === undefined) return notice("No jump to go back from", "info", now)
  const there = back.frame === null ? toPresent(state) : seek({ type: "frame", frame: back.frame })
  return both(there, change({ ...back.place, ...jumps.put(state.view, { begun: begun.slice(0, last) }) }))
}

function departureOf({ view, run, isPast }: State) {
  const { focus, maximized, overlays, list, reader, log } = view
  const there = { list: { selected: list.selected, pinned: list.pinned }, reader: { text: reader.text } }
  const place = { focus, maximized, overlays, ...there, log: { cursor: log.cursor } }
  return {
    /** The frame shown; null for the present. */
    frame: isPast ? frameNumber(run) : null,
    place,
  }
}

/** False after a jump that found nothing. */
function isElsewhere(one: Departure, here: Departure): boolean {
  const { overlays, list, log } = one.place
  const { place } = here
  if (one.frame !== here.frame || log.cursor !== place.log.cursor || list.selected !== place.list.selected) return true
  // Closing the palette makes a new list of the same overlays.
  return overlays.length !== place.overlays.length || overlays.some((overlay, i) => overlay !== place.overlays[i])
}

/** Back to the present, whose end the log and the reader follow; a moment that is still sought is given up. */
export function toPresent({ view }: State): Plan {
  const now: Plan = { actions: [{ type: "show", run: null }], effects: [] }
  return both(both(now, setTime({ seeking: false })), change(followingEnd(view)))
}

/** Changes how the past is played. */
export function setTime(change: Partial<Omit<Time, "present">>): Plan {
  return { actions: [{ type: "time", change }], effects: [] }
}

/** The row from which a jump starts: that of the open entry or the cursor; without one it stands behind the moment. */
export function jumpStart(state: State, step: Direction): number {
  const isBehind = state.view.log.cursor === null && step < 0
  return openRow(state) ?? cursorPlace(state) + (isBehind ? 1 : 0)
}

/**
 * Puts the cursor on a row of the log and selects its session; the row takes the place of another that is open in
 * front. In a recording and in the past, the run is shown at the row's frame.
 */
export function goToRow(state: State, row: Row): Plan {
  const whole = { ...state, run: state.present }
  const moved = { ...cursorOn(state, row), ...selectingRow(whole, row), ...followRow(whole, row) }
  const there = change({ focus: openRow(state) === null ? "log" : state.view.focus, ...moved })
  return jump(state, seeks(state) ? both(seek({ type: "frame", frame: row.frame }), there) : there)
}
