// Decides what a line typed after `:` does: a command, or somewhere to go.
import type { Plan } from "../view/plan-result.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import { openBranches } from "./branches/update.ts"
import { planGoal } from "./time/update.ts"
import { openWatches, takeWatch } from "./watches/update.ts"

/** A command is a word of its own, so that it is no condition of the filter language, with what it is about behind it. */
export function planCommand(state: State, typing: Typing, now: number): Plan {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*)$/s.exec(typing.text) ?? []
  switch (word) {
    case "watch":
      return rest === "" ? openWatches(state) : takeWatch(state, { to: "watch", text: rest, error: null }, now)
    case "branches":
      return openBranches(state, now)
    default:
      return planGoal(typing.text, now)
  }
}
