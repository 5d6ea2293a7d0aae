// Defines the rows of the palette.
import type { SessionStatus } from "../run/model/session.ts"
import type { Intent } from "./intent.ts"

export interface PaletteEntry {
  /** The same whenever the palette is opened, so that what was chosen last is known again. */
  readonly id: string
  readonly kind: "action" | "session" | "state" | "bookmark" | "error" | "question" | "moment" | "condition" | "command"
  /** Of a session. */
  readonly status?: SessionStatus
  /** May be shown. */
  readonly title: string
  /** Other words that find it. */
  readonly words: string
  /** The key that does the same; empty where there is none. */
  readonly key: string
  /** Why it cannot be done where the palette was opened; null where it can. */
  readonly why: string | null
  readonly does: Intent
  /** Its row on the short page of keys; without it, it isn't there. */
  readonly page?: { readonly group: string; readonly title: string; readonly key: string }
  /** What it does instead, in this order, where that comes to nothing. */
  readonly else?: readonly Intent[]
  /** What is asked before it is done, and the keys that answer, where doing it by mistake would lose something. */
  readonly sure?: string | undefined
}

/** All rows, and those that match the typed text. */
export interface PaletteRows {
  /** It was opened as the list of keys: those that work here come first. */
  readonly keysFirst: boolean
  /** It shows the short page: the keys that work here and can do something. */
  readonly isShort?: boolean
  readonly entries: readonly PaletteEntry[]
  readonly rows: readonly PaletteEntry[]
  /** A similar text that matches, where the typed one does not; null if there is none. */
  readonly meant?: string | null
  /** The row under the cursor was chosen and asks whether it is meant. */
  readonly asks?: boolean
}

/** The ids of what was chosen, the last first, with one more. */
export function withChosen(chosen: readonly string[], id: string): readonly string[] {
  return [id, ...chosen.filter(one => one !== id)].slice(0, 20)
}
