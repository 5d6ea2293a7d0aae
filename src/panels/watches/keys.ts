// The keys of the watch list.
import type { State } from "../../view/state.ts"
import { close, down, help, up } from "../common/keys.ts"
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const isFilled = ({ view }: State) => view.watches.list.length > 0

const scope: OwnScope = {
  id: "watches",
  kind: "list",
  keys: [
    {
      id: "watches/go",
      keys: ["enter"],
      title: "go to that change",
      words: "seek jump change",
      hint: "go there",
      when: isFilled,
    },
    {
      id: "watches/add",
      keys: ["a"],
      title: "watch a condition or value",
      words: "new watch expression variable",
      hint: "watch",
    },
    {
      id: "watches/delete",
      keys: ["d"],
      title: "remove the watch",
      words: "remove watch stop",
      hint: "remove",
      when: isFilled,
    },
    close,
    { ...down, when: isFilled },
    { ...up, when: isFilled },
    help,
  ],
}

export const watchKeys: PanelKeys = { group: "Time", scopes: [scope] }
