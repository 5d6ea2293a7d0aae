// The keys of the list of filters.
import { close, help } from "../common/keys.ts"
import type { KeyBinding, Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

export const filters: KeyBinding = {
  id: "filters",
  keys: ["f"],
  group: "Find",
  title: "filter the log and the live pane; the list of filters, and back",
  words: "show only hide condition query",
  hint: "filter",
  intent: () => ({ type: "filters/toggle" }),
}

const openers: readonly Opener[] = [{ from: ["panes", "filters"], keys: [filters] }]

const scope: OwnScope = {
  id: "filters",
  kind: "list",
  others: "count",
  keys: [
    {
      id: "filter-add",
      keys: ["a"],
      group: "Find",
      title: "in the list of filters: add one",
      words: "new filter create",
      hint: "add",
      intent: () => ({ type: "filters/add" }),
    },
    {
      id: "filter-edit",
      keys: ["enter"],
      group: "Find",
      title: "in that list: change the filter",
      words: "edit filter",
      hint: "change",
      intent: () => ({ type: "filters/edit" }),
    },
    {
      id: "filter-switch",
      keys: ["space"],
      group: "Find",
      title: "in that list: the filter on or off",
      words: "toggle enable disable filter",
      hint: "on/off",
      intent: () => ({ type: "filters/switch" }),
    },
    {
      id: "filter-delete",
      keys: ["d"],
      group: "Find",
      title: "in that list: delete the filter",
      words: "remove filter",
      hint: "delete",
      intent: () => ({ type: "filters/delete" }),
    },
    close,
    help,
  ],
}

export const filterKeys: PanelKeys = { openers, scopes: [scope] }
