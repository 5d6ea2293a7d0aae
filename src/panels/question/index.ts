// A question as it was asked, and its outcome, to be read.
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { questionText } from "./lines.ts"

export const questionPanel = {
  overlays: {
    prompt: pageOverlay(
      { text: (state, { key }, place) => ({ title: "QUESTION", text: questionText(state, key, place) }) },
      "entry",
    ),
  },
} satisfies Panel
