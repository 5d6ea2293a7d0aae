// The transcript of a session in the inspector.
import { sessionById, sessionIndex, turnIdOf, turnNumber } from "../../run/identity/find-by-id.ts"
import { errorBlocks, foldBlocks, moveBlocks, turnBlocks } from "../../transcript/block-moves.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { type Line, line, span } from "../../ui/line.ts"
import { placeWords } from "../../ui/text-width.ts"
import type { Direction, Fold, Move } from "../../view/intent.ts"
import { alter, both, change, noMore, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import type { State } from "../../view/state.ts"
import { blockFinder, foundWords } from "../common/find-text.ts"
import { close, follow, help, LAST_TURN, NEXT_TURN, nextTab, pageDown, search } from "../common/keys.ts"
import type { KeyBinding, Panel, Place } from "../common/panel.ts"

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

/** The outline of the session, laid out for its place. */
function outlineAt(state: State, { transcripts, columns, rows, render }: Place): SessionOutline {
  transcripts.inspector.update(state, { columns, rows }, render)
  return transcripts.inspector
}

function transcriptLines(state: State, place: Place): readonly Line[] {
  const outline = outlineAt(state, place)
  const { inspector } = state.view
  if (inspector.session === null) return [line(span("No sessions", "dim"))]
  if (outline.length > 0) return outline.window(inspector.at)
  const stream = state.run.turnBuffers[sessionIndex(state.run, inspector.session) ?? -1]
  if (stream === undefined) return [line(span("Not started yet at this point", "dim"))]
  const waits = stream.status === "waiting"
  return [line(span(waits ? "Waiting for the first token" : "No messages", "dim"))]
}

/** Whose transcript it is, which turn is read, and where one is in it. */
function transcriptTitle(state: State, place: Place): string {
  const outline = outlineAt(state, place)
  const { run, view } = state
  const { session: id, at } = view.inspector
  const session = sessionById(run, id)
  const invocation = run.invocations[session?.invocation ?? -1]
  if (session === undefined || invocation === undefined) return ""
  const short = invocation.sessions.length > 1 ? ` ${session.label}` : ""
  const line = at === null ? outline.length - 1 : outline.lineOf(at)
  const turn = outline.turnAt(line)
  const turns = session.turns > 1 ? ` · turn ${turn} of ${session.turns}` : ""
  const where = at === null ? " · following" : placeWords(outline.top, outline.rows, outline.length)
  const disk = sessionsToRecall(state).length > 0 ? " · reading from disk" : ""
  return `${invocation.title}${short}${turns}${where}${disk}${foundWords(outline, view.inspector)}`
}
