// The transcript of a session in the inspector.
import { sessionById, sessionIndex, turnIdOf, turnNumber } from "../../run/identity/find-by-id.ts"
import { errorBlocks, foldBlocks, moveBlocks, turnBlocks } from "../../transcript/block-moves.ts"
import type { Direction, Fold, Move } from "../../view/intent.ts"
import { alter, both, change, noMore, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { blockFinder } from "../common/find-text.ts"
import { close, follow, help, LAST_TURN, NEXT_TURN, nextTab, pageDown, search } from "../common/keys.ts"
import type { KeyBinding, Panel } from "../common/panel.ts"
import { outlineAt, transcriptLines, transcriptTitle } from "./lines.ts"

const ERROR = { title: "next or previous error", words: "failure problem jump" } as const

const turnKeys: readonly KeyBinding[] = [
  { ...NEXT_TURN, id: "transcript/next-turn", when: hasText, intent: () => ({ type: "transcript/turn", step: 1 }) },
  {
    id: "transcript/fold",
    keys: ["h", "left"],
    title: "fold the block",
    words: "collapse close hide",
    hint: "fold",
    when: hasText,
    intent: () => ({ type: "cursor/fold", to: "fold" }),
  },
  {
    id: "transcript/compare",
    keys: ["d"],
    title: "mark the turn; on another turn, compare the two",
    words: "diff difference",
    hint: "compare",
    when: hasText,
  },
]

/** The footer does not name these. */
const moreKeys: readonly KeyBinding[] = [
  { ...LAST_TURN, id: "transcript/previous-turn", intent: () => ({ type: "transcript/turn", step: -1 }) },
  { ...ERROR, id: "transcript/next-error", keys: ["e"], intent: () => ({ type: "transcript/error", step: 1 }) },
  { ...ERROR, id: "transcript/previous-error", keys: ["E"], intent: () => ({ type: "transcript/error", step: -1 }) },
  {
    id: "transcript/unfold",
    keys: ["l", "right"],
    title: "unfold the block",
    words: "expand open show",
    intent: () => ({ type: "cursor/fold", to: "unfold" }),
  },
  {
    id: "transcript/fold-all",
    keys: ["z"],
    title: "fold or unfold all blocks",
    words: "collapse expand everything",
    intent: () => ({ type: "cursor/fold", to: "all" }),
  },
]

/** True where the transcript in front has something to read. */
function hasText({ run, view }: State): boolean {
  const index = sessionIndex(run, view.inspector.session) ?? -1
  const [session, turn] = [run.sessions[index], run.turnBuffers[index]]
  return session !== undefined && turn !== undefined && (session.entries.length > 0 || turn.deltas > 0)
}

export const transcriptPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "transcript",
        kind: "tab",
        keys: [
          ...turnKeys,
          nextTab,
          close,
          { ...search, when: hasText },
          { ...pageDown, when: hasText },
          { ...follow, when: hasText },
          help,
          ...moreKeys,
        ],
      },
    ],
  },
  updates: {
    "transcript/turn": (state, { step }, context) => goOn(state, "turn", turnBlocks, step, context),
    "transcript/error": (state, { step }, context) => goOn(state, "error", errorBlocks, step, context),
    "transcript/compare": (state, _, context) => compare(state, context),
  },
  tabs: {
    transcript: {
      scope: "transcript",
      move: moveTranscript,
      fold: foldTranscript,
      finder: blockFinder(({ view: { inspector } }, { outline }) => ({
        reading: inspector,
        blocks: outline,
        change: to => alter(inspector, to),
      })),
      measure(state, place) {
        const outline = outlineAt(state, place)
        return { page: place.rows, lines: outline.length, outline }
      },
      title: transcriptTitle,
      lines: transcriptLines,
    },
  },
} satisfies Panel

type Find = typeof turnBlocks

function goOn({ view: { inspector } }: State, what: string, find: Find, step: Direction, context: ViewContext): Plan {
  const to = context.outline === undefined ? null : find(inspector, step, context.outline)
  return to === null ? noMore(what, step, context.now) : alter(inspector, to)
}

function moveTranscript({ view: { inspector } }: State, by: Move, { outline }: ViewContext): Plan {
  return outline === undefined ? nothing : alter(inspector, moveBlocks(inspector, by, outline))
}

function foldTranscript({ view: { inspector } }: State, to: Fold, { outline }: ViewContext): Plan {
  return outline === undefined ? nothing : alter(inspector, foldBlocks(inspector, to, outline))
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
