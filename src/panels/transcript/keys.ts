// The keys of a session's transcript.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { State } from "../../view/state.ts"
import { close, follow, help, LAST_TURN, NEXT_TURN, nextTab, pageDown, search } from "../common/keys.ts"
import type { KeyBinding, PanelKeys } from "../common/panel-keys.ts"

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
    words: "diff difference turns",
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

export const transcriptKeys: PanelKeys = {
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
}

/** True where the transcript in front has something to read. */
function hasText({ run, view }: State): boolean {
  const index = sessionIndex(run, view.inspector.session) ?? -1
  const [session, turn] = [run.sessions[index], run.turnBuffers[index]]
  return session !== undefined && turn !== undefined && (session.entries.length > 0 || turn.deltas > 0)
}
