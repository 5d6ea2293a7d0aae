// What a search of the run has found so far, in the order in which it was found.
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { searchKeys } from "./keys.ts"
import { searchLines, searchTitle } from "./lines.ts"
import { searchUpdates, takeSearchText } from "./update.ts"

export const searchPanel = {
  keys: searchKeys,
  updates: searchUpdates,
  typing: { hunt: { take: takeSearchText } },
  overlays: {
    hunt: listOverlay({
      title: searchTitle,
      length: ({ view }) => view.searchResults?.hits.length ?? 0,
      lines: searchLines,
    }),
  },
} satisfies Panel
