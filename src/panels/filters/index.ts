// The list of filters.
import { readTyped } from "../../query/filter/parse.ts"
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { filterKeys } from "./keys.ts"
import { filterLines, filterTitle } from "./lines.ts"
import { filterUpdates, takeFilter } from "./update.ts"

export const filtersPanel = {
  keys: filterKeys,
  updates: filterUpdates,
  typing: { filter: { take: takeFilter, reads: readTyped } },
  overlays: {
    filters: {
      ...listOverlay({
        title: filterTitle,
        length: ({ view }) => view.filters.list.length,
        lines: filterLines,
        typed: "filter",
      }),
      kept: { type: "filters", cursor: 0 },
    },
  },
} satisfies Panel
