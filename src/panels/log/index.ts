import { readTyped } from "../../query/filter/parse.ts"
import { type Search, shownMatches } from "../../query/filters.ts"
import { JUMPS, type JumpKind, jump } from "../../query/jump.ts"
import { noneRecalled } from "../../run/memory/recalled-frames.ts"
import { at } from "../../run/model/chunked-list.ts"
import { stepOf } from "../../view/cursor-step.ts"
import type { Direction, Move } from "../../view/intent.ts"
import { both, change, noMore, nothing, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { cursorIndex, cursorOn, followsEnd, shownAfter } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"
import { TIMES, type Typing } from "../../view/view.ts"
import { errorJumps, jumpKeys, PLACES } from "../common/keys.ts"
import { followingEnd } from "../common/open-entry.ts"
import { bind, type Opener, type Panel } from "../common/panel.ts"
import { scanFor, scanMore } from "../common/scan-log.ts"
import { goToRow, jumpStart } from "../common/seek.ts"

const KINDS: readonly Parameters<typeof jumpKeys>[0][] = [
  ["w", "warning", "warning", "problem retry"],
  ["u", "prompt", "question", "prompt human input"],
  ["s", "state", "change of state", "transition chart"],
  ["t", "turn", "turn", "model call request"],
]

const openers: readonly Opener[] = [
  {
    from: PLACES,
    keys: [
      bind(
        "log/times",
        [],
        "show times since the start, by the clock, or since the previous row or bookmark",
        "timestamps relative absolute",
      ),
      ...errorJumps,
      ...KINDS.flatMap(jumpKeys),
    ],
  },
]

export const logPanel = {
  keys: { group: "Find", openers },
  updates: {
    "log/times": nextTimes,
    "log/scan": (state, { recalled = noneRecalled }, { now }) => scanMore(state, recalled, now),
  },
  typing: {
    search: {
      take: (state, typing) => both(takeSearch(state, typing), change({ conditions: { sought: null } })),
      reads: readTyped,
    },
  },
  panes: { log: { scope: "panes", move: moveLog, measure: (_, { rows }) => ({ page: rows, lines: 0 }) } },
} satisfies Panel

/** Searches from the cursor on, or back from the end where the log follows it. */
function takeSearch(state: State, typing: Typing): Plan {
  if (typing.text.trim() === "") return both(change({ typing: null }), endSearch(state))
  const read = readTyped(typing.text)
  if ("error" in read) return change({ typing: { ...typing, error: read.error } })
  const search: Search = { ...read, wanted: followsEnd(state) ? -1 : 1 }
  return both(change({ typing: null }), scanFor(state, { ...state.view.log.filters, search }))
}

/** Ends the search; the filters stay. */
export function endSearch(state: State): Plan {
  return scanFor(state, { ...state.view.log.filters, search: null })
}

/** To the next row of a kind that the log shows. */
export function jumpTo(state: State, kind: JumpKind, step: Direction, now: number): Plan {
  const { present, view } = state
  const shown = { matches: shownMatches(view.log.filters, state.zone), range: view.log.filters.scanned }
  const next = jump(present, kind, step, jumpStart(state, step), shown)
  // Behind the end there is nothing to find: the latest one is meant.
  const index = next === null && followsEnd(state) ? jump(present, kind, -1, jumpStart(state, -1), shown) : next
  const row = index === null ? undefined : at(present.log.rows, index)
  return row === undefined ? noMore(JUMPS[kind].words, step, now) : goToRow(state, row)
}

/** The title of the log says which are shown. */
function nextTimes({ view }: State): Plan {
  return change({ log: { times: TIMES[(TIMES.indexOf(view.log.times) + 1) % TIMES.length] ?? "start" } })
}

function moveLog(state: State, by: Move, context: ViewContext): Plan {
  const { view } = state
  if (by.unit === "follow") return change(view.reader.reads === "row" ? followingEnd(view) : { log: { cursor: null } })
  const from = cursorIndex(state)
  if (from === null) return nothing
  const to =
    by.unit === "to" ? by.count : shownAfter(state, from, stepOf(by, Infinity, { ...context, lines: Infinity }))
  const row = at(state.present.log.rows, to)
  return row === undefined ? nothing : change(cursorOn(state, row))
}
