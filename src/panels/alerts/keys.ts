// The key that calls what needs a person, and the keys of that list.
import { close, down, help, up } from "../common/keys.ts"
import type { KeyBinding, Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"
import { asksForPerson, hasAlerts } from "./alerts.ts"

const alerts: KeyBinding = {
  id: "alerts/next",
  keys: ["!"],
  title: "show what needs you, oldest first; again goes to the next",
  words: "alerts attention problems waiting stuck",
}

/** Whether the footer says so: not while the answer or the list is in front. */
const openers: readonly Opener[] = [
  {
    from: ["panes", "past", "reader", "page", "entry", "list", "tab"],
    first: true,
    keys: [{ ...alerts, hint: "needs you", when: asksForPerson }],
  },
]

const scope: OwnScope = {
  id: "alerts",
  kind: "list",
  keys: [
    {
      id: "alerts/go",
      keys: ["enter"],
      title: "go to the selected alert",
      words: "open alert jump",
      hint: "go there",
      when: hasAlerts,
    },
    close,
    { ...down, when: hasAlerts },
    { ...up, when: hasAlerts },
    help,
    alerts,
  ],
}

export const alertKeys: PanelKeys = { group: "Panes", openers, scopes: [scope] }
