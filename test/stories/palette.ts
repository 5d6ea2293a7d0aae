// Lists the stories of the palette and of menus.
import { come, command, press, type Story, story, type } from "./story.ts"

const debug = (more: object) => come({ kind: "debug", paused: false, "step-budget": 0, ...more })
const demo = { recording: "demo" } as const

export const paletteStories: readonly Story[] = [
  story("palette", "empty", "all that can be done in a live run", /─ COMMANDS/, {
    recording: "parallel-60",
    did: [press(":")],
    says: ["what to do or where to go", "show what needs you", "Type where to go: 812 an event, #1204 a frame"],
  }),
  story("palette", "typed", "a part of a word, which finds sessions, states and actions", /drafter/, {
    ...demo,
    did: [press(":"), type("draf")],
    says: ["▸ ✓ drafter 1", "→ chart → drafting"],
  }),
  story("palette", "mistyped", "a condition with a mistake", /expected a number/, {
    ...demo,
    did: [press(":"), type("tokens>x")],
    says: ["expected a number after tokens, such as 250, 0.5 or 4k"],
  }),
  story("palette", "nothing", "a word that names nothing", /Nothing is called/, {
    ...demo,
    did: [press(":"), type("wharf")],
    says: ['Nothing is called "wharf"'],
  }),
  story("palette", "keys", "the keys that work here", /─ KEYS[\s\S]*─ 1 of 22 ─/, {
    did: [press("?")],
    says: ["KEYS  that work here", "why, context, data (again: text)", "quit, suspend"],
  }),
  story("palette", "all-keys", "all keys", /─ ALL KEYS/, {
    ...demo,
    did: [press("?", "?")],
    says: ["show what needs you; again goes to the next"],
  }),
  story("menu", "session", "what can be done with the selected session", /▸ Transcript/, {
    ...demo,
    frames: 826,
    did: [debug({}), ...command(":", "actions for")],
    says: ["Pause before the next model turn", "Re-run from here…"],
  }),
  story("sort", "menu", "how the list is sorted and the cost grouped", /─ SORT[\s\S]*─ 1 of 11 ─/, {
    ...demo,
    did: [press("S")],
    says: ["sessions: as they came", "cost by any turn"],
  }),
  story("export", "copy", "what can be copied of the selected session", /─ COPY/, {
    ...demo,
    did: [press("y")],
    says: ["session id      session/scribe-02", "the transcript"],
  }),
  story("debugger", "step-to", "where a paused run can be stepped to", /▸ The next state/, {
    recording: "debugger",
    frames: 18,
    did: [debug({ paused: true }), ...command(":", "step to the")],
    says: ["The next session", "The next model turn"],
  }),
  story("export", "menu", "what can be exported", /─ EXPORT/, {
    ...demo,
    did: [press("x")],
    says: ["the run as Markdown", "2,611 frames"],
  }),
]
