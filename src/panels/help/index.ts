// The help: every key with what it does.
import type { KeyLine } from "../../keys/hints.ts"
import { toggleOverlay } from "../common/overlays.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"
import { helpLines } from "./lines.ts"

/** `keys` gives the key table, which is made of all panels. */
export function helpPanel(keys: () => readonly KeyLine[]) {
  return {
    updates: { "help/toggle": state => toggleOverlay(state, { type: "help", top: 0 }) },
    overlays: {
      help: {
        ...pageOverlay({
          text: (_state, _overlay, { columns }) => ({ title: "KEYS", text: linesText(helpLines(keys(), columns)) }),
        }),
        kept: { type: "help", top: 0 },
      },
    },
  } satisfies Panel
}
