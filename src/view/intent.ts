// Lists all that a person, or a part of the program, may ask of the view.
import type { Json } from "../protocol/json.ts"
import type { JumpKind } from "../query/jump-kind.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import type { PromptKey, SessionId } from "../run/model/id.ts"
import type { Bookmark } from "./bookmark.ts"
import type { PaneId, Tab } from "./pane-names.ts"

/** What is asked for: a noun and a verb, and what the verb needs. */
export type Intent =
  // What is in front
  | { readonly type: "cursor/move"; readonly by: Move }
  | { readonly type: "cursor/fold"; readonly to: Fold }
  /** Opens what is selected in the pane in front. */
  | { readonly type: "cursor/open" }
  | { readonly type: "front/close" }
  /** Begins to type a text to find in what is in front. */
  | { readonly type: "find/begin" }
  | { readonly type: "find/step"; readonly step: Direction }
  | { readonly type: "pager/wrap" }
  | { readonly type: "pager/numbers" }
  | { readonly type: "help/toggle" }

  // A line that is typed
  | { readonly type: "typing/text"; readonly text: string }
  | { readonly type: "typing/take" }
  | { readonly type: "typing/drop" }

  // Panes
  | { readonly type: "pane/focus"; readonly pane: PaneId }
  | { readonly type: "pane/next"; readonly step: Direction }
  | { readonly type: "pane/maximize" }

  // The log
  | { readonly type: "log/jump"; readonly kind: JumpKind; readonly step: Direction }
  /** The next hit of the search; without one, at a turn gate, the next turn. */
  | { readonly type: "log/next-hit"; readonly step: Direction }
  /** Shows its times in the next way. */
  | { readonly type: "log/times" }
  /** Looks through more of it for filters and search, with frames that were read back for that. */
  | { readonly type: "log/scan"; readonly lent?: Recalled }

  // Lists
  | { readonly type: "filters/toggle" }
  | { readonly type: "filters/add" }
  | { readonly type: "filters/edit" }
  | { readonly type: "filters/delete" }
  | { readonly type: "filters/switch" }
  | { readonly type: "bookmarks/toggle" }
  | { readonly type: "bookmarks/mark" }
  | { readonly type: "bookmarks/step"; readonly step: Direction }
  | { readonly type: "bookmarks/go" }
  | { readonly type: "bookmarks/delete" }
  /** Takes in what was kept of this run before. */
  | { readonly type: "bookmarks/known"; readonly list: readonly Bookmark[] }
  | { readonly type: "search/begin" }
  | { readonly type: "search/widen" }
  | { readonly type: "search/go" }
  | { readonly type: "watches/add" }
  | { readonly type: "watches/go" }
  | { readonly type: "watches/delete" }
  /** Watches the condition of the breakpoint under the cursor, with all that it hit so far. */
  | { readonly type: "watches/hits" }
  | { readonly type: "branches/go" }
  | { readonly type: "branches/diff" }
  /** Opens the alerts at the next one; where they are open, goes there. */
  | { readonly type: "alerts/next" }
  | { readonly type: "alerts/go" }
  | { readonly type: "breakpoints/toggle" }
  | { readonly type: "breakpoints/add" }
  | { readonly type: "breakpoints/delete" }
  | { readonly type: "breakpoints/switch" }
  | { readonly type: "breakpoints/react" }
  /** Breakpoints were hit: says so, and stops the run. */
  | { readonly type: "breakpoints/hits" }

  // Menus
  | { readonly type: "menu/open" }
  | { readonly type: "menu/choose" }
  | { readonly type: "copy/open" }
  /** The text of what is in front on the plain terminal, where it can be selected. */
  | { readonly type: "copy/view" }
  | { readonly type: "export/open" }
  /** Copies or exports what is under the cursor of the menu. */
  | { readonly type: "export/choose" }

  // The inspector
  | { readonly type: "inspector/toggle" }
  | { readonly type: "inspector/tab"; readonly tab: Tab }
  | { readonly type: "inspector/next-tab"; readonly step: Direction }
  | { readonly type: "invocations/open" }
  | { readonly type: "invocations/sort" }
  | { readonly type: "transcript/turn"; readonly step: Direction }
  | { readonly type: "transcript/error"; readonly step: Direction }
  /** Marks the turn under the cursor, or compares it with the one that is marked. */
  | { readonly type: "transcript/compare" }
  | { readonly type: "artifacts/open" }
  /** Opens the artifact in another program. */
  | { readonly type: "artifacts/show" }
  | { readonly type: "agent-log/open" }
  | { readonly type: "waterfall/toggle" }
  | { readonly type: "waterfall/open" }
  | { readonly type: "waterfall/turn"; readonly step: Direction }
  | { readonly type: "waterfall/zoom"; readonly step: Direction }
  | { readonly type: "waterfall/pan"; readonly step: Direction }
  | { readonly type: "waterfall/whole" }

  // Another moment of the run, and how its past is played
  | { readonly type: "time/step"; readonly frames: number }
  | { readonly type: "time/tenth"; readonly tenth: number }
  | { readonly type: "time/goto" }
  | { readonly type: "time/play" }
  | { readonly type: "time/loop" }
  | { readonly type: "time/speed"; readonly step: Direction }
  | { readonly type: "time/idle"; readonly step: Direction }
  /** Where the condition that was asked for last comes true next, or came true before. */
  | { readonly type: "time/condition"; readonly step: Direction }

  // The agent's debugger, and the form of a re-run
  | { readonly type: "debugger/send"; readonly op: KeyOp; readonly n: number }
  | { readonly type: "rerun/field"; readonly step: Direction }
  | { readonly type: "rerun/pick"; readonly step: Direction }
  /** The text of a field, whichever is edited by now. */
  | { readonly type: "rerun/text"; readonly session: SessionId; readonly field: RerunField; readonly text: string }
  | { readonly type: "rerun/review" }
  | { readonly type: "rerun/send" }

  // Questions
  | { readonly type: "prompt/answer" }
  | { readonly type: "prompt/say"; readonly value: boolean }
  /** The text of the question with this key, whichever is in front by now. */
  | { readonly type: "prompt/text"; readonly key: PromptKey; readonly text: string }
  /** The answer in the person's own editor, and the outcome. */
  | { readonly type: "prompt/edit" }
  | { readonly type: "prompt/edited"; readonly key: PromptKey; readonly edited: Edited }
  | { readonly type: "prompt/option"; readonly step: Direction }
  | { readonly type: "prompt/pick"; readonly index: number }
  | { readonly type: "prompt/toggle" }
  /** Adds to the text that options are searched for, and takes its last letter back. */
  | { readonly type: "prompt/find"; readonly text: string }
  | { readonly type: "prompt/erase" }
  | { readonly type: "prompt/scroll"; readonly step: Direction }
  | { readonly type: "prompt/next"; readonly step: Direction }
  | { readonly type: "prompt/hide" }
  /** A page of what lies behind the question. */
  | { readonly type: "prompt/scroll-behind"; readonly step: Direction }
  | { readonly type: "prompt/maximize-behind" }
  /** Answers the question with this key, or cancels it, without its form. */
  | {
      readonly type: "prompt/settle"
      readonly key: PromptKey
      readonly answer: { readonly value: Json } | { readonly cancelled: true }
    }
  /** The connection is back: sends answers again that were not confirmed. */
  | { readonly type: "prompt/resend" }

  // The program
  /** Says something about the program itself. */
  | { readonly type: "notice/show"; readonly text: string; readonly level?: "info" }
  | { readonly type: "notice/dismiss" }
  | { readonly type: "program/quit" }
  | { readonly type: "program/redraw" }
  | { readonly type: "program/suspend" }
  /** Begins to record the run, or ends it. */
  | { readonly type: "program/record" }
  | { readonly type: "program/report-bug" }

/** The intent of a type. */
export type IntentOf<T extends Intent["type"]> = Extract<Intent, { readonly type: T }>

/** The types of intents that need nothing more. */
export type PlainIntent = {
  [T in Intent["type"]]: { readonly type: T } extends IntentOf<T> ? T : never
}[Intent["type"]]

/** Forward or back. */
export type Direction = 1 | -1

export type Fold = "fold" | "unfold" | "all"

export type Move =
  | { readonly unit: "row" | "half" | "page"; readonly count: number }
  | { readonly unit: "first" | "last" | "follow" }

/** The ops that a key asks for. */
export type KeyOp = "pause" | "continue" | "arm" | "step" | "turn-next" | "turn-back" | "arm-llm-breakpoint"

/** A number is the index of a message. */
export type RerunField = "turn" | "model" | "temperature" | "system" | number

/** What came out of an editor; the path where the file was kept, because its question was settled meanwhile. */
export type Edited =
  | { readonly type: "edited"; readonly text: string; readonly kept: string | null }
  | { readonly type: "failed"; readonly why: string }
