// The keys of the program itself, which work wherever one is.
import { help, quit } from "../common/keys.ts"
import { BROWSE, EVERYWHERE, type Opener, type PanelKeys } from "../common/panel-keys.ts"

const openers: readonly Opener[] = [
  {
    from: BROWSE,
    keys: [
      help,
      {
        id: "program/record",
        keys: ["R"],
        title: "record the run to a file, from its first frame on, and stop",
        words: "save recording capture jsonl",
      },
    ],
  },
  {
    from: EVERYWHERE,
    keys: [
      { id: "program/redraw", keys: ["ctrl-l"], title: "draw the screen anew", words: "refresh repaint clear" },
      {
        id: "program/report-bug",
        keys: ["ctrl-g"],
        title:
          "a bug report: frames, captures and view without likely secrets, as a directory that `replay` opens here",
        words: "report problem issue debug",
      },
      { id: "program/suspend", keys: ["ctrl-z"], title: "suspend; `fg` comes back", words: "background stop shell" },
      quit,
    ],
  },
]

export const programKeys: PanelKeys = { group: "Program", openers }
