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
        title: "record the whole run to a file, or stop recording",
        words: "save recording capture jsonl",
      },
    ],
  },
  {
    from: EVERYWHERE,
    keys: [
      { id: "program/redraw", keys: ["ctrl-l"], title: "redraw", words: "refresh repaint clear" },
      {
        id: "program/report-bug",
        keys: ["ctrl-g"],
        title: "save a bug report, with likely secrets removed, that `replay` can open",
        words: "report problem issue debug",
      },
      { id: "program/mouse", keys: ["f2"], title: "mouse on or off", words: "click wheel select text" },
      { id: "program/suspend", keys: ["ctrl-z"], title: "suspend (`fg` resumes)", words: "background stop shell" },
      quit,
    ],
  },
]

export const programKeys: PanelKeys = { group: "Program", openers }
