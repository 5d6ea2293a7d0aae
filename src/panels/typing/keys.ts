// The keys of a line that is typed.
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const scope: OwnScope = {
  id: "line",
  kind: "line",
  others: "text",
  keys: [
    {
      id: "line-take",
      keys: ["enter"],
      group: "Find",
      title: "take the line that was typed",
      words: "enter confirm accept",
      hint: "take",
      intent: () => ({ type: "typing/take" }),
    },
    {
      id: "line-drop",
      keys: ["escape"],
      group: "Find",
      title: "drop the line that was typed",
      words: "cancel discard back",
      hint: "drop",
      intent: () => ({ type: "typing/drop" }),
    },
  ],
}

export const typingKeys: PanelKeys = { scopes: [scope] }
