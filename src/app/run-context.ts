// Defines what the parts of one run share, what a run is opened with, and the handlers of its effects.
import type { ScreenOptions } from "../cli/screen-options.ts"
import type { Surface } from "../screen/surface.ts"
import type { Clock } from "../transport/clock.ts"
import type { Effect } from "../view/effect.ts"
import type { Intent } from "../view/intent.ts"
import type { Store } from "../view/store.ts"
import type { OpenedSource } from "./open-source.ts"

export interface RunContext {
  readonly store: Store
  /** The timers of this run; those still set are cancelled when it is closed. */
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Plans an intent of the program itself and performs its effects. Does nothing once the run is closed. */
  readonly ask: (intent: Intent) => void
  readonly notify: (text: string, level?: "info") => void
}

export interface SessionOptions {
  readonly opened: OpenedSource
  readonly screen: ScreenOptions
  /** The run's session directory (docs/contract.md section 5); null if unknown. */
  readonly sessionDir: string | null
  /** The file to record the run to from its start; null for none. */
  readonly record: string | null
  /** Shows the run, and outlives it. */
  readonly surface: Surface
  /** A person attached to an agent that runs by itself. */
  readonly isAttached?: boolean
  /** Closes the run and shows home again; absent for a run that was not opened there. */
  readonly goHome?: () => void
}

export type EffectOf<T extends Effect["type"]> = Extract<Effect, { readonly type: T }>

/** A handler for each type of effect. */
export type EffectHandlers = { readonly [T in Effect["type"]]: (effect: EffectOf<T>) => void }
