// A row of the log with all its data.
import { rowIndex } from "../../run/identity/find-by-id.ts"
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { entryPage } from "./lines.ts"

export const entryPanel = {
  overlays: {
    entry: {
      ...pageOverlay({ text: (state, { id }) => entryPage(state, id) }, "entry"),
      rows: ({ run }, { id }) => [rowIndex(run, id)],
    },
  },
} satisfies Panel
