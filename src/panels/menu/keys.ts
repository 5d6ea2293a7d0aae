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
          title: "what can be done with the selected session",
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
        { id: "menu/choose", keys: ["enter"], title: "in that menu: do it", words: "run select pick", hint: "do" },
        close,
        down,
        up,
      ],
    },
  ],
}
