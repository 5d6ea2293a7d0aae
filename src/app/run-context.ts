import type { ScreenOptions } from "../cli/screen-options.ts"
import type { Surface } from "../screen/surface.ts"
import type { Clock } from "../transport/clock.ts"
import type { Intent } from "../view/intent.ts"
import type { Store } from "../view/store.ts"
import type { OpenedSource } from "./open-source.ts"

/** What the parts of one run share: its state, the ways to change it, and its timers. */
export interface RunContext {
  readonly store: Store
  /** The timers of this run: those that are still set end with it. */
  readonly clock: Clock
  /** Aborted when the run is closed. */
  readonly signal: AbortSignal
  /** Plans an intent of the program itself, not of a person, and performs its effects. Does nothing once the run is closed. */
  readonly ask: (intent: Intent) => void
  /** Shows a notice. */
  readonly tell: (text: string, level?: "info") => void
}

/** What a run is opened with. */
export interface SessionOptions {
  readonly opened: OpenedSource
  readonly screen: ScreenOptions
  /** Where the run is kept on this disk (docs/contract.md section 5), null where nobody says. */
  readonly sessionDir: string | null
  /** Where the run is recorded from its start; null where it is not. */
  readonly record: string | null
  /** What the run is shown on, which outlives it. */
  readonly surface: Surface
  /** Where keys come from; null where there are none. */
  readonly keys: NodeJS.ReadStream | null
}
