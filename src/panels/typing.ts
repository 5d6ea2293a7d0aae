// Plans what a typed line does.
import { both, change, nothing, type Plan } from "../view/plan-result.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import type { PanelCommand, SomeUpdates, TypedLineRule } from "./common/panel.ts"
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
    const read = text.trim() === "" ? undefined : rules[typing.to].reads?.(text)
    const error = read !== undefined && "error" in read ? read.error : null
    return change({ typing: { ...typing, text, error } })
  },
  "typing/take": (state, _, context) => {
    const { typing } = state.view
    return typing === null ? nothing : rules[typing.to].take(state, typing, context)
  },
  "typing/drop": ({ view }, _, { now }) => (view.typing === null ? nothing : change({ typing: null, closedAt: now })),
} satisfies SomeUpdates

/** A command is one word of its own, which no condition of the filter language can be, and its argument. */
function planCommand(state: State, text: string, now: number): Plan {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*(.*)$/s.exec(text) ?? []
  const known: ReadonlyMap<string, PanelCommand> = new Map(Object.entries(commands))
  return known.get(word)?.(state, rest, now) ?? planGoal(text, now)
}
