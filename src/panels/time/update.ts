// Decides what the keys do that move through the time of a run.

import { JUMP_WORDS, type JumpKind, jumpRow } from "../../query/jump.ts"
import { type Moment, readGoal } from "../../query/moment.ts"
import { at } from "../../run/model/chunked-list.ts"
import { frameNumber, type Row } from "../../run/model/run.ts"
import type { TimeIntent } from "../../view/intent.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { IDLE_LIMITS, isPast, presentOf, SPEEDS, type Time } from "../../view/time.ts"
import { followRow, openRow } from "../pager/open-entry.ts"

/** Why nothing is sent while the past is shown. */
export const LOCKED = "Nothing is sent from the past: End goes back to now"

export function planTime(state: State, wish: TimeIntent, now: number): Plan {
  const frame = frameNumber(state.run)
  const total = frameNumber(presentOf(state))
  switch (wish.to) {
    case "frame": {
      const to = Math.max(0, frame + wish.step)
      if (to > total) return notice("This is the latest frame", "info", now)
      return to === frame ? notice("This is before the first frame", "info", now) : seek({ type: "frame", frame: to })
    }
    case "tenth":
      return seek({ type: "frame", frame: Math.round((total * wish.tenth) / 10) })
    case "goto":
      return change({ typing: { to: "goto", text: "", error: null } })
    case "play":
      return planPlay(state)
    case "loop": {
      const { loop } = state.time
      return both(set({ loop: !loop }), notice(loop ? "It ends at its end" : "It begins again at its end", "info", now))
    }
    case "speed": {
      const speed = next(SPEEDS, state.time.speed, wish.step)
      return both(
        set({ speed }),
        notice(speed === Infinity ? "As fast as it can be read" : `Speed ${speed}`, "info", now),
      )
    }
    case "idle": {
      const idleLimitMs = next(IDLE_LIMITS, state.time.idleLimitMs, wish.step)
      const words =
        idleLimitMs === Infinity ? "Gaps last as long as they did" : `Gaps last at most ${idleLimitMs / 1000} s`
      return both(set({ idleLimitMs }), notice(words, "info", now))
    }
    case "condition": {
      const { sought } = state.view
      return sought === null ? nothing : search(sought, wish.step)
    }
  }
}

/** Goes to what was typed: a moment, or where a condition comes true next. */
export function planGoal(text: string, now: number): Plan {
  if (text.trim() === "") return nothing
  const goal = readGoal(text)
  if ("error" in goal) return notice(`Nowhere to go: ${goal.error}`, "warning", now)
  if (goal.type !== "condition") return seek(goal)
  return both(change({ sought: goal.filter }), search(goal.filter, 1))
}

/** In a replay or the past the keys that jump in the log seek: the run is shown at the row's frame. */
export function planSeekJump(
  state: State,
  { kind, step }: { readonly kind: JumpKind; readonly step: 1 | -1 },
  now: number,
): Plan {
  const present = presentOf(state)
  const open = openRow(state)
  const { rows } = state.run.log
  const frame = at(rows, open ?? -1)?.frame ?? frameNumber(state.run)
  const row = rowBeyond(kind, step, frame, open ?? (step > 0 ? rows.length - 1 : rows.length))
  return row === null
    ? notice(`No ${step > 0 ? "later" : "earlier"} ${JUMP_WORDS[kind]}`, "info", now)
    : seekRow(state, row)

  /** The next row of the kind; a row that came late may stand elsewhere than its frame. */
  function rowBeyond(kind: JumpKind, step: 1 | -1, frame: number, start: number): Row | null {
    for (let from = start; ; ) {
      const row = jumpRow(present, kind, step, from)
      if (row === null) return null
      if (step > 0 ? row.frame > frame : row.frame < frame) return row
      from += step
    }
  }
}

/** Shows the run at the frame of a row, and the row in the place of another that is open in front. */
export function seekRow(state: State, row: Row): Plan {
  return both(change(followRow({ ...state, run: presentOf(state) }, row)), seek({ type: "frame", frame: row.frame }))
}

/** True where the keys that jump seek: nothing else moves in a recording. */
export function seeks(state: State): boolean {
  return isPast(state) || isRecording(state)
}

function planPlay(state: State): Plan {
  const { playing, present } = state.time
  if (playing) return set({ playing: false })
  if (present !== null && state.run !== present) return set({ playing: true })
  // At its end a recording begins again; of a live run the present is not played but awaited.
  return !isRecording(state) ? nothing : both(seek({ type: "frame", frame: 0 }), set({ playing: true }))
}

/** Shows a moment of the run, paused. */
export function seek(moment: Moment): Plan {
  return { actions: [{ type: "time", change: { playing: false } }], effects: [{ type: "seek", moment }] }
}

function search(filter: NonNullable<State["view"]["sought"]>, step: 1 | -1): Plan {
  return { actions: [{ type: "time", change: { playing: false } }], effects: [{ type: "search", filter, step }] }
}

function set(change: Partial<Omit<Time, "present">>): Plan {
  return { actions: [{ type: "time", change }], effects: [] }
}

/** The next value of a list in a direction, from a value that need not stand in it. */
function next(all: readonly number[], from: number, step: 1 | -1): number {
  return (step > 0 ? all.find(one => one > from) : all.findLast(one => one < from)) ?? from
}
