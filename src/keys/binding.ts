// Defines what a key does, and which keys work where.
import type { Intent } from "../view/intent.ts"
import type { Stroke } from "./stroke.ts"

/** The groups of the key table, in its order. */
export const GROUPS = ["Move", "Find", "Time", "Panes", "Inspector", "Debugger", "Prompt", "Program"] as const

/** What one or more keys do. Dispatch, footer, help and the key table are all read from bindings. */
export interface Binding<State> {
  /** The same for a key wherever it works. */
  readonly id: string
  readonly keys: readonly Stroke[]
  readonly group: (typeof GROUPS)[number]
  /** Stands in help and the key table; keys with the same title share a line. */
  readonly title: string
  /** Other words that a person may look for it by. */
  readonly words: string
  /** One or two words for the footer, which leaves out a binding without them. */
  readonly hint?: string
  /** Whether the footer names it now (`now` in epoch ms). The key works all the same, and says why it cannot. */
  readonly when?: (state: State, now: number) => boolean
  /** It is shown with an example of a count: `s 5s`. */
  readonly counts?: true
  /** `count` is 1 where none was typed; `stroke` is the key that was pressed. */
  readonly intent: (count: number, stroke: Stroke) => Intent
}

/** The keys of what is in front. */
export interface Scope<State> {
  readonly id: string
  /** What the footer may name, most useful first. */
  readonly named: readonly Binding<State>[]
  /** All that work here; of two with the same key the first counts. */
  readonly bindings: readonly Binding<State>[]
  /** What any other key is: a digit of a count, text for the field in front, or nothing. */
  readonly others: "count" | "text" | "nothing"
}
