// Defines where a run is shown: on a screen that fills the terminal, or as plain printed lines.
import type { SafeText } from "../../packages/wire/src/sanitize.ts"
import type { Row } from "../run/model/run.ts"
import type { Title } from "../ui/line.ts"
import type { Background, Depth } from "../ui/theme.ts"
import type { ThemeFile } from "../ui/theme-file.ts"
import type { Effect } from "../view/effect.ts"
import type { State } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { Multiplexer } from "./clipboard.ts"

export interface SurfaceOptions {
  readonly theme: Background | ThemeFile | "auto"
  /** The background if the terminal doesn't tell its own. */
  readonly likelyBackground: Background
  readonly colors: Depth
  readonly ascii: boolean
  readonly motion: boolean
  readonly mouse: boolean
  readonly onAgentExit: "stay" | "leave"
  readonly multiplexer: Multiplexer
  /** Epoch ms. */
  readonly now: () => number
  /** Calls `run` after `ms`; the returned function cancels. */
  readonly after: (ms: number, run: () => void) => () => void
  readonly times: "full" | "short" | "no"
  /** The source of keys, or of typed lines without a screen; null if stdin belongs to a guest. */
  readonly keys: NodeJS.ReadStream | null
  /** True if an agent started the screen and restores the terminal where the screen is killed. */
  readonly isSpawned: boolean
}

export interface ShownRun {
  readonly store: Store
  readonly title: Title
  perform(effects: readonly Effect[]): void
  /** Reports the log rows on the screen, null without a log; recalls their frames into the state before it returns. */
  showRows(rows: readonly Row[] | null): void
  /** Notes a key, a click or a paste. */
  keyPressed(): void
  /** Forwards a signal to a guest; false if there is none. */
  forwardSignal(signal: NodeJS.Signals): boolean
  /** Writes a fault and the frames before it to a file; returns its path, null if that failed. */
  fault(fault: unknown): string | null
  /** Ends the run; may be called more than once. The promise resolves once everything is sent, within 1 s. */
  close(): Promise<void> | null
}

export interface Surface {
  /** The abilities of a screen that fills the terminal; null without one, or once it has failed. */
  readonly terminal: Terminal | null
  show(run: ShownRun): void
  /** Resolves once the reader has taken most of the printed text; undefined if it has. */
  taken(): Promise<void> | undefined
  /** Ends the run, gives the terminal back and ends the process; `words` go to stderr as one line. */
  leave(code: number, words?: SafeText): void
  /** Leaves if the options ask for it, once the run is over and the agent is gone. */
  agentGone(state: State): void
}

export interface Terminal {
  redraw(): void
  /** Stops the process until the shell continues it; `words` are printed before. */
  suspend(words: SafeText | null): void
  /** Turns the mouse on or off; true for on. */
  toggleMouse(): boolean
  /** Gives the terminal to another program until `work` is done. */
  lend<T>(work: () => Promise<T>): Promise<T>
  bell(): void
  /** Sets the window's title; null restores the earlier one. */
  title(text: SafeText | null): void
  notify(text: SafeText): void
  /** Sends a text to the clipboard, encoded, so it may have any characters; false if it is too long. */
  copy(text: string): boolean
  /** False while another window has the keyboard. */
  focused(): boolean
}
