// Plans what becomes of a line that is typed.
import { both, change, nothing, type Plan } from "../view/plan-result.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import type { ViewContext } from "../view/view-context.ts"
import type { PanelCommand, TypedLineRule } from "./common/panel.ts"
import type { SomeUpdates } from "./common/updates.ts"
import { frontOf } from "./front.ts"
import { commands, typingRules } from "./index.ts"
import { planGoal } from "./time/index.ts"

const rules: { readonly [T in Typing["to"]]: TypedLineRule } = {
  ...typingRules,
  find: {
    take: (state, { text }, context) =>
      both(change({ typing: null }), frontOf(state).finder?.take(state, text, context) ?? nothing),
  },
  goto: { take: (state, { text }, { now }) => both(change({ typing: null }), planCommand(state, text, now)) },
}

export const typingUpdates = {
  "typing/text": ({ view: { typing } }, { text }) => {
    if (typing === null || typing.text === text) return nothing
    const error = text.trim() === "" ? null : (rules[typing.to].mistake?.(text) ?? null)
    return change({ typing: { ...typing, text, error } })
  },
  "typing/take": (state, _, context) => take(state, context),
  "typing/drop": ({ view }) => (view.typing === null ? nothing : change({ typing: null })),
} satisfies SomeUpdates

function take(state: State, context: ViewContext): Plan {
  const { typing } = state.view
  return typing === null ? nothing : rules[typing.to].take(state, typing, context)
}

/** A command is a word of its own, so that it is no condition of the filter language, with what it is about behind it. */
function planCommand(state: State, text: string, now: number): Plan {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? []
  const known: ReadonlyMap<string, PanelCommand> = new Map(Object.entries(commands))
  return known.get(word)?.(state, rest, now) ?? planGoal(text, now)
}
