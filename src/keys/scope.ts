// What can have the keyboard: the thing in front.
import type { Tab } from "../view/inspector.ts"

export type Scope =
  | "panes"
  /** The panes of a recording, or of a run's past: what moves through time comes first there. */
  | "past"
  | "reader"
  | "pager"
  /** A row of the log, or the question that it asks, in a pager. */
  | "entry"
  | "breakpoints"
  | "condition"
  | "line"
  | "attention"
  | "filters"
  | "bookmarks"
  | "hunt"
  | "watches"
  | "branches"
  | "menu"
  | "form"
  | "form-line"
  | "form-text"
  | "review"
  | Tab
  | "text"
  | "choice"
  | "confirm"
/** True where every key that means nothing else is typed. */
export function isTyped(scope: Scope): boolean {
  return scope === "text" || scope === "form-line" || scope === "form-text"
}
