// The keys that take something out of the program: to the clipboard, onto the plain terminal, into a file.
import { close, down, up } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const exportKeys: PanelKeys = {
  group: "Program",
  openers: [
    {
      from: ["panes", "reader", "page", "entry", "tab"],
      keys: [
        { id: "copy/open", keys: ["y"], title: "copy what is under the cursor", words: "yank clipboard" },
        {
          id: "copy/view",
          keys: ["Y"],
          title: "the text without borders and wraps, for the terminal's own selection",
          words: "copy select plain mouse",
        },
        {
          id: "export/open",
          keys: ["x"],
          title: "export the run or the session to a file",
          words: "save file markdown html jsonl",
        },
      ],
    },
  ],
  scopes: [
    {
      id: "export",
      kind: "menu",
      keys: [
        {
          id: "export/choose",
          keys: ["enter"],
          group: "Debugger",
          title: "in that menu: do it",
          words: "run select pick",
          hint: "do",
        },
        close,
        down,
        up,
      ],
    },
  ],
}
