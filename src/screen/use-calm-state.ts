// Binds the store to one signal, and holds back changes that come faster than anybody reads: each costs a picture.
import { type Accessor, createComputed, createSignal, onCleanup, untrack } from "solid-js"
import type { State } from "../view/state.ts"
import type { Store } from "../view/store.ts"

type MayWait = (before: State, after: State) => boolean

/** The one signal over the store. Its value is replaced as a whole, never merged into. */
export function bindStore(store: Store): Accessor<State> {
  const [state, setState] = createSignal(store.shown())
  onCleanup(store.subscribe(() => setState(store.shown())))
  return state
}

/** The state, with changes that may wait at most once in `ms`; any other change comes at once. */
export function useCalmState(state: Accessor<State>, ms: number, mayWait: MayWait): Accessor<State> {
  const [calm, setCalm] = createSignal(untrack(state))
  let timer: Timer | null = null
  const show = (next: State): void => {
    setCalm(next)
    if (ms > 0) timer ??= setTimeout(showLater, ms)
  }
  const showLater = (): void => {
    timer = null
    if (untrack(calm) !== untrack(state)) show(untrack(state))
  }
  createComputed(() => {
    const next = state()
    if (timer === null || !mayWait(untrack(calm), next)) show(next)
  })
  onCleanup(() => timer !== null && clearTimeout(timer))
  return calm
}

/** True while a recording is read and the screen shows its end, an unchanged moment, or playback. */
export function isOnlyReading(before: State, after: State): boolean {
  if (before.view !== after.view || before.link !== after.link || after.link.state !== "replaying") return false
  if (before.isPast !== after.isPast || before.time.playing !== after.time.playing) return false
  return !after.isPast || after.time.playing || before.run === after.run
}

/** True if replies have grown and nothing else has happened. */
export function isOnlyFigures(before: State, after: State): boolean {
  const [was, is] = [before.run, after.run]
  return (
    before.view === after.view &&
    before.link === after.link &&
    before.isPast === after.isPast &&
    was.log.rows === is.log.rows &&
    was.prompts === is.prompts &&
    was.debug === is.debug &&
    was.chart === is.chart &&
    was.status === is.status &&
    was.facts.progress === is.facts.progress
  )
}
