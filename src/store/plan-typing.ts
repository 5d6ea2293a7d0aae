// Decides what becomes of a line that is being typed.
import { both, change, nothing, type Plan } from "./decision.ts"
import type { Facts, Intent } from "./intent.ts"
import { findIn, pageOf } from "./plan-reading.ts"
import { planGoal } from "./plan-time.ts"
import type { State } from "./state.ts"

type Wish = Extract<Intent, { type: "search" | "typed" | "typing" }>

export function planTyping(state: State, wish: Wish, facts: Facts): Plan {
  const { typing } = state.view
  if (wish.type === "search") return pageOf(state) === null ? nothing : change({ typing: { to: "find", text: "" } })
  if (typing === null) return nothing
  if (wish.type === "typed")
    return typing.text === wish.text ? nothing : change({ typing: { ...typing, text: wish.text } })
  const done = change({ typing: null })
  if (typing.to === "goto") return wish.to === "drop" ? done : both(done, planGoal(typing.text, facts.now))
  const page = pageOf(state)
  return wish.to === "drop" || page === null ? done : both(done, findIn(state, page, typing.text, facts))
}
