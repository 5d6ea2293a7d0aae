// The debugger of the agent.
import { isAtTurn as holdsAtTurn, isPaused as holdsEvents } from "../../run/select/pause.ts"
import type { KeyOp } from "../../view/intent.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import type { Panel } from "../common/panel.ts"
import type { KeyBinding, Opener } from "../common/panel-keys.ts"
import { planOp } from "../common/send-op.ts"

const op = (name: KeyOp) => () => ({ type: "debugger/send", op: name, n: 1 }) as const

function isControlled(state: State): boolean {
  return isLive(state) && !isOver(state.run) && state.run.debug !== null
}
function isAtTurn(state: State): boolean {
  return isControlled(state) && holdsAtTurn(state.run)
}
function isPaused(state: State): boolean {
  return isControlled(state) && holdsEvents(state.run)
}

export const step: KeyBinding = {
  id: "debugger/step",
  keys: ["s"],
  counts: true,
  title: "step one event, or as many as you type first",
  words: "next single over into",
  hint: "step",
  when: state => isPaused(state) && !isAtTurn(state),
  intent: count => ({ type: "debugger/send", op: "step", n: count }),
}
export const resume: KeyBinding = {
  id: "debugger/continue",
  keys: ["c"],
  title: "continue",
  words: "resume run go play",
  hint: "continue",
  when: state => isPaused(state) || isAtTurn(state),
  intent: op("continue"),
}
export const pause: KeyBinding = {
  id: "debugger/pause",
  keys: ["p"],
  title: "pause",
  words: "stop halt break hold",
  hint: "pause",
  when: state => isControlled(state) && !isPaused(state) && !isAtTurn(state),
  intent: op("pause"),
}
export const turnNext: KeyBinding = {
  id: "debugger/turn-next",
  keys: ["n"],
  title: "next match, or with no search, run the next turn",
  words: "find again match step model",
  hint: "next turn",
  when: state => isAtTurn(state) && state.view.filters.search === null,
  intent: () => ({ type: "log/next-hit", step: 1 }),
}
export const turnBack: KeyBinding = {
  id: "debugger/turn-back",
  keys: ["b"],
  title: "step back one turn (undoes nothing)",
  words: "previous turn step",
  hint: "step back",
  when: isAtTurn,
  intent: op("turn-back"),
}

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader"],
    keys: [
      step,
      resume,
      pause,
      {
        id: "debugger/arm",
        keys: ["P"],
        title: "pause at the next external event",
        words: "arm break stop external",
        intent: op("arm"),
      },
      turnNext,
      turnBack,
    ],
  },
]

export const debuggerPanel = {
  keys: { group: "Debugger", openers },
  updates: { "debugger/send": (state, { op, n }, { now }) => planOp(state, op, n, now) },
} satisfies Panel
