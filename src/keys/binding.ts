// Says what a line of the key table is.
import type { Intent } from "../view/intent.ts"
import type { Scope } from "./scope.ts"
import type { Stroke } from "./stroke.ts"

/** One line of the key table: dispatch, footer, help and README are all read from it. */
export interface Binding {
  readonly id: string
  readonly strokes: readonly Stroke[]
  /** The strokes as a person reads them. */
  readonly shown: string
  readonly scopes: readonly Scope[]
  /** The wish; a count typed before the key is 1 where none was. */
  readonly intent: (count: number) => Intent
  readonly title: string
  /** One or two words for the footer. */
  readonly hint: string
  readonly group: "Move" | "Find" | "Time" | "Panes" | "Inspector" | "Debugger" | "Prompt" | "Program"
}

export function binding(
  group: Binding["group"],
  id: string,
  strokes: readonly Stroke[],
  shown: string,
  scopes: readonly Scope[],
  intent: Binding["intent"],
  title: string,
  hint = title,
): Binding {
  return { id, strokes, shown, scopes, intent, title, hint, group }
}
