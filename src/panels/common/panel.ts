// Defines what a panel brings. The registry lists every panel, and all that depends on them is derived from it.
import type { Binding, KeyGroup, Scope, Stroke } from "../../keys/binding.ts"
import type { Parsed } from "../../query/filter/parse.ts"
import type { JumpKind } from "../../query/jump.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import type { Line, RenderContext } from "../../ui/line.ts"
import type { OutlineReading } from "../../view/block-reading.ts"
import type { Direction, Fold, Intent, IntentOf, Move, PlainIntent, StepIntent } from "../../view/intent.ts"
import type { PaneId } from "../../view/pane-names.ts"
import type { OverlayOf, Plan, ViewContext } from "../../view/plan-result.ts"
import type { Follow } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import type { Overlay, Typing, ViewChange } from "../../view/view.ts"
import type { Pager } from "./pager/pager-text.ts"

/** Maps intents of one type to what shall happen. Pure: the context brings what only the caller knows. */
export type Update<T extends Intent["type"]> = (state: State, intent: IntentOf<T>, context: ViewContext) => Plan

export type Updates = { readonly [T in Intent["type"]]: Update<T> }

export type SomeUpdates = { readonly [T in Intent["type"]]?: Update<T> }

/** A folder of `panels/`: all that the rest of the program knows of it. */
export interface Panel {
  readonly keys?: PanelKeys
  readonly updates?: SomeUpdates
  readonly panes?: { readonly [P in PaneId]?: FrontPanel }
  readonly overlays?: { readonly [T in Overlay["type"]]?: OverlayPanel<OverlayOf<T>> }
  readonly typing?: { readonly [T in Typing["to"]]?: TypedLineRule }
  /** The view after a change of the run, where that changes the panel's slice. */
  readonly follow?: Follow
  readonly commands?: { readonly [word: string]: PanelCommand }
}

/** What keys act on while something is in front: a pane or an overlay. */
export interface FrontPanel {
  readonly scope: string
  move(state: State, by: Move, context: ViewContext): Plan
  fold?(state: State, to: Fold, context: ViewContext): Plan
  choose?(state: State, now: number): Plan
  /** Goes to the next of a kind; null where it has none of that kind, and the log is asked. */
  jump?(state: State, kind: JumpKind, step: Direction, context: ViewContext): Plan | null
  /** What searches its text; without it, a search is of the log. */
  readonly finder?: Finder
  /** The line that `/` begins, where it is one of its own. */
  typed?(state: State): Typing
  measure(state: State, place: Place): FrontContext
}

export interface Finder {
  /** Goes to the first place of a text; an empty text ends the search. */
  take(state: State, text: string, context: ViewContext): Plan
  step(state: State, step: Direction, context: ViewContext): Plan
}

/** How what is in front lies on the screen, for a plan. */
export type FrontContext = Pick<ViewContext, "page" | "lines" | "outline" | "sheet">

export interface OverlayPanel<O extends Overlay = Overlay> {
  /** Indexes of the log rows that it shows, whose frames must be in memory. */
  rows?(state: State, overlay: O): readonly number[]
  /** The raw refs of the captures that it shows. */
  refs?(state: State, overlay: O): readonly string[]
  front(overlay: O, state: State): FrontPanel
  readonly drawn: DrawnOverlay<O>
}

export type DrawnOverlay<O extends Overlay> =
  | { readonly type: "list"; readonly list: List<O> }
  | { readonly type: "menu"; readonly menu: Menu<O> }
  | { readonly type: "page"; page(state: State, overlay: O, place: Place): Pager }
  | { readonly type: "rerun" | "palette" }

/** What the reader shows of a row: a page, or a session's transcript. */
export type Reading = { readonly page: Overlay } | { readonly text: OutlineReading }

export interface ListRows<O extends Overlay> {
  length(state: State, overlay: O, now: number): number
  cursorOf(state: State, overlay: O, now: number): number
  /** The change of the view that puts the cursor on a row. */
  moved(state: State, overlay: O, cursor: number, now: number): ViewChange
}

export interface List<O extends Overlay> extends ListRows<O> {
  title(state: State, render: RenderContext): string
  /** The lines that fit, the row under the cursor among them. */
  lines(state: State, cursor: number, place: Place): readonly Line[]
  /** What stands above the list and below it, beside its own rows. */
  heading?(state: State, place: Place): readonly Line[]
  legend?(state: State, place: Place): readonly Line[]
  readonly typed?: readonly Typing["to"][]
  /** The keys of its scope, which has its overlay's name: most useful first, before those that every list names. */
  readonly keys?: readonly KeyBinding[]
  readonly kind?: "view"
  /** True if its last row adds to it; that row is not counted. */
  readonly adds?: boolean
  /** What the reader shows of the row under the cursor; null for what it showed before. */
  reads?(state: State, cursor: number, now: number): Reading | null
}

/** A list in the middle that covers no more than it needs. */
export interface Menu<O extends Overlay> extends ListRows<O> {
  title(state: State, overlay: O): string
  items(state: State, overlay: O): readonly MenuItem[]
}

export interface MenuItem {
  readonly title: string
  /** Beside the title, as far as it fits. */
  readonly aside?: string
  /** Why it cannot be had now; null if it can. */
  readonly why: string | null
  /** What choosing it does, the menu being in front. */
  chosen(now: number): Plan
}

export interface TypedLineRule {
  take(state: State, typing: Typing, context: ViewContext): Plan
  /** Reads the text while it is typed; an error is shown below it. */
  reads?(text: string): Parsed
  /** What the text changes besides, each time that it is typed on. */
  changed?(state: State, typing: Typing): Plan
}

/** What a word that is typed in the palette does; `rest` is what stands behind it. */
export interface PanelCommand {
  readonly title: string
  readonly words: string
  /** What the palette asks before it runs. */
  readonly sure?: string
  run(state: State, rest: string, now: number): Plan
}

export type KeyScope = Scope<State>

export type KeyBinding = Binding<State>

type MoreOfKey = Omit<KeyBinding, "id" | "keys" | "title" | "words" | "intent">

/** Binds keys to the intent that has this id as its type. */
export function bind(
  id: PlainIntent,
  keys: readonly Stroke[],
  title: string,
  words: string,
  more?: MoreOfKey,
): KeyBinding
/** Binds keys to an intent. */
export function bind(
  id: string,
  keys: readonly Stroke[],
  title: string,
  words: string,
  more: MoreOfKey & Required<Pick<KeyBinding, "intent">>,
): KeyBinding
/** Binds keys to what they do; `words` are those that find it. */
export function bind(id: string, keys: readonly Stroke[], title: string, words: string, more = {}): KeyBinding {
  return { id, keys, title, words, ...more }
}

/** What a key does that steps on or back. */
export function stepBy(type: StepIntent, step: Direction): Required<Pick<KeyBinding, "intent">> {
  return { intent: () => ({ type, step }) as Intent }
}

export type PanelKind =
  | "panes"
  /** The panes of a recording, or of a run's past: what moves through time comes first there. */
  | "past"
  /** A text that is read from top to bottom. */
  | "page"
  /** A row of the log, or the question that it asks, as such a text. */
  | "entry"
  | "review"
  | "list"
  | "menu"
  | "view"
  | "form"
  | "question"
  | "line"
  | "home"
  /** Nothing: what had the keyboard is gone. */
  | "nobody"

/** Where a person may look around: everything but what is filled in or answered. */
export const BROWSE: readonly PanelKind[] = ["panes", "page", "entry", "review", "list", "menu", "view"]
export const EVERYWHERE: readonly PanelKind[] = [...BROWSE, "form", "question", "line"]

export interface OwnScope {
  readonly id: string
  readonly kind: PanelKind
  /** Most useful first: the footer shows those that have a hint, in this order. */
  readonly keys: readonly KeyBinding[]
  /** Digits of a count where it is left out. */
  readonly others?: KeyScope["others"]
  /** The scope whose keys work too, behind those of this one. */
  readonly over?: OwnScope
}

/** Keys that work in front of other panels too. */
export interface Opener {
  readonly from: readonly PanelKind[]
  readonly keys: readonly KeyBinding[]
  /** The footer shows them before the keys of what is in front. */
  readonly first?: true
}

/** The keys that a panel brings, in the order of the key table. */
export interface PanelKeys {
  readonly group: KeyGroup
  readonly openers?: readonly Opener[]
  readonly scopes?: readonly OwnScope[]
}

/** The columns and rows inside a border, and what drawing needs beside the state. */
export interface Place {
  readonly columns: number
  readonly rows: number
  /** The first row of a list that is drawn. */
  readonly top?: number
  readonly render: RenderContext
  readonly outline: SessionOutline
}
