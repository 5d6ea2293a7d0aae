// A question as it was asked and what became of it, to be read and not answered.
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { askedText } from "./lines.ts"

export const questionPanel = {
  overlays: {
    prompt: pageOverlay(
      {
        text: (state, { key }, { render, columns }) => ({
          title: "QUESTION",
          text: askedText(state, key, render, columns),
        }),
      },
      "entry",
    ),
  },
} satisfies Panel
