// The keys of a line that is typed.
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const scope: OwnScope = {
  id: "line",
  kind: "line",
  others: "text",
  keys: [
    {
      id: "typing/take",
      keys: ["enter"],
      title: "take the line that was typed",
      words: "enter confirm accept",
      hint: "take",
    },
    {
      id: "typing/drop",
      keys: ["escape"],
      title: "drop the line that was typed",
      words: "cancel discard back",
      hint: "drop",
    },
  ],
}

export const typingKeys: PanelKeys = { group: "Find", scopes: [scope] }
