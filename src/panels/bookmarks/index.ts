// The list of bookmarks, in the order of the log.
import { count } from "../../ui/text-width.ts"
import { indexOfBookmark } from "../../view/bookmark.ts"
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { bookmarkKeys } from "./keys.ts"
import { bookmarkLines } from "./lines.ts"
import { bookmarkUpdates, takeNote } from "./update.ts"

export const bookmarksPanel = {
  keys: bookmarkKeys,
  updates: bookmarkUpdates,
  typing: { note: { take: takeNote } },
  overlays: {
    bookmarks: {
      ...listOverlay({
        title: ({ view }) => `BOOKMARKS  ${count(view.bookmarks.length)}`,
        length: ({ view }) => view.bookmarks.length,
        lines: bookmarkLines,
      }),
      kept: { type: "bookmarks", cursor: 0 },
      rows: ({ run, view }) => view.bookmarks.flatMap(mark => indexOfBookmark(run, mark) ?? []),
    },
  },
} satisfies Panel
