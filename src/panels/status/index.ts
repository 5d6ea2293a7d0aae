// The state of the connection, the debugger and the program itself.
import { placeWords } from "../../ui/text-width.ts"
import { close, down, help, nextTab, pageDown } from "../common/keys.ts"
import type { Panel } from "../common/panel.ts"
import { scrolledTab } from "../common/scrolled-tab.ts"
import { statusLines } from "./lines.ts"

export const statusPanel = {
  keys: { group: "Inspector", scopes: [{ id: "status", kind: "tab", keys: [nextTab, close, down, pageDown, help] }] },
  tabs: {
    status: scrolledTab(
      "status",
      (state, { render, columns, rows }) =>
        state.run.status + placeWords(state.view.inspector.top, rows, statusLines(state, render, columns).length),
      (state, { render, columns }) => statusLines(state, render, columns),
    ),
  },
} satisfies Panel
