// What the program knows of the connection, the debugger and itself.
import { placeWords } from "../../ui/text-width.ts"
import type { State } from "../../view/state.ts"
import type { Panel } from "../common/panel.ts"
import type { Place } from "../common/place.ts"
import { scrolledTab } from "../common/scrolled-tab.ts"
import { statusKeys } from "./keys.ts"
import { statusLines } from "./lines.ts"

export const statusPanel = {
  keys: statusKeys,
  tabs: { status: scrolledTab("status", title, (state, { render, columns }) => statusLines(state, render, columns)) },
} satisfies Panel

function title(state: State, { render, columns, rows }: Place): string {
  return state.run.status + placeWords(state.view.inspector.top, rows, statusLines(state, render, columns).length)
}
