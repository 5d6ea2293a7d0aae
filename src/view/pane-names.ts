export const PANES = ["live", "text", "log"] as const
/** Home is a pane by itself: no other shows beside it. */
export type PaneId = (typeof PANES)[number] | "home"
