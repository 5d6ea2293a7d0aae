// The keys of the program itself, which work wherever one is.
import { help, quit } from "../common/keys.ts"
import { BROWSE, EVERYWHERE, type Opener, type PanelKeys } from "../common/panel-keys.ts"

const openers: readonly Opener[] = [
  {
    from: BROWSE,
    keys: [
      help,
      {
        id: "record",
        keys: ["R"],
        group: "Program",
        title: "record the run to a file, from its first frame on, and stop",
        words: "save recording capture jsonl",
        intent: () => ({ type: "program/record" }),
      },
    ],
  },
  {
    from: EVERYWHERE,
    keys: [
      {
        id: "redraw",
        keys: ["ctrl-l"],
        group: "Program",
        title: "draw the screen anew",
        words: "refresh repaint clear",
        intent: () => ({ type: "program/redraw" }),
      },
      {
        id: "bug",
        keys: ["ctrl-g"],
        group: "Program",
        title:
          "a bug report: frames, captures and view without likely secrets, as a directory that `replay` opens here",
        words: "report problem issue debug",
        intent: () => ({ type: "program/report-bug" }),
      },
      {
        id: "suspend",
        keys: ["ctrl-z"],
        group: "Program",
        title: "suspend; `fg` comes back",
        words: "background stop shell",
        intent: () => ({ type: "program/suspend" }),
      },
      quit,
    ],
  },
]

export const programKeys: PanelKeys = { openers }
