// The keys of the menu of a session.
import { close, down, up } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const menuKeys: PanelKeys = {
  openers: [
    {
      from: ["panes", "reader"],
      keys: [
        {
          id: "menu",
          keys: ["o"],
          group: "Debugger",
          title: "what can be done with the selected session",
          words: "actions menu context rerun",
          intent: () => ({ type: "menu/open" }),
        },
      ],
    },
  ],
  scopes: [
    {
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
          intent: () => ({ type: "menu/choose" }),
        },
        close,
        down,
        up,
      ],
    },
  ],
}
