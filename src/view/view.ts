// Defines what a person did to the screen: panes, overlays, cursors, drafts.
import { type Conditions, noConditions } from "../query/conditions.ts"
import type { Filter } from "../query/filter/filter.ts"
import type { ParseError } from "../query/filter/text-cursor.ts"
import { type Filters, noFilters } from "../query/filters.ts"
import type { PromptKey, RowId, SessionId, TurnRef } from "../run/model/id.ts"
import { type OutlineReading, unread } from "./block-reading.ts"
import type { Bookmark } from "./bookmark.ts"
import { freshHomeView, type HomeView } from "./home.ts"
import type { SessionList } from "./live-list.ts"
import type { PaneId } from "./pane-names.ts"
import type { PendingOp } from "./pending-ops.ts"
import type { HeldAnswer, KeptText, PromptDraft } from "./questions/draft.ts"
import type { IgnoredKeys } from "./questions/ignored-keys.ts"
import type { PagerReading } from "./reading.ts"

export type Overlay =
  | { [T in ViewType]: { readonly type: T } }[ViewType]
  | ({ readonly type: "chart" | "status" } & PagerReading)
  | ({ readonly type: "entry"; readonly id: RowId } & PagerReading)
  /** A question with its options and what became of it: the prompt with this key. */
  | ({ readonly type: "prompt"; readonly key: PromptKey } & PagerReading)
  | ({ readonly type: "turn-diff"; readonly before: TurnRef; readonly after: TurnRef } & PagerReading)
  /** A file of the session directory; `asIs` shows its lines as they stand. */
  | ({ readonly type: "file"; readonly name: string; readonly asIs?: boolean } & PagerReading)
  | { [T in ListType]: { readonly type: T; readonly cursor: number } }[ListType]
  /** The files; `cursor` is the name of one of them, null before another than the first was gone to. */
  | { readonly type: "artifacts"; readonly cursor: string | null }
  /** The alerts; `cursor` is the id of one, null for the first. Many silent sessions are one row until opened. */
  | { readonly type: "alerts"; readonly cursor: string | null; readonly opened?: true }
  /** What led to a turn, or to a row of no session. */
  | { readonly type: "why"; readonly cursor: number; readonly about: TurnRef | RowId }
  /** What can be copied, and how each text began when the menu was opened. */
  | { readonly type: "copy"; readonly cursor: number; readonly begins: { readonly [what: string]: string } }
  | { readonly type: "menu"; readonly session: SessionId; readonly cursor: number }
  | { readonly type: "palette" }
  | { readonly type: "rerun"; readonly session: SessionId }
  /** What that re-run will change, before it is sent. */
  | ({ readonly type: "review"; readonly session: SessionId } & PagerReading)

/** Views of the list and of the reader, of which each place has one. */
export type ViewType = "waterfall" | "ledger" | "context"

/** Lists whose cursor is the index of a row; `export` lists formats, `sort` orders and groupings. */
type ListType = "conditions" | "branches" | "filters" | "bookmarks" | "search-results" | "export" | "sort" | "step-to"

export type Page = Extract<Overlay, PagerReading>

/** What the times of the log count from: the start of the run, midnight, the row before, or the bookmark before. */
export type Times = (typeof TIMES)[number]
export const TIMES = ["start", "clock", "row", "mark"] as const

export interface Notice {
  readonly text: string
  readonly level: "info" | "warning"
  /** Epoch ms until which it is shown. */
  readonly until: number
}

export const NOTICE_MS = 5000

/** A line that is being typed, at the lower end of the place that it changes. */
export interface Typing {
  /** `find` searches a pager, `search` the log, `run-search` the run; `sessions` finds some in the live pane. */
  readonly to:
    | ("find" | "sessions" | "filter" | "search" | "note" | "palette" | "run-search" | "watch" | "breakpoint")
    | ("home-filter" | "home-path" | "home-url" | "home-agent")
  readonly text: string
  /** Where it is wrong. */
  readonly error: ParseError | null
  /** Of a filter that is edited: its key. */
  readonly key?: number
  /** What Esc brings back. */
  readonly before: ViewChange
}

/** A line that begins to be typed. */
export function typingOf(to: Typing["to"], text = "", before: ViewChange = {}): Typing {
  return { to, text, error: null, before }
}

/** What a person did to the screen. It is no part of the run, and seeking in a run does not change it. */
export interface View {
  readonly focus: PaneId
  readonly maximized: boolean
  /** Opened last stands last. */
  readonly overlays: readonly Overlay[]
  /** Which place had the focus when each of them opened. */
  readonly below: readonly PaneId[]
  readonly list: SessionList
  readonly reader: ReaderView
  readonly log: LogView
  readonly questions: QuestionView
  readonly conditions: ConditionView
  readonly control: Control
  readonly setup: Setup
  readonly typing: Typing | null
  readonly notice: Notice | null
  readonly backKey: BackKey | null
  readonly home: HomeView
  /** What single features keep; each reads its own by its slice. */
  readonly slices: { readonly [slice: symbol]: unknown }
}

/** The reader: how the transcript in it is read. */
export interface ReaderView {
  /** Why it shows this transcript: its session is selected, a row under a cursor names it, or it has asked. */
  readonly reads: "selection" | "row" | "asker"
  /** How the latest transcript is read; its places mean nothing in another session's. */
  readonly text: OutlineReading
}

/** The log: where its cursor is, which rows it shows, and how. */
export interface LogView {
  /** The row under the cursor; null follows the end. */
  readonly cursor: RowId | null
  /** The last row when following ended: those behind it are new. Null where there was none. */
  readonly seenTo: RowId | null
  readonly times: Times
  readonly filters: Filters
  readonly bookmarks: readonly Bookmark[]
}

export interface QuestionView {
  readonly drafts: readonly PromptDraft[]
  /** Texts typed for questions that closed before they were sent, the latest last. */
  readonly kept: readonly KeptText[]
  /** Key of the prompt in front, null for the oldest open one. */
  readonly prompt: PromptKey | null
  readonly promptHidden: boolean
  /** Null while every key means what it says. */
  readonly ignored: IgnoredKeys | null
  /** When this person sent an answer or a cancellation last, epoch ms. */
  readonly settledAt: number | null
  readonly heldAnswer: HeldAnswer | null
}

/** The conditions that are watched, and looked for. */
export interface ConditionView extends Conditions {
  /** The condition that was searched for last. */
  readonly sought: Filter | null
}

export interface Control {
  /** Ops that were sent and had no effect yet. */
  readonly ops: readonly PendingOp[]
}

/** How the run was opened, and whether it is kept and recorded. */
export interface Setup {
  /** The run is on the disk, and stays there when the screen is left. */
  readonly isKept: boolean
  readonly recording: boolean
  /** True if nothing may be sent to the agent. */
  readonly readOnly: boolean
  readonly keys: KeyChoices
  /** A person attached to an agent that runs by itself: leaving ends nothing. */
  readonly isAttached: boolean
  /** The run was opened from home, and closing it leads back there. */
  readonly isFromHome: boolean
}

/** The parts of the view that are records: a change names only their fields that change. */
const PARTS = ["list", "reader", "log", "questions", "conditions", "control", "setup", "home", "slices"] as const
type Part = (typeof PARTS)[number]

/** A change of the view; fields that it doesn't name stay. */
export type ViewChange = Partial<Omit<View, Part>> & { readonly [P in Part]?: Partial<View[P]> }

/** The view after a change. */
export function changed(view: View, change: ViewChange): View {
  const parts = PARTS.flatMap(part => (change[part] === undefined ? [] : [[part, { ...view[part], ...change[part] }]]))
  return { ...view, ...change, ...Object.fromEntries(parts) }
}

/** Whether a change leaves the view as it is. */
export function isUnchanged(view: View, change: ViewChange): boolean {
  const holds = (from: object, to: object, isView: boolean): boolean =>
    Reflect.ownKeys(to).every(key => {
      const [is, wanted] = [Reflect.get(from, key), Reflect.get(to, key)]
      return is === wanted || (isView && PARTS.some(part => part === key) && holds(is, wanted, false))
    })
  return holds(view, change, true)
}

/** The last key that led back: Esc or `q` closed something, or Esc warned that it interrupts. */
export interface BackKey {
  readonly by: "escape" | "q" | "warning"
  /** Epoch ms. */
  readonly at: number
  /** When something was closed, if no Esc has counted since, epoch ms. */
  readonly since?: number
}

/** The keys that a person chose for actions, by the id of the binding. */
export type KeyChoices = ReadonlyMap<string, readonly string[]>

export const noChoices: KeyChoices = new Map()

export const emptyView: View = {
  focus: "live",
  maximized: false,
  overlays: [],
  below: [],
  list: { selected: null, pinned: false, folded: [], order: "came", filter: "", pins: [], unfolded: [] },
  reader: { reads: "selection", text: unread },
  log: { cursor: null, seenTo: null, times: "start", filters: noFilters, bookmarks: [] },
  questions: {
    drafts: [],
    kept: [],
    prompt: null,
    promptHidden: false,
    ignored: null,
    settledAt: null,
    heldAnswer: null,
  },
  conditions: { ...noConditions, sought: null },
  control: { ops: [] },
  setup: {
    isKept: false,
    recording: false,
    readOnly: false,
    keys: noChoices,
    isAttached: false,
    isFromHome: false,
  },
  typing: null,
  notice: null,
  backKey: null,
  home: freshHomeView,
  slices: {},
}
