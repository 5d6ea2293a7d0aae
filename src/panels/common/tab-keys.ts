// The keys that several tabs of the inspector have, each with its own intent.
import type { KeyBinding } from "./panel-keys.ts"

export const nextTab: KeyBinding = {
  id: "inspector/next-tab",
  keys: ["tab"],
  title: "next tab",
  words: "switch view",
  hint: "tab",
  intent: () => ({ type: "inspector/next-tab", step: 1 }),
}

export const OPEN = {
  keys: ["enter"],
  title: "one step deeper",
  words: "open read show",
  hint: "read",
} as const

export const NEXT_TURN = {
  keys: ["]"],
  title: "next turn",
  words: "forward model call",
  hint: "turn",
} as const

export const LAST_TURN = {
  keys: ["["],
  title: "previous turn",
  words: "backward model call",
} as const
