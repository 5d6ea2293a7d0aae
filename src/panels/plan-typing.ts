// Decides what becomes of a line that is being typed.

import { readTyped } from "../query/filter/read-typed.ts"
import { readWatched } from "../query/watches.ts"
import type { Intent, ViewContext } from "../view/intent.ts"
import { both, change, nothing, type Plan } from "../view/plan-result.ts"
import type { State } from "../view/state.ts"
import type { Typing } from "../view/view.ts"
import { takeNote } from "./bookmarks/update.ts"
import { takeFilter, takeSearch, typingOf } from "./filters/update.ts"
import { findInspected, isTranscript } from "./inspector/update.ts"
import { findInPager, pageOf } from "./pager/update.ts"
import { planCommand } from "./plan-command.ts"
import { takeSearchText } from "./search/update.ts"
import { takeWatch } from "./watches/update.ts"

type Wish = Extract<Intent, { type: "search" | "typed" | "typing" }>

export function planTyping(state: State, wish: Wish, facts: ViewContext): Plan {
  const { typing } = state.view
  if (wish.type === "search") {
    if (pageOf(state) !== null || isTranscript(state)) return change({ typing: typingOf("find", "") })
    return change({ typing: typingOf("search", ""), focus: "log" })
  }
  if (typing === null) return nothing
  if (wish.type === "typed") return typing.text === wish.text ? nothing : change({ typing: typed(typing, wish.text) })
  return wish.to === "drop" || (typing.to === "filter" && typing.text.trim() === "")
    ? change({ typing: null })
    : take(state, typing, facts)
}

/** Where it is wrong is told while it is typed. */
function typed(typing: Typing, text: string): Typing {
  if (["find", "goto", "note", "hunt"].includes(typing.to) || text.trim() === "")
    return { ...typing, text, error: null }
  const read = typing.to === "watch" ? readWatched(text) : readTyped(text)
  return { ...typing, text, error: "error" in read ? read.error : null }
}

function take(state: State, typing: Typing, facts: ViewContext): Plan {
  switch (typing.to) {
    case "goto":
      return both(change({ typing: null }), planCommand(state, typing, facts.now))
    case "filter":
      return takeFilter(state, typing)
    case "search":
      return both(takeSearch(state, typing), change({ sought: null }))
    case "hunt":
      return takeSearchText(state, typing)
    case "note":
      return takeNote(state, typing)
    case "watch":
      return takeWatch(state, typing, facts.now)
    case "find": {
      const page = pageOf(state)
      const done = change({ typing: null })
      if (isTranscript(state)) return both(done, findInspected(state, typing.text, 1, facts))
      return page === null ? done : both(done, findInPager(state, page, typing.text, facts))
    }
  }
}
