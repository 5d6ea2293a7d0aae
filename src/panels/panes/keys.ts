// The keys that go from pane to pane, and open what is selected in one.
import type { KeyBinding, PanelKeys } from "../common/panel-keys.ts"

export const nextPane: KeyBinding = {
  id: "pane/next",
  keys: ["tab"],
  title: "next pane",
  words: "focus switch",
  hint: "pane",
  intent: () => ({ type: "pane/next", step: 1 }),
}
const previousPane: KeyBinding = {
  id: "pane/previous",
  keys: ["shift-tab"],
  title: "previous pane",
  words: "focus switch back",
  intent: () => ({ type: "pane/next", step: -1 }),
}
export const open: KeyBinding = {
  id: "cursor/open",
  keys: ["enter"],
  title: "read the session, or the log entry",
  words: "open show details text",
  hint: "read",
}
export const maximize: KeyBinding = {
  id: "pane/maximize",
  keys: ["m"],
  title: "maximize the pane, and back",
  words: "zoom full screen bigger",
  hint: "maximize",
}

export const paneKeys: PanelKeys = {
  group: "Panes",
  openers: [{ from: ["panes"], keys: [nextPane, previousPane, open, maximize] }],
}
