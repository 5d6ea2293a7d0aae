// The chart as an outline.
import type { Panel } from "../common/panel.ts"
import { scrolledTab } from "../common/scrolled-tab.ts"
import { chartKeys } from "./keys.ts"
import { chartLines, chartTitle } from "./lines.ts"

export const chartPanel = {
  keys: chartKeys,
  tabs: { chart: scrolledTab("chart", chartTitle, (state, { render, columns }) => chartLines(state, render, columns)) },
} satisfies Panel
