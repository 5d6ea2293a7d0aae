// What keys do in a text of many lines, beside what the library's editor has them do.
import type { KeyBinding } from "@opentui/core"

/**
 * Enter is not among them, since it answers. The library's own key to undo, Ctrl with -, most terminals cannot send.
 * Shift-Enter needs a terminal that tells it from Enter.
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
