// The keys of the watch list.
import type { State } from "../../view/state.ts"
import { close, down, help, up } from "../common/keys.ts"
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const any = ({ view }: State) => view.watches.list.length > 0

const scope: OwnScope = {
  id: "watches",
  kind: "list",
  keys: [
    {
      id: "watches/go",
      keys: ["enter"],
      title: "in the watch list, which `:watch` opens: show the run where it changed so",
      words: "seek jump change",
      hint: "go there",
      when: any,
    },
    {
      id: "watches/add",
      keys: ["a"],
      title: "in that list: watch a condition, or one of state, reason, model, tool, turn, tokens",
      words: "new watch expression variable",
      hint: "watch",
    },
    {
      id: "watches/delete",
      keys: ["d"],
      title: "in that list: watch it no more",
      words: "remove watch stop",
      hint: "delete",
      when: any,
    },
    close,
    { ...down, when: any },
    { ...up, when: any },
    help,
  ],
}

export const watchKeys: PanelKeys = { group: "Time", scopes: [scope] }
