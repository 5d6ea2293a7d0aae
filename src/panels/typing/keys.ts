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
      title: "accept",
      words: "enter confirm accept",
      hint: "accept",
    },
    {
      id: "typing/drop",
      keys: ["escape"],
      title: "cancel",
      words: "cancel discard back",
      hint: "cancel",
    },
  ],
}

export const typingKeys: PanelKeys = { group: "Find", scopes: [scope] }
