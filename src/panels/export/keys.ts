// The keys that take something out of the program: to the clipboard, onto the plain terminal, into a file.
import { close, down, up } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const exportKeys: PanelKeys = {
  group: "Program",
  openers: [
    {
      from: ["panes", "reader", "page", "entry", "tab"],
      keys: [
        { id: "copy/open", keys: ["y"], title: "copy the selected text or data", words: "yank clipboard" },
        {
          id: "copy/view",
          keys: ["Y"],
          title: "show plain text to select with the mouse",
          words: "copy select plain mouse",
        },
        {
          id: "export/open",
          keys: ["x"],
          title: "export the run or session to a file",
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
          title: "choose the selected item",
          words: "run select pick",
          hint: "choose",
        },
        close,
        down,
        up,
      ],
    },
  ],
}
