// The keys of the list of filters.
import { close, help } from "../common/keys.ts"
import type { KeyBinding, Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

export const filters: KeyBinding = {
  id: "filters/toggle",
  keys: ["f"],
  title: "filter the log and the live pane; the list of filters, and back",
  words: "show only hide condition query",
  hint: "filter",
}

const openers: readonly Opener[] = [{ from: ["panes", "filters"], keys: [filters] }]

const scope: OwnScope = {
  id: "filters",
  kind: "list",
  keys: [
    {
      id: "filters/add",
      keys: ["a"],
      title: "in the list of filters: add one",
      words: "new filter create",
      hint: "add",
    },
    {
      id: "filters/edit",
      keys: ["enter"],
      title: "in that list: change the filter",
      words: "edit filter",
      hint: "change",
    },
    {
      id: "filters/switch",
      keys: ["space"],
      title: "in that list: the filter on or off",
      words: "toggle enable disable filter",
      hint: "on/off",
    },
    {
      id: "filters/delete",
      keys: ["d"],
      title: "in that list: delete the filter",
      words: "remove filter",
      hint: "delete",
    },
    close,
    help,
  ],
}

export const filterKeys: PanelKeys = { group: "Find", openers, scopes: [scope] }
