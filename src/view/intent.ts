import type { Json } from "../protocol/json.ts"
import type { JumpKind } from "../query/jump.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import type { SessionId } from "../run/model/id.ts"
import type { BlockText, Outline } from "./block-reading.ts"
import type { Bookmark } from "./bookmark.ts"
import type { InspectorIntent } from "./inspector.ts"
import type { ReadingIntent, Sheet } from "./reading.ts"
import type { RerunField } from "./rerun-draft.ts"
import type { PaneId } from "./view.ts"

/** What a person asks for by a key. */
export type Intent =
  | { readonly type: "move"; readonly by: Move }
  /** Another moment of the run, or how its past is played. */
  | { readonly type: "time"; readonly wish: TimeIntent }
  | { readonly type: "focus"; readonly step: 1 | -1 }
  | { readonly type: "point"; readonly pane: PaneId }
  | { readonly type: "open" }
  | { readonly type: "close" }
  | { readonly type: "maximize" }
  | { readonly type: "help" }
  | { readonly type: "inspect"; readonly wish: InspectorIntent }
  /** The actions of the selected session, and the one under the cursor. */
  | { readonly type: "menu" }
  | { readonly type: "choose" }
  /** Out of the program: to the clipboard, onto the plain terminal, into a file. */
  | { readonly type: "take"; readonly wish: ExportIntent }
  | { readonly type: "rerun"; readonly wish: RerunIntent }
  | { readonly type: "fold"; readonly to: "fold" | "unfold" | "all" }
  | { readonly type: "op"; readonly op: KeyOp; readonly n: number }
  /** How the text in front lies, and where the next hit in it is. */
  | { readonly type: "reading"; readonly wish: ReadingIntent }
  /** To the next row of a kind, or the previous one. */
  | { readonly type: "jump"; readonly kind: JumpKind; readonly step: 1 | -1 }
  /** What a key does to the filters. */
  | { readonly type: "filter"; readonly wish: FilterIntent }
  /** The next hit of the search in the log; without one, at a turn gate, the next turn. */
  | { readonly type: "next"; readonly step: 1 | -1 }
  /** What a key does with bookmarks. */
  | { readonly type: "bookmark"; readonly wish: BookmarkIntent }
  /** What a key does to the watch list. */
  | { readonly type: "watch"; readonly wish: WatchIntent }
  /** What a key does with the branch under the cursor of the tree. */
  | { readonly type: "branch"; readonly wish: BranchIntent }
  /** A text in the whole run, or in all runs. */
  | { readonly type: "hunt"; readonly wish: SearchIntent }
  /** The log tells its times in the next way. */
  | { readonly type: "times" }
  /** More of the log may be looked through. */
  | { readonly type: "sift"; readonly lent?: Recalled }
  /** The frames of these lines, which memory has let go of. */
  | { readonly type: "recall"; readonly lines: readonly number[] }
  /** Begins to type what to search for. */
  | { readonly type: "search" }
  /** The line that is being typed holds this text now. */
  | { readonly type: "typed"; readonly text: string }
  /** What was typed is taken, or dropped. */
  | { readonly type: "typing"; readonly to: "take" | "drop" }
  | { readonly type: "quit" }
  /** A key was pressed: what was said in the footer has been seen. */
  | { readonly type: "seen" }
  | { readonly type: "redraw" }
  /** Begins to record the run, or ends it. */
  | { readonly type: "record" }
  /** A bundle for those who mend the program. */
  | { readonly type: "bug" }
  | { readonly type: "suspend" }
  | { readonly type: "breakpoints" }
  /** What needs a person: the list, then the next one. */
  | { readonly type: "attention" }
  /** To the need under the cursor. */
  | { readonly type: "attend" }
  /** What a key does in the list of breakpoints: to the one under the cursor, or to the field. */
  | { readonly type: "breakpoint"; readonly to: "add" | "take" | "drop" | "delete" | "switch" | "react" }
  /** The text in the field of a new breakpoint. */
  | { readonly type: "condition"; readonly text: string }
  /** Breakpoints were hit: tell it, and stop. */
  | { readonly type: "hits" }
  /** Something about the program itself that a person should know. */
  | { readonly type: "tell"; readonly text: string; readonly level?: "info" }
  /** The line is back and has settled: what was answered and not seen to arrive is sent again. */
  | { readonly type: "resend" }
  /** The text of the prompt with this key, whichever is in front by now. */
  | { readonly type: "draft"; readonly key: number; readonly text: string }
  /** The answer in the person's own editor, and what came of it. */
  | { readonly type: "edit" }
  | { readonly type: "edited"; readonly key: number; readonly edited: Edited }
  | { readonly type: "option"; readonly step: 1 | -1 }
  | { readonly type: "pick"; readonly index: number }
  | { readonly type: "toggle" }
  /** More of what is looked for among the options, and less of it. */
  | { readonly type: "find"; readonly text: string }
  | { readonly type: "erase" }
  | { readonly type: "scroll-question"; readonly step: 1 | -1 }
  | { readonly type: "answer" }
  | { readonly type: "say"; readonly value: boolean }
  | { readonly type: "cancel" }
  /** The answer to the prompt with this key, whole, or that there will be none. */
  | {
      readonly type: "settle"
      readonly key: number
      readonly answer: { readonly value: Json } | { readonly cancelled: true }
    }
  | { readonly type: "next-prompt"; readonly step: 1 | -1 }
  | { readonly type: "hide-prompt" }
  /** A page of what lies behind a question. */
  | { readonly type: "scroll-behind"; readonly step: 1 | -1 }
  | { readonly type: "maximize-behind" }

export type ExportIntent = "copy" | "show" | "export"

/** What came out of an editor; the path where the file was kept, because its question was settled meanwhile. */
export type Edited =
  | { readonly type: "edited"; readonly text: string; readonly kept: string | null }
  | { readonly type: "failed"; readonly why: string }

export type Move =
  | { readonly unit: "row" | "half" | "page"; readonly count: number }
  | { readonly unit: "first" | "last" | "follow" }

/** What only the caller knows when an intent is decided. */
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

export type BookmarkIntent =
  | { readonly to: "mark" | "list" | "go" | "delete" }
  | { readonly to: "next"; readonly step: 1 | -1 }
  /** What was kept of this run before. */
  | { readonly to: "known"; readonly list: readonly Bookmark[] }
export type BranchIntent = { readonly to: "go" | "diff" }
/** The ops that a key asks for. */
export type KeyOp = "pause" | "continue" | "arm" | "step" | "turn-next" | "turn-back" | "arm-llm-breakpoint"

export type FilterIntent = { readonly to: "open" | "add" | "edit" | "delete" | "switch" }
/** What a key means in the form of a re-run, and in the review before it is sent. */
export type RerunIntent =
  | { readonly type: "field"; readonly step: 1 | -1 }
  | { readonly type: "pick"; readonly step: 1 | -1 }
  /** The text of a field, whichever is edited by now. */
  | { readonly type: "text"; readonly session: SessionId; readonly field: RerunField; readonly text: string }
  | { readonly type: "review" }
  | { readonly type: "send" }
export type SearchIntent = { readonly to: "begin" | "widen" | "go" }
/** What a key asks of the moment shown. */
export type TimeIntent =
  | { readonly to: "frame"; readonly step: number }
  | { readonly to: "tenth"; readonly tenth: number }
  | { readonly to: "goto" | "play" | "loop" }
  | { readonly to: "speed" | "idle"; readonly step: 1 | -1 }
  /** Where the condition that was asked for last comes true next, or came true before. */
  | { readonly to: "condition"; readonly step: 1 | -1 }
/** `list`: open it, or close it; `hits`: watch the condition of the breakpoint under the cursor. */
export type WatchIntent = { readonly to: "list" | "hits" | "add" | "go" | "delete" }
