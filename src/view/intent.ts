// Lists the requests of a person, or of a part of the program, to the view.
import type { Json } from "../../packages/wire/src/json.ts"
import type { JumpKind } from "../query/jump.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import type { PromptKey, RowId, SessionId } from "../run/model/id.ts"
import type { Bookmark } from "./bookmark.ts"
import type { PaneId } from "./pane-names.ts"

/** A request: a noun, a verb, and the objects of the verb. */
export type Intent =
  | { [T in PlainIntent]: { readonly type: T } }[PlainIntent]
  | { [T in StepIntent]: { readonly type: T; readonly step: Direction } }[StepIntent]
  /** In the panel in front, or in the named pane. */
  | { readonly type: "cursor/move"; readonly by: Move; readonly pane?: PaneId }
  | { readonly type: "cursor/fold"; readonly to: Fold }
  /** Folds or unfolds the card of this line of the transcript. */
  | { readonly type: "transcript/fold"; readonly line: number }
  /** Without `to`, for whichever line is typed. */
  | { readonly type: "typing/text"; readonly text: string; readonly to?: string }
  | { readonly type: "pane/focus"; readonly pane: PaneId }
  /** To the next of a kind, in the panel in front or in the log. */
  | { readonly type: "log/jump"; readonly kind: JumpKind; readonly step: Direction }
  /** Scans more of the log for filters and search, with frames that were read back for that. */
  | { readonly type: "log/scan"; readonly recalled?: Recalled }
  /** Adds the bookmarks of this run that were saved before. */
  | { readonly type: "bookmarks/known"; readonly list: readonly Bookmark[] }

  // Rows of the palette
  | { readonly type: "palette/session"; readonly session: SessionId }
  | { readonly type: "palette/question"; readonly key: PromptKey }
  | { readonly type: "palette/row"; readonly row: RowId }

  // Another moment of the run
  | { readonly type: "time/step"; readonly frames: number }
  /** Goes to a moment, or to where a condition comes true next, or carries out a command such as `watch`. */
  | { readonly type: "time/goto"; readonly text: string }

  // The agent's debugger, and the form of a re-run
  | { readonly type: "debugger/send"; readonly op: KeyOp; readonly n: number }
  /** Edits this field; picks the turn or model with this index. */
  | { readonly type: "rerun/edit"; readonly field: RerunField }
  | { readonly type: "rerun/choose"; readonly index: number }
  /** The text of a field, whichever is edited by now. */
  | { readonly type: "rerun/text"; readonly session: SessionId; readonly field: RerunField; readonly text: string }

  // Questions
  /** A key came too early; null for a click or a paste. */
  | { readonly type: "prompt/early"; readonly stroke: string | null }
  | { readonly type: "prompt/say"; readonly value: boolean }
  /** The text of the question with this key, whichever is in front by now. */
  | { readonly type: "prompt/text"; readonly key: PromptKey; readonly text: string }
  | { readonly type: "prompt/edited"; readonly key: PromptKey; readonly edited: Edited }
  | { readonly type: "prompt/pick"; readonly index: number }
  | { readonly type: "prompt/point"; readonly index: number }
  | { readonly type: "prompt/find"; readonly text: string }
  /** Answers the question with this key, or cancels it, without its form. */
  | { readonly type: "prompt/settle"; readonly key: PromptKey; readonly answer: Settled }
  | { readonly type: "notice/show"; readonly text: string; readonly level?: "info" }

/** The types of intents that need nothing more. */
export type PlainIntent =
  | "cursor/open"
  | `front/${"close" | "quit"}`
  | "find/begin"
  | "help/toggle"
  | `palette/${"open" | "choose" | "close"}`
  | `typing/${"take" | "drop"}`
  | "pane/maximize"
  /** Shows the times of the log in the next way. */
  | "log/times"
  /** Shows the data of the log row in front, or of the turn that is read; again hides them. */
  | "data/toggle"
  /** Shows the run at the moment of the log row that is open. */
  | "time/row"
  | "live/pin"
  | "sort/open"

  // Lists
  | `filters/${"toggle" | "add" | "edit" | "delete" | "switch"}`
  | `bookmarks/${"toggle" | "mark" | "go" | "delete"}`
  | `search/${"begin" | "widen" | "go"}`
  | `branches/${"go" | "diff"}`
  /** `next` opens the alerts at the next one; where they are open, it goes there. */
  | `alerts/${"next" | "go" | "why" | "aside"}`
  /** `tell` says that conditions became true, and stops the run. `go` lists the changes of one, or goes to one. */
  | `conditions/${"toggle" | "add" | "delete" | "switch" | "react" | "go" | "tell"}`

  // Menus
  | `menu/${"open" | "choose"}`
  | `copy/${"open" | "pager"}`
  | "export/open"
  | `why/${"open" | "go"}`
  | "moment/export"
  /** `step-on` steps once more towards the goal, or says that it was reached. */
  | `debugger/${"step-to" | "step-on"}`

  // Views
  /** Marks the turn that is read, or compares it with the one that is marked. */
  | "transcript/compare"
  /** `show` opens the artifact in another program. */
  | `artifacts/${"open" | "show"}`
  | `waterfall/${"toggle" | "open"}`
  | `ledger/${"toggle" | "open"}`
  | `context/${"toggle" | "open"}`

  // Another moment of the run, the form of a re-run, questions
  | `time/${"play" | "return"}`
  | `rerun/${"review" | "send"}`
  /** `edit` opens the answer in the person's own editor; `resend` repeats answers that were not confirmed. */
  | `prompt/${"answer" | "show" | "edit" | "toggle" | "erase" | "hide" | "resend"}`
  /** Pastes an answer that was typed and not sent; the field in front carries it out. */
  | "text/yank"
  /** Takes back the answer that is held, or sends it at once. */
  | `prompt/${"take-back" | "release"}`

  // Home
  | `home/${"open" | "filter" | "demo" | "forget" | "path" | "terminal" | "url" | "agent"}`
  | "run/leave"

  // The program
  | "notice/dismiss"
  | `program/${"quit" | "quit-by-word" | "interrupt" | "redraw" | "suspend" | "mouse" | "record" | "report-bug"}`

/** The types of intents that need only a direction. */
export type StepIntent =
  | "find/step"
  | "pane/next"
  | "bookmarks/step"
  | "time/speed"
  | `rerun/${"field" | "pick"}`
  /** `scroll-behind` moves a page of the pane behind the question. */
  | `prompt/${"option" | "scroll" | "next" | "scroll-behind"}`

export type IntentOf<T extends Intent["type"]> = Extract<Intent, { readonly type: T }>

type Settled = { readonly value: Json } | { readonly cancelled: true }

export type Direction = 1 | -1

export type Fold = "fold" | "unfold" | "all"

export type Move =
  | { readonly unit: "row" | "half" | "page"; readonly count: number }
  /** To this row of a list; by so many rows of the view, where that moves without the cursor. */
  | { readonly unit: "to" | "view"; readonly count: number }
  | { readonly unit: "first" | "last" | "follow" }

export type KeyOp = "pause" | "continue" | "arm" | "step" | "turn-next" | "turn-back" | "arm-llm-breakpoint"

/** A number is the index of a message. */
export type RerunField = "turn" | "model" | "temperature" | "system" | number

/** The text from an editor, or the path of its file, kept because the question was settled meanwhile. */
export type Edited =
  | { readonly type: "edited"; readonly text: string; readonly kept: string | null }
  | { readonly type: "failed"; readonly why: string }
