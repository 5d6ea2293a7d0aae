// The text of a session: as a pane, and full screen.
import { foldBlocks, moveBlocks } from "../../transcript/block-moves.ts"
import type { TranscriptText } from "../../transcript/transcript.ts"
import type { Fold, Move } from "../../view/intent.ts"
import { change, nothing, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { readText, shownSession } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { blockFinder } from "../common/find-text.ts"
import { close, foldAll, follow, help, pageDown, pageUp, search } from "../common/keys.ts"
import { nextHit, previousHit } from "../common/pager/keys.ts"
import type { FrontContext, FrontPanel, Panel, Place } from "../common/panel.ts"

const finder = blockFinder((state, { text }) => {
  const reading = readText(state)
  return { reading, blocks: text, change: to => change({ text: { ...reading, ...to }, pinned: true }) }
})

export const sessionTextPanel = {
  keys: {
    group: "Panes",
    scopes: [
      {
        id: "reader",
        kind: "reader",
        keys: [
          close,
          { ...nextHit, when: isFound },
          { ...previousHit, when: isFound },
          pageDown,
          pageUp,
          search,
          { ...foldAll, when: hasToolCalls },
          follow,
          help,
        ],
      },
    ],
  },
  panes: { text: front("pane-text", "pane") },
  overlays: { reader: { drawn: { type: "reader" }, front: () => front("reader", "reader"), kept: { type: "reader" } } },
} satisfies Panel

/** True while something is searched for in the text in front. */
export function isFound(state: State): boolean {
  return readText(state).find !== null
}

function hasToolCalls(state: State): boolean {
  return (state.run.sessions[shownSession(state) ?? -1]?.repeat ?? null) !== null
}

function front(scope: string, transcript: "pane" | "reader"): FrontPanel {
  return { scope, move, fold, finder, measure: (state, place) => measure(state, place, place.transcripts[transcript]) }
}

function measure(state: State, { columns, rows, render }: Place, transcript: TranscriptText): FrontContext {
  const session = shownSession(state)
  if (session === null) return { page: rows, lines: 0 }
  transcript.update(state.run, { ...readText(state), session }, { columns, rows }, render)
  return { page: rows, lines: transcript.length, text: transcript }
}

function move(state: State, by: Move, context: ViewContext): Plan {
  if (context.text === undefined) return nothing
  const text = readText(state)
  const moved = { text: { ...text, ...moveBlocks(text, by, context.text) } }
  return change(by.unit === "follow" ? moved : { ...moved, pinned: true })
}

function fold(state: State, to: Fold, context: ViewContext): Plan {
  if (context.text === undefined) return nothing
  const text = readText(state)
  return change({ text: { ...text, ...foldBlocks(text, to, context.text) }, pinned: true })
}
