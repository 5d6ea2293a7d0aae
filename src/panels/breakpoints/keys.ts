// The keys of the list of breakpoints, and of the field in which one is typed.
import type { State } from "../../view/state.ts"
import { close, down, help, up } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const isFilled = ({ view }: State) => view.breakpoints.list.length > 0

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader", "page", "entry", "tab", "alerts", "breakpoints"],
    keys: [
      {
        id: "breakpoints/toggle",
        keys: ["B"],
        title: "show or hide breakpoints (conditions that pause the run)",
        words: "stop condition pause debug",
      },
    ],
  },
]

const scope: OwnScope = {
  id: "breakpoints",
  kind: "list",
  keys: [
    {
      id: "breakpoints/add",
      keys: ["a"],
      title: "add a breakpoint",
      words: "new breakpoint create condition",
      hint: "add",
    },
    {
      id: "breakpoints/delete",
      keys: ["d"],
      title: "delete the breakpoint",
      words: "remove breakpoint",
      hint: "delete",
      when: isFilled,
    },
    {
      id: "breakpoints/switch",
      keys: ["space"],
      title: "turn the breakpoint on or off",
      words: "toggle enable disable breakpoint",
      hint: "on/off",
      when: isFilled,
    },
    {
      id: "breakpoints/react",
      keys: ["t"],
      title: "choose what it does: pause, pause before the next turn, or log only",
      words: "reaction action type logpoint",
      hint: "action",
      when: isFilled,
    },
    {
      id: "watches/hits",
      keys: ["enter"],
      group: "Time",
      title: "list everything the breakpoint matched so far",
      words: "watch hits history",
      hint: "all matches",
      when: isFilled,
    },
    close,
    { ...down, when: isFilled },
    { ...up, when: isFilled },
    help,
  ],
}

export const breakpointKeys: PanelKeys = { group: "Debugger", openers, scopes: [scope] }
