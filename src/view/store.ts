import type { LocalFrame } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { derived } from "../run/model/derived.ts"
import type { FoldOptions, Run } from "../run/model/run.ts"
import type { Action } from "./action.ts"
import type { Effect } from "./effect.ts"
import type { Intent } from "./intent.ts"
import type { Plan, ViewContext } from "./plan-result.ts"
import { missingTexts, runWithTexts } from "./recalled-texts.ts"
import { localFrames, reduceWith } from "./reduce.ts"
import { isAlone, withFocus } from "./select/stack.ts"
import type { Follow, Happening } from "./slice.ts"
import { emptyState, presentOf, type State, type StoreState } from "./state.ts"
import { changed, type View, type ViewChange } from "./view.ts"

/** Owns the state. `ask` plans an intent, `dispatch` applies an action, `subscribe` notifies. */
export interface Store {
  get(): StoreState
  /** The state as it is drawn and planned from; the same object until the next change. */
  shown(): State
  /** Calls back after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void
  dispatch(action: Action): void
  /** Plans and applies an intent; returns its effects. */
  ask(intent: Intent, facts: ViewContext): readonly Effect[]
}

/** Moves the reader to the session or row under the cursor of the list or of the log. */
export interface CursorFollower {
  /** The name of the place under the cursor, whose change the reader follows; null while it stays. */
  place(state: State, now: number): string | null
  /** The change of the view that shows it. */
  follow(state: State, now: number): ViewChange
}

/** The change of the view after a change of the state, at `now` in epoch ms; null for none. */
export type ChangeFollower = (before: State, after: State, now: number) => ViewChange | null

export interface StoreOptions {
  readonly link: Link
  readonly plan: (state: State, intent: Intent, facts: ViewContext) => Plan
  readonly follow?: Follow
  readonly reader?: CursorFollower
  readonly questions?: ChangeFollower
  readonly given?: Partial<FoldOptions>
  /** Gets frames of our own just before they become part of the run, so that a frame log has them in their place. */
  readonly keep?: ((frames: readonly LocalFrame[]) => void) | undefined
  readonly zone?: number
}

/** Makes the store of one run. */
export function createStore(options: StoreOptions): Store {
  const { link, plan, follow = view => view, reader, questions, given, keep, zone = 0 } = options
  let state = emptyState(link, given, zone)
  let shown: State | null = null
  /** The time of the latest intent or action, epoch ms, and the place that the reader shows. */
  let now = 0
  let read: string | null = null
  const listeners = new Set<() => void>()
  const current = (): State => {
    shown ??= shownState(state)
    return shown
  }
  /** The reader follows the cursor within the same change. */
  const keepReading = (): void => {
    const place = reader?.place(current(), now) ?? null
    if (reader !== undefined && place !== null && place !== read) {
      state = { ...state, view: withFocus(state.view, reader.follow(current(), now)) }
      shown = null
    }
    read = place
  }
  // Several actions of one plan are one change: nobody sees the states between them.
  const apply = (actions: readonly Action[]): void => {
    const [before, seen] = [state, current()]
    for (const action of actions) {
      const own = localFrames(state, action)
      if (own.length > 0) keep?.(own)
      const next = reduceWith(state, action, own)
      const view = happenings(state, next, action, own).reduce(follow, next.view)
      state = view === next.view ? next : { ...next, view }
      now = ("now" in action ? action.now : action.type === "frames" ? action.hands?.now : null) ?? now
    }
    if (state === before) return
    shown = null
    keepReading()
    const told = questions?.(seen, current(), now) ?? null
    if (told !== null) [state, shown] = [{ ...state, view: changed(state.view, told) }, null]
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => state,
    shown: current,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch: action => apply([action]),
    ask(intent, facts) {
      now = facts.now
      const { actions, effects } = plan(current(), intent, facts)
      apply(actions)
      return effects
    },
  }
}

/** The events of the run in an action, for the slices. */
function* happenings(
  before: StoreState,
  after: StoreState,
  action: Action,
  own: readonly LocalFrame[],
): Generator<Happening> {
  const frames = action.type === "frames" ? action.frames : own.map(({ frame }) => frame)
  if (frames.length > 0) yield { type: "frames", frames, before: presentOf(before) }
  if (action.type === "refilled") yield { type: "refilled" }
  if (after.run !== before.run) yield { type: "shown", run: after.run }
}

/** The state as it is drawn and planned from. */
export function shownState(state: StoreState): State {
  const { recalledTexts: _, time, ...rest } = state
  const { present, ...playback } = time
  return {
    ...rest,
    run: runWithTexts(state),
    view: placedView(presentOf(state), rest.view),
    present: presentOf(state),
    isPast: present !== null,
    time: playback,
    missingTexts: missingTexts(state),
  }
}

/** The reader has the focus where there is no list to have it. */
function placedView(present: Run, view: View): View {
  return view.focus === "live" && isAlone(present, view) ? readers([view], () => ({ ...view, focus: "text" })) : view
}

const readers = derived<View>()

/** The state with the present shown, from which everything is planned that concerns the agent. */
export function atPresent(state: State): State {
  if (!state.isPast) return state
  return { ...state, run: state.present, isPast: false, time: { ...state.time, playing: false } }
}
