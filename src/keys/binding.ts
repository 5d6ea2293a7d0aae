// Defines what a key does, and which keys work where.
import type { Intent } from "../view/intent.ts"

/** One key press: `j`, `G`, `enter`, `shift-tab`, `ctrl-c`. In the key table, two with a space are a sequence. */
export type Stroke = string

/** In a binding: any key that prints one character and is not bound itself. */
export const LETTER: Stroke = "letter"

/** The groups of the key table, in its order. */
export const GROUPS = ["Move", "Find", "Time", "Panes", "Views", "Debugger", "Question", "Home", "Program"] as const
export type KeyGroup = (typeof GROUPS)[number]

/** What one or more keys do. Dispatch, footer, help and the key table are all read from bindings. */
export interface Binding<State> {
  /** The same wherever the key works. */
  readonly id: string
  readonly keys: readonly Stroke[]
  readonly group?: KeyGroup
  /** Stands in help and the key table; keys with the same title share a line. */
  readonly title: string
  /** Words that a person may search for and that are not in the title. */
  readonly words?: string
  /** One or two words for the footer, which leaves out a binding without them. */
  readonly hint?: string | ((state: State) => string)
  /** Whether the footer shows it at `now` (epoch ms). The key always works, and says why it cannot act. */
  readonly when?: (state: State, now: number) => boolean
  /** Why the key comes to nothing now, null where it can act. Read from the state at once; the palette dims its row. */
  readonly refusal?: (state: State) => string | null
  /** The text field in front carries it out, as it does letters. */
  readonly isTyped?: true
  /** What the palette asks before it does this: a key is pressed on purpose, a row is soon chosen by mistake. */
  readonly sure?: string
  /** It takes a count; help shows an example: `s 5s`. */
  readonly counts?: true
  /** Without it, the id is the intent's type. `count` is 1 where none was typed; `stroke` is the key pressed. */
  readonly intent?: (count: number, stroke: Stroke) => Intent
}

export interface TableBinding<State> extends Binding<State> {
  readonly group: KeyGroup
}

export interface Scope<State> {
  readonly id: string
  /** What the footer may show, most useful first. */
  readonly named: readonly Binding<State>[]
  /** All bindings that work here; of two with the same key the first wins. */
  readonly bindings: readonly Binding<State>[]
  /** What any other key means: a digit of a count, text for the field in front, or nothing. */
  readonly others: "count" | "text" | "nothing"
}
