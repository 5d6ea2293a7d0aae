// What a run is shown on: a screen that fills the terminal, or lines that are told one after the other.

import type { Background, Depth } from "../ui/theme.ts"
import type { Effect } from "../view/effect.ts"
import type { State } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { Multiplexer } from "./clipboard.ts"

export interface SurfaceOptions {
  readonly store: Store
  readonly look: {
    readonly theme: Background | "auto"
    readonly colors: Depth
    readonly ascii: boolean
    readonly motion: boolean
    readonly mouse: boolean
    readonly onAgentExit: "stay" | "leave"
    readonly multiplexer: Multiplexer
    readonly chart: string | null
    readonly session: string | null
  }
  /** Epoch ms. */
  readonly now: () => number
  readonly perform: (effects: readonly Effect[]) => void
  /** Ends the source. */
  readonly stop: () => void
  /** Where keys come from, or what is typed without a screen; null where stdin is somebody else's. */
  readonly keys: NodeJS.ReadStream | null
  /** Hands a signal on to whom it is for; false where it is ours to obey. */
  readonly takes: (signal: NodeJS.Signals) => boolean
  /** Keeps what is to be known of a fault; the path where it stands, null where it stands nowhere. */
  readonly fault: (fault: unknown) => string | null
}

/** Where the run is shown, while it is ours. */
export interface Surface {
  redraw(): void
  suspend(): void
  /** Gives the terminal to another program until `work` is done. */
  lend<T>(work: () => Promise<T>): Promise<T>
  bell(): void
  /** Names the window; null gives it back the name that it had. */
  title(text: string | null): void
  /** Has the desktop tell it, where the terminal knows how. */
  notify(text: string): void
  /** Sends a text to the clipboard; false where it is too long for that, or there is none. */
  copy(text: string): boolean
  /** False once the terminal has said that another window has the keyboard. */
  focused(): boolean
  /** Gives the terminal back and ends the process; `words` go to stderr as one line. */
  leave(code: number, words?: string): void
  /** Leaves where that was asked for and the run is over with nobody at the other end. */
  agentGone(state: State): void
}
