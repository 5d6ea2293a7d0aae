// The chart as an outline.
import { close, down, help, nextTab, pageDown } from "../common/keys.ts"
import type { Panel } from "../common/panel.ts"
import { scrolledTab } from "../common/scrolled-tab.ts"
import { chartLines, chartTitle } from "./lines.ts"

export const chartPanel = {
  keys: { group: "Inspector", scopes: [{ id: "chart", kind: "tab", keys: [nextTab, close, down, pageDown, help] }] },
  tabs: { chart: scrolledTab("chart", chartTitle, (state, { render, columns }) => chartLines(state, render, columns)) },
} satisfies Panel
