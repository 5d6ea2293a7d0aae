// Begins a line that is typed.
import type { Typing } from "../../view/view.ts"

export function typingOf(to: Typing["to"], text: string): Typing {
  return { to, text, error: null }
}
