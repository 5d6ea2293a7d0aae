// The options of a player.
import type { Moment } from "../query/moment.ts"
import type { Clock } from "../transport/clock.ts"
import type { Timing } from "../transport/pace.ts"
import type { Store } from "../view/store.ts"
import type { FrameLog } from "./frame-log.ts"
import type { RecordingIndex } from "./recording-index.ts"

export interface PlayerOptions {
  readonly store: Store
  /** Opens the frame log of the run, also after a restart. Throws a file system error. */
  readonly openLog: () => FrameLog | null
  /** Where the states of a recording are kept; null if they are in memory alone. */
  readonly index?: RecordingIndex | null
  readonly clock: Clock
  /** How fast to play (docs/decisions.md 6.1). */
  readonly timing: Timing
  /** The moment to show once the run has reached it; null for none. */
  readonly at: Moment | null
  /** Called if the run has ended without that moment; by default the person is notified. */
  readonly onMissed?: (() => void) | undefined
  readonly notify: (text: string, level?: "info") => void
  readonly onHit: () => void
}
