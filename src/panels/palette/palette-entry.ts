import type { SessionStatus } from "../../run/model/session.ts"
import type { Intent } from "../../view/intent.ts"
import { createSlice } from "../../view/slice.ts"

export interface PaletteEntry {
  /** The same whenever the palette is opened, so that what was chosen last is known again. */
  readonly id: string
  readonly kind: "action" | "session" | "state" | "bookmark" | "error" | "question" | "moment" | "condition" | "command"
  readonly status?: SessionStatus
  /** May be shown. */
  readonly title: string
  readonly words: string
  /** The key that does the same; empty where there is none. */
  readonly key: string
  /** Why it cannot be done where the palette was opened; null where it can. */
  readonly why: string | null
  readonly does: Intent
  /** Its row on the short page of keys, and its place in that row. The page leaves out keys without it. */
  readonly page?: { readonly group: string; readonly title: string; readonly key: string; readonly place: number }
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

interface Palette {
  /** What it shows while it is open; null before it was opened. */
  readonly shown: ShownPalette | null
  /** Ids of the rows that were chosen, the last first. */
  readonly chosen: readonly string[]
}

/** `cursor` is the index of a row. */
export type ShownPalette = PaletteRows & { readonly cursor: number }

export const palettes = createSlice<Palette>("palette", { shown: null, chosen: [] })
