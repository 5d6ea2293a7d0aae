// What runs are shown on: a screen that fills the terminal, or plain lines printed one after the other.
import type { Row } from "../run/model/run.ts"
import type { Title } from "../ui/render-context.ts"
import type { Background, Depth } from "../ui/theme.ts"
import type { Effect } from "../view/effect.ts"
import type { State } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { Multiplexer } from "./clipboard.ts"

export interface SurfaceOptions {
  readonly theme: Background | "auto"
  readonly colors: Depth
  readonly ascii: boolean
  readonly motion: boolean
  readonly mouse: boolean
  readonly onAgentExit: "stay" | "leave"
  readonly multiplexer: Multiplexer
  /** Epoch ms. */
  readonly now: () => number
  /** Where keys come from, or typed lines without a screen; null where stdin belongs to a guest. */
  readonly keys: NodeJS.ReadStream | null
}

/** A run as a surface shows it. */
export interface ShownRun {
  readonly store: Store
  readonly title: Title
  /** Performs what the plan of an intent asks for. */
  perform(effects: readonly Effect[]): void
  /**
   * Reports which rows of the log are on the screen, null while the log is hidden. Frames of these rows that memory has
   * let go of are in the state when this returns.
   */
  showRows(rows: readonly Row[] | null): void
  /** Hands a signal on to the guest that it is for; false where it is ours to obey. */
  forwardSignal(signal: NodeJS.Signals): boolean
  /** Writes a fault of the screen to a file, with the frames before it; the path, null where it cannot be written. */
  fault(fault: unknown): string | null
  /** Ends the run, before the process ends. May be called more than once. */
  close(): void
}

/** Where a run is shown, while the terminal is ours. */
export interface Surface {
  /** Shows this run, and no longer the one before. */
  show(run: ShownRun): void
  redraw(): void
  suspend(): void
  /** Gives the terminal to another program until `work` is done. */
  lend<T>(work: () => Promise<T>): Promise<T>
  bell(): void
  /** Names the window; null gives it back the name that it had. */
  title(text: string | null): void
  /** Notifies the desktop, where the terminal knows how. */
  notify(text: string): void
  /** Sends a text to the clipboard; false where it is too long for that, or there is none. */
  copy(text: string): boolean
  /** False once the terminal has said that another window has the keyboard. */
  focused(): boolean
  /** Ends the run, gives the terminal back and ends the process; `words` go to stderr as one line. */
  leave(code: number, words?: string): void
  /** Leaves where that was asked for and the run is over with nobody at the other end. */
  agentGone(state: State): void
}
