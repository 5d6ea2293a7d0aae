// Decides what the keys of a session's transcript do.
import { sessionById, sessionIndex, turnIdOf, turnNumber } from "../../run/identity/find-by-id.ts"
import { errorBlocks, findBlocks, foldBlocks, moveBlocks, turnBlocks } from "../../transcript/block-moves.ts"
import type { Direction, Fold, Move } from "../../view/intent.ts"
import { alter, both, change, noMore, nothing, notice, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"
import type { SomeUpdates } from "../common/panel.ts"

export const transcriptUpdates = {
  "transcript/turn": (state, { step }, context) => goOn(state, "turn", turnBlocks, step, context),
  "transcript/error": (state, { step }, context) => goOn(state, "error", errorBlocks, step, context),
  "transcript/compare": (state, _, context) => compare(state, context),
} satisfies SomeUpdates

type Find = typeof turnBlocks

function goOn({ view: { inspector } }: State, what: string, find: Find, step: Direction, context: ViewContext): Plan {
  const to = context.outline === undefined ? null : find(inspector, step, context.outline)
  return to === null ? noMore(what, step, context.now) : alter(inspector, to)
}

export function moveTranscript({ view: { inspector } }: State, by: Move, { outline }: ViewContext): Plan {
  return outline === undefined ? nothing : alter(inspector, moveBlocks(inspector, by, outline))
}

export function foldTranscript({ view: { inspector } }: State, to: Fold, { outline }: ViewContext): Plan {
  return outline === undefined ? nothing : alter(inspector, foldBlocks(inspector, to, outline))
}

/** Searches the transcript in front; an empty text ends the search. */
export function findInTranscript({ view }: State, find: string | null, step: Direction, context: ViewContext): Plan {
  const { inspector } = view
  if (find === null) return notice("No search yet. / starts one", "info", context.now)
  if (find === "") return alter(inspector, { find: null })
  const to = context.outline === undefined ? null : findBlocks(inspector, find, step, context.outline)
  return to === null
    ? both(alter(inspector, { find }), notice(`No match for ${find}`, "warning", context.now))
    : alter(inspector, { ...to, find })
}

/** The first press marks a turn, the second lays the marked one beside the turn under the cursor. */
function compare({ run, view }: State, { outline, now }: ViewContext): Plan {
  const { inspector, overlays } = view
  const { at, marked } = inspector
  const session = sessionById(run, inspector.session)
  if (outline === undefined || session === undefined || outline.length === 0) return nothing
  const turn = outline.turnAt(at === null ? outline.length - 1 : outline.lineOf(at))
  const here = { session: session.id, turn: turnIdOf(session, turn) }
  if (marked === null || sessionIndex(run, marked.session) === null) {
    return both(
      alter(inspector, { marked: here }),
      notice(`Turn ${turn} marked. Press d on another turn to compare`, "info", now),
    )
  }
  const done = { ...inspector, marked: null }
  if (marked.session === session.id && turnNumber(session, marked.turn) === turn) {
    return both(change({ inspector: done }), notice(`Turn ${turn} unmarked`, "info", now))
  }
  return change({
    inspector: done,
    overlays: [...overlays, { type: "turn-diff", before: marked, after: here, top: 0 }],
  })
}
