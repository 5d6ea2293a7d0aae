// The keys that open a menu, take something out of the program, and choose.
import type { ExportIntent } from "../../view/intent.ts"
import { close, down, up } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel.ts"

const take = (wish: ExportIntent) => () => ({ type: "take", wish }) as const

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader"],
    keys: [
      {
        id: "menu",
        keys: ["o"],
        group: "Debugger",
        title: "what can be done with the selected session",
        words: "actions menu context rerun",
        intent: () => ({ type: "menu" }),
      },
    ],
  },
  {
    from: ["panes", "reader", "page", "entry", "tab"],
    keys: [
      {
        id: "copy",
        keys: ["y"],
        group: "Program",
        title: "copy what is under the cursor",
        words: "yank clipboard",
        intent: take("copy"),
      },
      {
        id: "copy-view",
        keys: ["Y"],
        group: "Program",
        title: "the text without borders and wraps, for the terminal's own selection",
        words: "copy select plain mouse",
        intent: take("show"),
      },
      {
        id: "export",
        keys: ["x"],
        group: "Program",
        title: "export the run or the session to a file",
        words: "save file markdown html jsonl",
        intent: take("export"),
      },
    ],
  },
]

const scope: OwnScope = {
  id: "menu",
  kind: "menu",
  others: "count",
  keys: [
    {
      id: "choose",
      keys: ["enter"],
      group: "Debugger",
      title: "in that menu: do it",
      words: "run select pick",
      hint: "do",
      intent: () => ({ type: "choose" }),
    },
    close,
    down,
    up,
  ],
}

export const menuKeys: PanelKeys = { openers, scopes: [scope] }
