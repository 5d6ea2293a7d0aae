// Carries what a person did to the screen over to a run that is told anew: by ids and numbers, since indexes have moved.

import { wholeLog } from "../../query/match-index.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import type { Run } from "../../run/model/run.ts"
import type { TurnRef } from "../../run/model/turn-ref.ts"
import { unreadBlocks } from "../block-reading.ts"
import type { View } from "../view.ts"
import { type Moved, rebaseText } from "./rebase-text.ts"

/**
 * The view of `before` as it is to stand over `after`, which holds all of `before` and more. What points to something
 * that is not there any more is let go.
 */
export function rebaseView(view: View, before: Run, after: Run): View {
  const textIn = (id: SessionId | null): Moved | null => {
    const [was, is] = [sessionById(before, id), sessionById(after, id)]
    return was === undefined || is === undefined ? null : rebaseText(was, is)
  }
  const { inspector, text } = view
  const { at: cursor, first, folds } = inspector
  const inspected = textIn(inspector.session)?.reading({ at: cursor, first, folds }, ".0.0") ?? unreadBlocks
  return {
    ...view,
    text: textIn(view.textOf)?.reading(text, "") ?? text,
    inspector: {
      ...inspector,
      ...inspected,
      fall: { ...inspector.fall, turn: null },
      marked: inspector.marked === null ? null : movedTurn(inspector.marked, textIn(inspector.marked.session)),
    },
    // What was looked through is another log by now.
    filters: { ...view.filters, scanned: wholeLog },
    breakpoints: { ...view.breakpoints, pending: [] },
  }
}

function movedTurn(marked: TurnRef, text: Moved | null): TurnRef | null {
  const turn = text?.turn(marked.turn) ?? null
  return turn === null ? null : { ...marked, turn }
}
