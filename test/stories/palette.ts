// Lists the stories of the palette and of menus.
import { come, command, press, type Story, type } from "./story.ts"

const debug = (more: object) => come({ kind: "debug", paused: false, "step-budget": 0, ...more })

export const paletteStories: readonly Story[] = [
  {
    name: "palette-empty",
    panel: "palette",
    about: "all that can be done in a live run",
    recording: "parallel-60",
    did: [press(":")],
    shows: /─ COMMANDS/,
  },
  {
    name: "palette-typed",
    panel: "palette",
    about: "a part of a word, which finds sessions, states and actions",
    recording: "demo",
    did: [press(":"), type("draf")],
    shows: /drafter/,
  },
  {
    name: "palette-help",
    panel: "palette",
    about: "the keys that work here",
    did: [press("?")],
    says: ["KEYS"],
    shows: /─ KEYS/,
  },
  {
    name: "palette-nothing",
    panel: "palette",
    about: "a condition with a mistake",
    recording: "demo",
    did: [press(":"), type("tokens>x")],
    shows: /expected a number/,
  },
  {
    name: "menu-session",
    panel: "menu",
    about: "what can be done with the selected session",
    recording: "demo",
    frames: 826,
    did: [debug({}), ...command(":", "actions for")],
    shows: /▸ Transcript/,
  },
  {
    name: "menu-sort",
    panel: "sort",
    about: "how the list is sorted and the cost grouped",
    recording: "demo",
    did: [press("S")],
    shows: /─ SORT/,
  },
  {
    name: "menu-copy",
    panel: "export",
    about: "what can be copied of the selected session",
    recording: "demo",
    did: [press("y")],
    shows: /─ COPY/,
  },
  {
    name: "menu-step-to",
    panel: "debugger",
    about: "where a paused run can be stepped to",
    recording: "debugger",
    did: [debug({ paused: true }), ...command(":", "step to the")],
    shows: /▸ The next state/,
  },
  {
    name: "menu-export",
    panel: "export",
    about: "what can be exported",
    recording: "demo",
    did: [press("x")],
    shows: /─ EXPORT/,
  },
]
