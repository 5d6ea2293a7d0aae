// Lists the stories of the palette.
import { press, type Story, type } from "./story.ts"

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
  { name: "palette-help", panel: "palette", about: "the keys that work here", did: [press("?")], shows: /─ KEYS/ },
  {
    name: "palette-nothing",
    panel: "palette",
    about: "a condition with a mistake",
    recording: "demo",
    did: [press(":"), type("tokens>x")],
    shows: /expected a number/,
  },
]
