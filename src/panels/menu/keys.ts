// The keys of the menu of a session.
import { close, down, up } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const menuKeys: PanelKeys = {
  group: "Debugger",
  openers: [
    {
      from: ["panes", "reader"],
      keys: [
        {
          id: "menu/open",
          keys: ["o"],
          title: "actions for the selected session",
          words: "actions menu context rerun",
        },
      ],
    },
  ],
  scopes: [
    {
      id: "menu",
      kind: "menu",
      keys: [
        {
          id: "menu/choose",
          keys: ["enter"],
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
