// Defines what a plan needs beside the state: the time, and the layout of what is in front.
import type { BlockText, Outline } from "./block-reading.ts"
import type { Sheet } from "./reading.ts"

export interface ViewContext {
  /** Epoch ms. */
  readonly now: number
  /** Rows of a page of what is in front. */
  readonly page: number
  /** Lines of what is in front, if it is read from top to bottom. */
  readonly lines: number
  /** The transcript in front, or the text of a session. */
  readonly outline?: Outline
  readonly text?: BlockText
  /** The wrapped text in front, in a pager. */
  readonly sheet?: Sheet
  /** Where the text behind a question can be read: in its own place, only elsewhere on the screen, or nowhere. */
  readonly behind?: "seen" | "elsewhere" | "covered"
}
