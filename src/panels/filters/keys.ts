// The keys of the list of filters.
import { close, help } from "../common/keys.ts"
import type { KeyBinding, Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

export const filters: KeyBinding = {
  id: "filters/toggle",
  keys: ["f"],
  title: "show or hide filters (for the log and live pane)",
  words: "show only hide condition query",
  hint: "filter",
}

const openers: readonly Opener[] = [{ from: ["panes", "filters"], keys: [filters] }]

const scope: OwnScope = {
  id: "filters",
  kind: "list",
  keys: [
    { id: "filters/add", keys: ["a"], title: "add a filter", words: "new filter create", hint: "add" },
    { id: "filters/edit", keys: ["enter"], title: "edit the filter", words: "change filter", hint: "edit" },
    {
      id: "filters/switch",
      keys: ["space"],
      title: "turn the filter on or off",
      words: "toggle enable disable filter",
      hint: "on/off",
    },
    { id: "filters/delete", keys: ["d"], title: "delete the filter", words: "remove filter", hint: "delete" },
    close,
    help,
  ],
}

export const filterKeys: PanelKeys = { group: "Find", openers, scopes: [scope] }
