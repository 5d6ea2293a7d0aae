// Defines what a plan is told beside the state: the time, and how what is in front lies on the screen.
import type { BlockText, Outline } from "./block-reading.ts"
import type { Sheet } from "./reading.ts"

export interface ViewContext {
  /** Epoch ms. */
  readonly now: number
  /** Rows that a page of what is in front has. */
  readonly page: number
  /** Lines of what is in front, where that is read from top to bottom. */
  readonly lines: number
  /** The transcript in front, where there is one; or the text of a session. */
  readonly outline?: Outline
  readonly text?: BlockText
  /** How what is in front lies on the screen, where that is a pager. */
  readonly sheet?: Sheet
  /**
   * Whether a question leaves room to read what lies behind it: in the place where that is, only elsewhere on this
   * screen, or nowhere.
   */
  readonly behind?: "seen" | "elsewhere" | "covered"
}
