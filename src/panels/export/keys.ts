// The keys that take something out of the program: to the clipboard, onto the plain terminal, into a file.
import { close, down, up } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const exportKeys: PanelKeys = {
  openers: [
    {
      from: ["panes", "reader", "page", "entry", "tab"],
      keys: [
        {
          id: "copy",
          keys: ["y"],
          group: "Program",
          title: "copy what is under the cursor",
          words: "yank clipboard",
          intent: () => ({ type: "copy/open" }),
        },
        {
          id: "copy-view",
          keys: ["Y"],
          group: "Program",
          title: "the text without borders and wraps, for the terminal's own selection",
          words: "copy select plain mouse",
          intent: () => ({ type: "copy/view" }),
        },
        {
          id: "export",
          keys: ["x"],
          group: "Program",
          title: "export the run or the session to a file",
          words: "save file markdown html jsonl",
          intent: () => ({ type: "export/open" }),
        },
      ],
    },
  ],
  scopes: [
    {
      id: "export",
      kind: "menu",
      others: "count",
      keys: [
        {
          id: "export-choose",
          keys: ["enter"],
          group: "Debugger",
          title: "in that menu: do it",
          words: "run select pick",
          hint: "do",
          intent: () => ({ type: "export/choose" }),
        },
        close,
        down,
        up,
      ],
    },
  ],
}
