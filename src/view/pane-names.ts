// Names the panes and the tabs of the inspector.

/** The panes in the order of the Tab key. */
export const PANES = ["live", "text", "log"] as const
/** Home is a pane by itself: no other shows beside it. */
export type PaneId = (typeof PANES)[number] | "home"

/** The tabs in the order of their numbers. */
export const TABS = [
  "invocations",
  "transcript",
  "chart",
  "artifacts",
  "status",
  "agent-log",
  "waterfall",
  "ledger",
  "context",
] as const
export type Tab = (typeof TABS)[number]

export const TAB_NAMES: { readonly [tab in Tab]: string } = {
  invocations: "Invocations",
  transcript: "Transcript",
  chart: "Chart",
  artifacts: "Artifacts",
  status: "Status",
  "agent-log": "Agent log",
  waterfall: "Waterfall",
  ledger: "Ledger",
  context: "Context",
}

/** For a row of tabs that hasn't room for the names. */
export const SHORT_TAB_NAMES: { readonly [tab in Tab]: string } = {
  invocations: "Inv",
  transcript: "Text",
  chart: "Chart",
  artifacts: "Files",
  status: "Status",
  "agent-log": "Log",
  waterfall: "Time",
  ledger: "Cost",
  context: "Ctx",
}
