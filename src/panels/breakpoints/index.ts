// The list of breakpoints.
import { parse } from "../../query/filter/parse.ts"
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { breakpointKeys } from "./keys.ts"
import { breakpointLines, breakpointTitle } from "./lines.ts"
import { breakpointUpdates, takeBreakpoint } from "./update.ts"

export const breakpointsPanel = {
  keys: breakpointKeys,
  updates: breakpointUpdates,
  typing: { breakpoint: { take: takeBreakpoint, reads: parse } },
  overlays: {
    breakpoints: {
      ...listOverlay({
        title: breakpointTitle,
        length: ({ view }) => view.breakpoints.list.length,
        lines: breakpointLines,
        typed: "breakpoint",
      }),
      kept: { type: "breakpoints", cursor: 0 },
    },
  },
} satisfies Panel
