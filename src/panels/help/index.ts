// The help: every key with what it does.
import type { KeyLine } from "../../keys/hints.ts"
import { blank, type Line, line, span, wrap } from "../../ui/line.ts"
import { toggleOverlay } from "../../view/plan-result.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"

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

function helpLines(keys: readonly KeyLine[], columns: number): readonly Line[] {
  const lines: Line[] = []
  let group = ""
  for (const one of keys) {
    if (one.group !== group) {
      if (group !== "") lines.push(blank)
      lines.push(line(span(one.group, "bright", { bold: true })))
    }
    group = one.group
    const keyColumns = Math.max(14, one.shown.length + 3)
    wrap(one.title, columns - keyColumns).forEach((text, i) => {
      lines.push(line(span((i === 0 ? `  ${one.shown}` : "").padEnd(keyColumns), "accent"), span(text)))
    })
  }
  return lines
}
