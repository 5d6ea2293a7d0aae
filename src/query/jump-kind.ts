// Names the kinds of rows that the user can jump between.

export type JumpKind = "error" | "warning" | "state" | "prompt" | "turn"

export const JUMP_WORDS: { readonly [kind in JumpKind]: string } = {
  error: "error",
  warning: "warning",
  state: "change of state",
  prompt: "question",
  turn: "turn",
}
