import { hasTurnGate, isPaused as holdsEvents } from "../../run/model/held.ts"
import type { KeyOp } from "../../view/intent.ts"
import { both, change, nothing, notice, type Plan, toggleOverlay } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import { isHeard, isOver, type State, talks } from "../../view/state.ts"
import { menuOverlay } from "../common/list/list.ts"
import { bind, type KeyBinding, type MenuItem, type Panel } from "../common/panel.ts"
import { awaiting, planOp, refusal, send } from "../common/send-op.ts"

/** The goal of stepping a paused run, and the run's state when stepping began. */
interface StepGoal {
  readonly to: "state" | "session"
  readonly config: string
  readonly sessions: number
}

const stepping = createSlice<{ readonly goal: StepGoal | null }>("stepping", { goal: null })

/** Whether the run is being stepped to a goal. */
export function isStepping(state: Pick<State, "view">): boolean {
  return stepping.of(state.view).goal !== null
}

const op = (name: KeyOp) => ({
  group: "Debugger" as const,
  intent: () => ({ type: "debugger/send", op: name, n: 1 }) as const,
  refusal: (state: State) => refusal(state, name),
})

/** At a turn gate a step is a turn. */
function meantOp({ run }: State, op: KeyOp): KeyOp {
  return op === "step" && hasTurnGate(run) ? "turn-next" : op
}

function isControlled(state: State): boolean {
  return isHeard(state) && !state.view.setup.readOnly && !isOver(state.run) && state.run.debug !== null
}
function isAtTurn(state: State): boolean {
  return isControlled(state) && hasTurnGate(state.run)
}
function isPaused(state: State): boolean {
  return isControlled(state) && holdsEvents(state.run)
}

export const step = bind(
  "debugger/step",
  ["s"],
  "step one event; at a turn gate, run the turn",
  "next single over into model turn",
  {
    group: "Debugger",
    counts: true,
    hint: "step",
    when: state => !talks(state.link) && isPaused(state) && !isAtTurn(state),
    refusal: state => refusal(state, meantOp(state, "step")),
    intent: count => ({ type: "debugger/send", op: "step", n: count }),
  },
)
/** At a turn gate. */
export const runTurn: KeyBinding = { ...step, hint: "run it", when: isAtTurn }
export const resume = bind("debugger/continue", ["c"], "continue", "resume run go play", {
  ...op("continue"),
  hint: "continue",
  when: state => isPaused(state) || isAtTurn(state),
})
export const pause = bind("debugger/pause", ["p"], "pause; of an agent CLI, hold its next tool", "stop halt", {
  ...op("pause"),
  hint: "pause",
  when: state => isControlled(state) && !isPaused(state) && !isAtTurn(state),
})
export const turnBack = bind("debugger/turn-back", ["b"], "step back one turn (undoes nothing)", "previous", {
  ...op("turn-back"),
  hint: "step back",
  when: isAtTurn,
})

export const stepTo = bind(
  "debugger/step-to",
  [],
  "step to the next state, session or model turn",
  "continue until run debugger advance",
  { group: "Debugger", when: isPaused },
)
export const arm = bind("debugger/arm", [], "pause at the next external event", "arm break stop", op("arm"))

export const debuggerPanel = {
  updates: {
    "debugger/send": (state, { op, n }, { now }) =>
      both(change(stepping.put(state.view, { goal: null })), planOp(state, meantOp(state, op), n, now)),
    "debugger/step-to": state => toggleOverlay(state, { type: "step-to", cursor: 0 }),
    "debugger/step-on": (state, _, { now }) => stepOn(state, now),
  },
  overlays: { "step-to": menuOverlay({ title: () => "STEP TO", items: stepItems }) },
} satisfies Panel

function stepItems(state: State): readonly MenuItem[] {
  const closed = change({ overlays: state.view.overlays.slice(0, -1) })
  const why = refusal(state, "step") ?? (holdsEvents(state.run) ? null : "p pauses first")
  const stepsTo = (to: StepGoal["to"]): MenuItem => ({
    title: `The next ${to}`,
    why,
    chosen(now) {
      const goal = { to, config: state.run.chart.config.join(), sessions: state.run.sessions.length }
      return both(both(closed, change(stepping.put(state.view, { goal }))), send(state, { type: "step", n: 1 }, now))
    },
  })
  const toTurn = (now: number): Plan => {
    const armed = send(state, { type: "arm-llm-breakpoint" }, now)
    const continued = planOp(awaiting(state, "arm-llm-breakpoint", now), "continue", 1, now)
    return both(both(closed, armed), continued)
  }
  const turn = { title: "The next model turn", why: why ?? refusal(state, "arm-llm-breakpoint"), chosen: toTurn }
  return [stepsTo("state"), stepsTo("session"), turn]
}

/** Steps by single events, so that the run stops right where it gets to its goal. */
function stepOn(state: State, now: number): Plan {
  const { run, view } = state
  const { goal } = stepping.of(view)
  if (goal === null || state.isPast) return nothing
  const isThere = goal.to === "state" ? run.chart.config.join() !== goal.config : run.sessions.length > goal.sessions
  if (isThere)
    return both(change(stepping.put(view, { goal: null })), notice(`Reached the next ${goal.to}`, "info", now))
  if (!isControlled(state)) return change(stepping.put(view, { goal: null }))
  const isOnTheWay = view.control.ops.some(({ op: sent }) => sent === "step") || (run.debug?.stepBudget ?? 0) > 0
  return isOnTheWay || !isPaused(state) ? nothing : send(state, { type: "step", n: 1 }, now)
}
