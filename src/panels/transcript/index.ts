// The transcript of a session, in the reader.
import { keyOf } from "../../keys/key-text.ts"
import { sessionIndex, turnIdOf, turnNumber } from "../../run/identity/find-by-id.ts"
import type { TurnRef } from "../../run/model/id.ts"
import {
  errorBlocks,
  findBlocks,
  foldBlocks,
  moveBlocks,
  toggleCard,
  turnBlocks,
} from "../../transcript/block-moves.ts"
import type { Outline, OutlineReading } from "../../view/block-reading.ts"
import type { Direction } from "../../view/intent.ts"
import { both, change, noMore, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { readText, shownSession } from "../../view/select/shown-session.ts"
import { createSlice } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import { turnInFront } from "../common/in-front.ts"
import { fold, PLACES, search } from "../common/keys.ts"
import { bind, type FrontPanel, type KeyBinding, type Panel } from "../common/panel.ts"

/** The turn that another is to be compared with. */
export const comparing = createSlice<{ readonly marked: TurnRef | null }>("comparing", { marked: null })

export const foldText: KeyBinding = { ...fold, hint: "fold", when: hasText }
const compareTurns = bind("transcript/compare", ["="], "mark the turn; on another, compare the two", "diff difference")
export const compareText: KeyBinding = { ...compareTurns, hint: "compare", when: hasText }

function hasText(state: State): boolean {
  const index = shownSession(state) ?? -1
  const [session, turn] = [state.run.sessions[index], state.run.turnBuffers[index]]
  return session !== undefined && turn !== undefined && (session.entries.length > 0 || turn.deltas > 0)
}

const reader: FrontPanel = {
  scope: "pane-text",
  move: (state, by, context) => withOutline(state, context, outline => moveBlocks(readText(state), by, outline)),
  fold: (state, to, context) => withOutline(state, context, outline => foldBlocks(readText(state), to, outline)),
  jump(state, kind, step, context) {
    if (kind === "turn") return goOn(state, kind, turnBlocks, step, context)
    const { outline } = context
    const hasErrors = outline?.errorFrom(-1, 1) != null
    return kind === "error" && hasErrors ? goOn(state, kind, errorBlocks, step, context) : null
  },
  finder: {
    take: (state, text, context) => findFrom(state, text, 1, context),
    step(state, step, context) {
      const { find } = readText(state)
      if (find === null) return notice(`No search yet. ${keyOf(state.view, search)} starts one`, "info", context.now)
      return findFrom(state, find, step, context)
    },
  },
  measure(state, { outline, columns, rows, render }) {
    outline.update(state, readText(state), { columns, rows }, render)
    return { page: rows, lines: outline.length, outline }
  },
}

export const transcriptPanel = {
  keys: { group: "Views", openers: [{ from: PLACES, keys: [compareTurns] }] },
  updates: {
    "transcript/fold": (state, { line }, context) =>
      withOutline(state, context, outline => toggleCard(readText(state), line, outline)),
    "transcript/compare": (state, _, context) => compare(state, context),
  },
  panes: { text: reader },
} satisfies Panel

type Change = Partial<OutlineReading>
type Find = typeof turnBlocks

function goOn(state: State, what: string, find: Find, step: Direction, { outline, now }: ViewContext): Plan {
  const to = outline === undefined ? null : find(readText(state), step, outline)
  return to === null ? noMore(what, step, now) : reading(state, to)
}

function withOutline(state: State, { outline }: ViewContext, make: (outline: Outline) => Change): Plan {
  return outline === undefined ? nothing : reading(state, make(outline))
}

/** Changes how the transcript in front is read. What a person reads stays selected, unless its end is followed. */
function reading(state: State, to: Change): Plan {
  return change({ reader: { text: { ...readText(state), ...to } }, ...(to.at !== null && { list: { pinned: true } }) })
}

/** The first press marks a turn, the second lays the marked one beside the turn under the cursor. */
function compare(state: State, context: ViewContext): Plan {
  const { run, view } = state
  const { now } = context
  const { marked } = comparing.of(view)
  const place = turnInFront(state, context)
  const session = run.sessions[place?.session ?? -1]
  if (place === null || session === undefined) return notice("No turn here to compare", "info", now)
  const { turn } = place
  const here = { session: session.id, turn: turnIdOf(session, turn) }
  if (marked === null || sessionIndex(run, marked.session) === null) {
    return both(
      change(comparing.put(view, { marked: here })),
      notice(`Turn ${turn} marked. ${keyOf(view, compareTurns)} on another turn compares`, "info", now),
    )
  }
  const done = comparing.put(view, { marked: null })
  if (marked.session === session.id && turnNumber(session, marked.turn) === turn) {
    return both(change(done), notice(`Turn ${turn} unmarked`, "info", now))
  }
  return change({
    ...done,
    overlays: [...view.overlays, { type: "turn-diff", before: marked, after: here, top: 0 }],
  })
}

/** Moves to the next match from the cursor; an empty text ends the search. */
function findFrom(state: State, find: string, step: Direction, { outline, now }: ViewContext): Plan {
  if (find === "") return reading(state, { find: null })
  const to = outline === undefined ? null : findBlocks(readText(state), find, step, outline)
  if (to !== null) return reading(state, { ...to, find })
  const isSearching = outline?.isSearching === true
  const words = isSearching ? `Still searching for ${find}. n goes on` : `No match for ${find}`
  return both(reading(state, { find }), notice(words, isSearching ? "info" : "warning", now))
}
