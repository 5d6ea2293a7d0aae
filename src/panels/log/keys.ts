// The keys that jump in the log and go to the hits of its search.
import type { JumpKind } from "../../query/jump.ts"
import type { KeyBinding, Opener, PanelKeys } from "../common/panel-keys.ts"

const KINDS: readonly (readonly [next: string, previous: string, kind: JumpKind, name: string, words: string])[] = [
  ["e", "E", "error", "error", "failure exception problem"],
  ["w", "W", "warning", "warning", "problem retry"],
  ["}", "{", "state", "state change", "transition chart"],
  ["u", "U", "prompt", "question", "prompt human input"],
  ["]", "[", "turn", "turn", "model call request"],
]

function jumpKeys([next, previous, kind, name, words]: (typeof KINDS)[number]): readonly KeyBinding[] {
  const title = `next or previous ${name} in the log`
  return ([1, -1] as const).map(step => ({
    id: `log/${step > 0 ? "next" : "previous"}-${kind}`,
    keys: [step > 0 ? next : previous],
    title,
    words,
    intent: () => ({ type: "log/jump", kind, step }),
  }))
}

const openers: readonly Opener[] = [
  {
    from: ["panes"],
    keys: [
      {
        id: "log/previous-hit",
        keys: ["N"],
        title: "previous match",
        words: "find again match backwards",
        intent: () => ({ type: "log/next-hit", step: -1 }),
      },
      {
        id: "log/times",
        keys: ["t"],
        title: "show times since the start, by the clock, or since the previous row or bookmark",
        words: "clock timestamps relative absolute",
      },
    ],
  },
  // In a text w wraps.
  ...KINDS.map(
    (kind): Opener => ({ from: kind[2] === "warning" ? ["panes"] : ["panes", "entry"], keys: jumpKeys(kind) }),
  ),
]

export const logKeys: PanelKeys = { group: "Find", openers }
