// Adds keys to the library's editor of many lines.
import type { KeyBinding } from "@opentui/core"

/**
 * Enter alone sends the answer. Most terminals can't send the library's own key for undo, Ctrl with -, and only some
 * tell Shift-Enter from Enter.
 */
export const fieldKeys: KeyBinding[] = [
  { name: "return", meta: true, action: "newline" },
  { name: "return", shift: true, action: "newline" },
  { name: "linefeed", action: "newline" },
  { name: "j", ctrl: true, action: "newline" },
  { name: "_", ctrl: true, action: "undo" },
  { name: "u", meta: true, action: "undo" },
  { name: "e", meta: true, action: "redo" },
]
