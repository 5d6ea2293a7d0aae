import type { EncodedCommand } from "../protocol/encode.ts"
import type { Filter } from "../query/filter/filter.ts"
import type { Moment } from "../query/moment.ts"
import type { PromptKey } from "../run/model/id.ts"
import type { ExportFormat } from "../run/select/export-format.ts"
import type { Bookmark } from "./bookmark.ts"
import type { DirectoryRead } from "./directory-files.ts"
import type { SearchScope } from "./search-results.ts"

/** What a decision asks of the world; `perform` does it. */
export type Effect =
  | ({ readonly type: "send" } & EncodedCommand)
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "redraw" }
  | { readonly type: "suspend" }
  /** Writes down the run around the moment shown, and what is looked at, for those who mend the program. */
  | { readonly type: "bug" }
  /** Begins to record the run, or ends it. */
  | { readonly type: "record" }
  /** Opens the answer to the prompt with this key in the person's own editor. */
  | { readonly type: "edit"; readonly key: PromptKey; readonly text: string }
  /** Shows a moment of the run, paused. */
  | { readonly type: "seek"; readonly moment: Moment }
  /** Looks for where a condition comes true, from the moment shown, and shows it. */
  | { readonly type: "search"; readonly filter: Filter; readonly step: 1 | -1 }
  /** Ask the agent for the definition of its chart. */
  | { readonly type: "definition" }
  /** To the clipboard; `what` says what the text is, which may be shown, as the text may. */
  | { readonly type: "copy"; readonly what: string; readonly text: string }
  /** The text on the plain terminal, where it can be selected. */
  | { readonly type: "plain"; readonly text: string }
  /** The run, or the session at this index, into a file. */
  | { readonly type: "export"; readonly format: ExportFormat; readonly session: number | null }
  /** Look into the session directory. */
  | { readonly type: "look"; readonly wish: DirectoryRead }
  /** Open a file of the session directory in the program that the person chose for it. */
  | { readonly type: "show"; readonly name: string }
  /** Look for a text in the whole run, or in all runs beside it; a new hunt ends the one before. */
  | { readonly type: "hunt"; readonly text: string; readonly scope: SearchScope }
  | { readonly type: "bell" }
  /** Names the terminal's window; null gives it its own name back. */
  | { readonly type: "title"; readonly text: string | null }
  /** Tells a person whose terminal is not in front; the text is inert. */
  | { readonly type: "notify"; readonly text: string }
  /** Keeps the bookmarks of this run. */
  | { readonly type: "keep"; readonly bookmarks: readonly Bookmark[] }
  /** Look through more of the log, once what is there was drawn; the frames of these lines are needed for it. */
  | { readonly type: "sift"; readonly lines: readonly number[] }
  /** Read back the frames of these lines of the run. */
  | { readonly type: "recall"; readonly lines: readonly number[] }
  /** Read back what these sessions said. */
  | { readonly type: "reread"; readonly sessions: readonly number[] }
  /** Ask again at this time, epoch ms: something on the screen ends then. */
  | { readonly type: "wake"; readonly at: number }
