// The form of a re-run, and the review before it is sent.
import { nothing } from "../../view/plan-result.ts"
import { rerunDraftAt } from "../common/open-rerun.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"
import { rerunKeys } from "./keys.ts"
import { reviewLines } from "./lines.ts"
import { rerunUpdates } from "./update.ts"

/** The turn is picked, model and temperature are one line of text, the others are texts of many lines. */
const SCOPES: { readonly [field: string]: string } = { turn: "form", model: "form-line", temperature: "form-line" }

export const rerunPanel = {
  keys: rerunKeys,
  updates: rerunUpdates,
  overlays: {
    rerun: {
      drawn: { type: "rerun" },
      front: ({ session }, state) => ({
        scope: SCOPES[rerunDraftAt(state, session).field] ?? "form-text",
        move: () => nothing,
        measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      }),
    },
    review: pageOverlay(
      {
        text: (state, { session }, place) => ({
          title: "RE-RUN  what will change",
          text: linesText(reviewLines(state, session, place)),
        }),
      },
      "review",
    ),
  },
} satisfies Panel
