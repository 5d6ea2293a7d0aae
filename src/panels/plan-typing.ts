// Decides what becomes of a line that is being typed.

import { readTyped } from "../query/filter/read-typed.ts"
import { readWatched } from "../query/watches.ts"
import { both, change, nothing, type Plan } from "../view/plan-result.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import type { ViewContext } from "../view/view-context.ts"
import { takeNote } from "./bookmarks/update.ts"
import { frontTab } from "./common/inspected.ts"
import type { SomeUpdates } from "./common/updates.ts"
import { takeFilter } from "./filters/update.ts"
import { takeSearch } from "./log/update.ts"
import { findInPager, pageOf } from "./pager/update.ts"
import { planCommand } from "./plan-command.ts"
import { takeSearchText } from "./search/update.ts"
import { findInTranscript } from "./transcript/update.ts"
import { takeWatch } from "./watches/update.ts"

export const typingUpdates = {
  "typing/text": ({ view: { typing } }, { text }) =>
    typing === null || typing.text === text ? nothing : change({ typing: typed(typing, text) }),
  "typing/take": (state, _, context) => {
    const { typing } = state.view
    if (typing === null) return nothing
    return typing.to === "filter" && typing.text.trim() === "" ? change({ typing: null }) : take(state, typing, context)
  },
  "typing/drop": ({ view }) => (view.typing === null ? nothing : change({ typing: null })),
} satisfies SomeUpdates

/** Where it is wrong is told while it is typed. */
function typed(typing: Typing, text: string): Typing {
  if (["find", "goto", "note", "hunt"].includes(typing.to) || text.trim() === "")
    return { ...typing, text, error: null }
  const read = typing.to === "watch" ? readWatched(text) : readTyped(text)
  return { ...typing, text, error: "error" in read ? read.error : null }
}

function take(state: State, typing: Typing, context: ViewContext): Plan {
  switch (typing.to) {
    case "goto":
      return both(change({ typing: null }), planCommand(state, typing, context.now))
    case "filter":
      return takeFilter(state, typing)
    case "search":
      return both(takeSearch(state, typing), change({ sought: null }))
    case "hunt":
      return takeSearchText(state, typing)
    case "note":
      return takeNote(state, typing)
    case "watch":
      return takeWatch(state, typing, context.now)
    case "find": {
      const page = pageOf(state)
      const done = change({ typing: null })
      if (frontTab(state) === "transcript") return both(done, findInTranscript(state, typing.text, 1, context))
      return page === null ? done : both(done, findInPager(state, page, typing.text, context))
    }
  }
}
