// Defines the keys that a panel brings, and where they work.
import type { Binding, KeyGroup, Scope } from "../../keys/binding.ts"
import type { PlainIntent } from "../../view/intent.ts"
import type { Tab } from "../../view/pane-names.ts"
import type { State } from "../../view/state.ts"
import type { Overlay } from "../../view/view.ts"

export type KeyScope = Scope<State>

/** A binding as a panel writes it: without an intent, it means the one that has its id as type. */
export type KeyBinding = Omit<Binding<State>, "id" | "intent"> &
  (
    | { readonly id: string; readonly intent: Binding<State>["intent"] }
    | { readonly id: PlainIntent; readonly intent?: never }
  )

export type PanelKind =
  | "panes"
  /** The panes of a recording, or of a run's past: what moves through time comes first there. */
  | "past"
  | "reader"
  /** A text that is read from top to bottom. */
  | "page"
  /** A row of the log, or the question that it asks, as such a text. */
  | "entry"
  | "review"
  | "list"
  | "menu"
  | "tab"
  | "form"
  | "question"
  | "line"

/** Where a key works: a kind of panel, or one. */
export type KeyPlace = PanelKind | Overlay["type"] | Tab

/** Where a person may look around: everything but what is filled in or answered. */
export const BROWSE: readonly PanelKind[] = ["panes", "reader", "page", "entry", "review", "list", "menu", "tab"]
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
  readonly from: readonly KeyPlace[]
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
