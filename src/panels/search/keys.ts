// The keys that search the whole run, and those of what was found.
import type { State } from "../../view/state.ts"
import { close, help } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader", "page", "entry", "bookmarks", "tab"],
    keys: [
      {
        id: "search/begin",
        keys: ["F"],
        title: "search the whole run, its captures and artifacts",
        words: "find text everywhere full",
      },
    ],
  },
]

const scope: OwnScope = {
  id: "search-results",
  kind: "list",
  keys: [
    {
      id: "search/go",
      keys: ["enter"],
      title: "go to the match, or copy the command that opens its run",
      words: "open hit result",
      hint: "go there",
      when: ({ view }: State) => (view.searchResults?.hits.length ?? 0) > 0,
    },
    {
      id: "search/widen",
      keys: ["F"],
      title: "search all runs",
      words: "find everywhere other recordings",
      hint: "all runs",
      when: ({ view }: State) => view.searchResults?.scope === "run",
    },
    {
      id: "search/again",
      keys: ["/"],
      title: "search for something else",
      words: "find search again",
      hint: "new search",
      intent: () => ({ type: "search/begin" }),
    },
    close,
    help,
  ],
}

export const searchKeys: PanelKeys = { group: "Find", openers, scopes: [scope] }
