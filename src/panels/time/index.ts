// Moves through the time of a run.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Filter } from "../../query/filter/filter.ts"
import { readGoal } from "../../query/moment.ts"
import { at } from "../../run/model/chunked-list.ts"
import { frameNumber } from "../../run/model/run.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, notice, only, type Plan } from "../../view/plan-result.ts"
import { cursorOn, cursorPlace } from "../../view/select/log-rows.ts"
import { isRecording, type State } from "../../view/state.ts"
import { SPEEDS } from "../../view/time.ts"
import { PLACES } from "../common/keys.ts"
import { openRow } from "../common/open-entry.ts"
import { bind, type Opener, type Panel, stepBy } from "../common/panel.ts"
import { jump, returnFromJump, seek, seeks, setTime, toPresent } from "../common/seek.ts"

const FRAMES = ["previous or next frame; in a live run, back in time", "step rewind history"] as const

export const frameBack = bind("time/back", [","], ...FRAMES, {
  hint: "frame",
  intent: count => ({ type: "time/step", frames: -count }),
})
const frameOn = bind("time/forward", ["."], ...FRAMES, { intent: count => ({ type: "time/step", frames: count }) })
const UNPLAYED = "a live run plays by itself until you step back in time"
const unplayed = (state: State) => (seeks(state) ? null : UNPLAYED)
const noPlay = (now: number) => notice(`Nothing to play: ${UNPLAYED}`, "info", now)

export const play = bind("time/play", ["space"], "play/pause", "replay run stop", { refusal: unplayed, hint: "play" })

const SPEED = { title: "slower/faster", words: "playback rate speed", refusal: unplayed } as const

const openers: readonly Opener[] = [
  {
    from: PLACES,
    keys: [
      frameBack,
      frameOn,
      play,
      { ...SPEED, id: "time/slower", keys: ["<"], ...stepBy("time/speed", -1) },
      { ...SPEED, id: "time/faster", keys: [">"], ...stepBy("time/speed", 1) },
      bind("time/return", ["ctrl-o"], "go back to where the last jump began", "return undo seek position before"),
    ],
  },
]

export const timePanel = {
  keys: { group: "Time", openers },
  updates: {
    "time/step": (state, { frames }, { now }) => {
      const frame = frameHere(state)
      const to = Math.max(0, frame + frames)
      if (to > frameNumber(state.present)) return notice("Already at the end", "info", now)
      return to === frame ? notice("Already at the start", "info", now) : seek({ type: "frame", frame: to })
    },
    "time/play": (state, _, { now }) => (seeks(state) ? planPlay(state) : noPlay(now)),
    "time/return": (state, _, { now }) => returnFromJump(state, now),
    "time/speed": (state, { step }, { now }) => {
      if (!seeks(state)) return noPlay(now)
      const speed = next(SPEEDS, state.time.speed, step)
      const words = speed === Infinity ? "As fast as possible" : `Speed ${speed}`
      return both(setTime({ speed }), notice(words, "info", now))
    },
    "time/row": (state, _, { now }) => {
      const row = at(state.present.log.rows, openRow(state) ?? -1)
      if (row === undefined) return notice("No row of the log is open here", "info", now)
      const closed = { ...cursorOn(state, row), overlays: state.view.overlays.slice(0, -1), focus: "log" } as const
      return jump(state, both(seek({ type: "frame", frame: row.frame }), change(closed)))
    },
  },
  commands: {
    now: {
      title: "back to now",
      words: "present live end latest return",
      run: (state, _, now) => (state.isPast ? toPresent(state) : notice("This is the present", "info", now)),
    },
    loop: {
      title: "loop on or off",
      words: "repeat replay again",
      run: ({ time: { loop } }, _, now) =>
        both(setTime({ loop: !loop }), notice(loop ? "Loop off" : "Loop on", "info", now)),
    },
  },
} satisfies Panel

/** The frame shown; in a live run that of the row under the log's cursor, unless the log follows the end. */
function frameHere(state: State): number {
  if (seeks(state) || state.view.log.cursor === null) return frameNumber(state.run)
  return at(state.present.log.rows, cursorPlace(state))?.frame ?? frameNumber(state.run)
}

/** Goes to where a condition comes true next, or came true before. */
export function nextCondition(state: State, sought: Filter, step: Direction): Plan {
  return jump(state, search(sought, step))
}

/** Goes to what was typed: a moment, or where a condition comes true next. */
export function planGoal(state: State, text: string, now: number): Plan {
  const goal = readGoal(text)
  if ("error" in goal) {
    const isUnknown = goal.error.startsWith("unknown word")
    const words = isUnknown ? `Nothing is called "${sanitizeLine(text.trim())}"` : `Can't go there: ${goal.error}`
    return notice(words, "warning", now)
  }
  if (goal.type !== "condition") return jump(state, seek(goal))
  return jump(state, both(change({ conditions: { sought: goal.filter } }), search(goal.filter, 1)))
}

const follow = change({ log: { cursor: null } })

function planPlay(state: State): Plan {
  const { run, present, time, isPast } = state
  if (time.playing) return setTime({ playing: false })
  const on = setTime({ playing: true })
  if (isPast && run.frames.lines < present.frames.lines) return both(on, follow)
  return isRecording(state) ? jump(state, both(seek({ type: "frame", frame: 0 }), on)) : toPresent(state)
}

function search(filter: Filter, step: Direction): Plan {
  return both(both(setTime({ playing: false }), follow), only({ type: "time/search", filter, step }))
}

/** The next value of a list in a direction, from a value that need not stand in it. */
function next(all: readonly number[], from: number, step: Direction): number {
  return (step > 0 ? all.find(one => one > from) : all.findLast(one => one < from)) ?? from
}
