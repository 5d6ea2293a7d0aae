// The keys that go from pane to pane, and open what is selected in one.
import type { KeyBinding, PanelKeys } from "../common/panel-keys.ts"

export const nextPane: KeyBinding = {
  id: "pane/next",
  keys: ["tab"],
  title: "next pane",
  words: "focus switch",
  hint: "next pane",
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
  title: "open the session or log entry",
  words: "open show details text",
  hint: "read",
}
export const maximize: KeyBinding = {
  id: "pane/maximize",
  keys: ["m"],
  title: "full screen on or off",
  words: "zoom full screen bigger",
  hint: "full screen",
}

export const paneKeys: PanelKeys = {
  group: "Panes",
  openers: [{ from: ["panes"], keys: [nextPane, previousPane, open, maximize] }],
}
