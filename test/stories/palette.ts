// Lists the stories of the palette and of menus.
import { command, debug, press, type Story, story, type } from "./story.ts"

const demo = { recording: "demo" } as const

export const paletteStories: readonly Story[] = [
  story("palette", "empty", "all that can be done in a live run", /─ COMMANDS/, {
    recording: "parallel-60",
    did: [press(":")],
  }),
  story("palette", "typed", "a part of a word, which finds sessions, states and actions", /drafter/, {
    ...demo,
    did: [press(":"), type("draf")],
  }),
  story("palette", "mistyped", "a condition with a mistake", /expected a number/, {
    ...demo,
    did: [press(":"), type("tokens>x")],
  }),
  story("palette", "nothing", "a word that names nothing", /Nothing is called/, {
    ...demo,
    did: [press(":"), type("wharf")],
  }),
  story("palette", "keys", "the keys that work here", /─ KEYS[\s\S]*─ 1 of 22 ─/, { did: [press("?")] }),
  story("palette", "all-keys", "all keys", /─ ALL KEYS/, { ...demo, did: [press("?", "?")] }),
  story("menu", "session", "what can be done with the selected session", /▸ Transcript/, {
    ...demo,
    frames: 826,
    did: [debug({}), ...command(":", "actions for")],
  }),
  story("sort", "menu", "how the list is sorted and the cost grouped", /─ SORT[\s\S]*─ 1 of 11 ─/, {
    ...demo,
    did: [press("S")],
  }),
  story("export", "copy", "what can be copied of the selected session", /─ COPY/, { ...demo, did: [press("y")] }),
  story("debugger", "step-to", "where a paused run can be stepped to", /▸ The next state/, {
    recording: "debugger",
    frames: 18,
    did: [debug({ paused: true }), ...command(":", "step to the")],
  }),
  story("export", "menu", "what can be exported", /─ EXPORT/, { ...demo, did: [press("x")] }),
]
