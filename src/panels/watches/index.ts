// The watch list: what is watched, and each of its changes.
import { readWatched, watchLength } from "../../query/watches.ts"
import { typingOf } from "../../view/view.ts"
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { watchKeys } from "./keys.ts"
import { watchLines, watchTitle } from "./lines.ts"
import { openWatches, takeWatch, watchUpdates } from "./update.ts"

export const watchesPanel = {
  keys: watchKeys,
  updates: watchUpdates,
  typing: { watch: { take: (state, typing, { now }) => takeWatch(state, typing, now), reads: readWatched } },
  commands: {
    watch: (state, rest, now) => (rest === "" ? openWatches(state) : takeWatch(state, typingOf("watch", rest), now)),
  },
  overlays: {
    watches: {
      ...listOverlay({
        title: watchTitle,
        length: ({ view }) => watchLength(view.watches),
        lines: watchLines,
        typed: "watch",
      }),
      kept: { type: "watches", cursor: 0 },
    },
  },
} satisfies Panel
