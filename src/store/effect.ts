import type { Command } from "../protocol/command.ts"
import type { Filter } from "./filter/filter.ts"
import type { Moment } from "./moment.ts"

/** What a decision asks of the world; `perform` does it. */
export type Effect =
  | { readonly type: "send"; readonly command: Command }
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  /** Opens the answer to the prompt with this key in the person's own editor. */
  | { readonly type: "edit"; readonly key: number; readonly text: string }
  /** Shows a moment of the run, paused. */
  | { readonly type: "seek"; readonly moment: Moment }
  /** Looks for where a condition comes true, from the moment shown, and shows it. */
  | { readonly type: "search"; readonly filter: Filter; readonly step: 1 | -1 }
  /** Ask the agent for the definition of its chart. */
  | { readonly type: "definition" }
  /** Read these captures, by their `io/ref`. */
  | { readonly type: "capture"; readonly refs: readonly string[] }
  | { readonly type: "bell" }
  /** Names the terminal's window; null gives it its own name back. */
  | { readonly type: "title"; readonly text: string | null }
  /** Tells a person whose terminal is not in front; the text is inert. */
  | { readonly type: "notify"; readonly text: string }
  /** Look through more of the log, once what is there was drawn. */
  | { readonly type: "sift" }
  /** Ask again at this time, epoch ms: something on the screen ends then. */
  | { readonly type: "wake"; readonly at: number }
