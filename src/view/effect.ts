import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import type { Filter } from "../query/filter/filter.ts"
import type { Moment } from "../query/moment.ts"
import type { PromptKey } from "../run/model/id.ts"
import type { ExportFormat, MomentPlace } from "../run/select/export-format.ts"
import type { Bookmark } from "./bookmark.ts"
import type { DirectoryRead } from "./directory-files.ts"
import type { RunTarget } from "./home.ts"

export type SearchScope = "run" | "runs"

/** A request of a plan to the world. Each type has one handler in src/app/run-handlers.ts or home-session.ts. */
export type Effect =
  | ({ readonly type: "agent/send" } & EncodedCommand)
  | { readonly type: "chart/read" }
  | { readonly type: "program/exit"; readonly code: number }

  /** Sends the answer that is held until then, epoch ms, unless it was taken back or sent before. */
  | { readonly type: "answer/hold"; readonly until: number }

  // The terminal
  | { readonly type: "terminal/redraw" }
  /** Stops the program until the shell continues it; `words` stand above the shell's line. */
  | { readonly type: "terminal/suspend"; readonly words: string | null }
  | { readonly type: "terminal/mouse" }
  | { readonly type: "terminal/bell" }
  /** Names the window; null gives it its own name back. */
  | { readonly type: "terminal/title"; readonly text: string | null }
  /** Notifies the desktop. The text is sanitized. */
  | { readonly type: "terminal/notify"; readonly text: string }

  // Files that a person asks for
  /** `what` names the text. The text is copied as it is: only a path may have characters that can't be shown. */
  | { readonly type: "clipboard/copy"; readonly what: string; readonly text: string }
  | { readonly type: "pager/show"; readonly text: string }
  /** Exports the run, or the session at this index. */
  | { readonly type: "run/export"; readonly format: ExportFormat; readonly session: number | null }
  /** Writes a page about a moment of the run, for somebody who was not there. */
  | { readonly type: "moment/export"; readonly moment: MomentPlace }
  | { readonly type: "recording/toggle" }
  /** Writes the run around the moment shown, for those who fix the program. */
  | { readonly type: "bug-report/write" }
  | { readonly type: "bookmarks/write"; readonly bookmarks: readonly Bookmark[] }
  /** Opens the answer to the prompt with this key in the person's editor. */
  | { readonly type: "answer/edit"; readonly key: PromptKey; readonly text: string }
  | { readonly type: "file/open"; readonly name: string }

  // Another moment of the run
  | { readonly type: "time/seek"; readonly moment: Moment }
  /** Shows where a condition comes true next, or came true before. */
  | { readonly type: "time/search"; readonly filter: Filter; readonly step: 1 | -1 }

  // Runs that are opened from home; leaving one closes it, and sends nothing
  | { readonly type: "run/open"; readonly target: RunTarget }
  /** Removes a run that was kept; `name` is its name in home. */
  | { readonly type: "run/forget"; readonly name: string }
  | { readonly type: "run/leave" }
  /** Asks the agent that this command starts for its sessions, and lists them in home. */
  | { readonly type: "sessions/list"; readonly command: string }
  /** Goes to the terminal of the session that an agent CLI keeps in this file, or tells how to go on with it. */
  | { readonly type: "session/terminal"; readonly path: string }

  // What memory does not hold
  | { readonly type: "directory/read"; readonly request: DirectoryRead }
  /** Searches the whole run, or all runs beside it; ends the search before. */
  | { readonly type: "runs/search"; readonly text: string; readonly scope: SearchScope }
  /** Scans more of the log once the last scan was drawn, with the frames of these lines. */
  | { readonly type: "log/scan"; readonly lines: readonly number[] }
  | { readonly type: "frames/recall"; readonly lines: readonly number[] }
  | { readonly type: "texts/recall"; readonly sessions: readonly number[] }
