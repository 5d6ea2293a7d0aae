// The keys that jump in the log.
import type { JumpKind } from "../store/jump.ts"
import { type Binding, binding } from "./binding.ts"
import type { Scope } from "./scope.ts"

const PANES: readonly Scope[] = ["panes"]

const KINDS: readonly (readonly [next: string, previous: string, kind: JumpKind, word: string])[] = [
  ["e", "E", "error", "error"],
  ["w", "W", "warning", "warning"],
  ["}", "{", "state", "change of state"],
  ["u", "U", "prompt", "question"],
  ["]", "[", "turn", "turn"],
]

export const logKeys: readonly Binding[] = KINDS.flatMap(([next, previous, kind, word]) =>
  ([1, -1] as const).map(step =>
    binding(
      "Find",
      step > 0 ? `jump-${kind}` : `jump-back-${kind}`,
      [step > 0 ? next : previous],
      `${next} ${previous}`,
      PANES,
      () => ({ type: "jump", kind, step }),
      `in the log: next and previous ${word}`,
      step > 0 ? word : `last ${word}`,
    ),
  ),
)
