import type { Link } from "../protocol/link.ts"
import type { Action } from "./action.ts"
import type { Effect } from "./effect.ts"
import type { Facts, Intent } from "./intent.ts"
import { plan } from "./plan.ts"
import { withTexts } from "./recall-entry.ts"
import { reduce } from "./reduce.ts"
import { emptyRun, type Given } from "./run.ts"
import { saidBy } from "./said.ts"
import { emptyState, type State } from "./state.ts"

/** Holds the state: whoever wants something asks, whoever learns something tells, and who looks is called back. */
export interface Store {
  get(): State
  /** Calls back after each change; gives the function that ends it. */
  subscribe(listener: () => void): () => void
  /** Tells what happened. */
  dispatch(action: Action): void
  /** Asks for something; gives what must be done for it. */
  ask(intent: Intent, facts: Facts): readonly Effect[]
}

/** `said` gets each line of ours just before it becomes part of the run, so that it can be kept in its place. */
export function createStore(
  link: Link,
  given: Given = emptyRun,
  said: (lines: readonly string[]) => void = () => undefined,
  zone = 0,
): Store {
  let state = emptyState(link, given, zone)
  const listeners = new Set<() => void>()
  const dispatch = (action: Action): void => {
    const own = saidBy(state, action)
    if (own.length > 0) said(own)
    const next = reduce(state, action)
    if (next === state) return
    state = next
    for (const listener of [...listeners]) listener()
  }
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    dispatch,
    ask(intent, facts) {
      const { actions, effects } = plan(withTexts(state), intent, facts)
      for (const action of actions) dispatch(action)
      return effects
    },
  }
}
