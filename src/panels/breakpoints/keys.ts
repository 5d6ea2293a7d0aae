// The keys of the list of breakpoints, and of the field in which one is typed.
import type { State } from "../../view/state.ts"
import { close, down, help, up } from "../common/keys.ts"
import type { Opener, OwnScope, PanelKeys } from "../common/panel-keys.ts"

const any = ({ view }: State) => view.breakpoints.list.length > 0

const openers: readonly Opener[] = [
  {
    from: ["panes", "reader", "page", "entry", "tab", "attention", "breakpoints"],
    keys: [
      {
        id: "breakpoints",
        keys: ["B"],
        group: "Debugger",
        title: "breakpoints: conditions that stop the run, and back",
        words: "stop condition pause debug",
        intent: () => ({ type: "breakpoints/toggle" }),
      },
    ],
  },
]

const scope: OwnScope = {
  id: "breakpoints",
  kind: "list",
  others: "count",
  keys: [
    {
      id: "breakpoint-add",
      keys: ["a"],
      group: "Debugger",
      title: "in the list of breakpoints: add one",
      words: "new breakpoint create condition",
      hint: "add",
      intent: () => ({ type: "breakpoints/add" }),
    },
    {
      id: "breakpoint-delete",
      keys: ["d"],
      group: "Debugger",
      title: "in that list: delete the breakpoint",
      words: "remove breakpoint",
      hint: "delete",
      when: any,
      intent: () => ({ type: "breakpoints/delete" }),
    },
    {
      id: "breakpoint-switch",
      keys: ["space"],
      group: "Debugger",
      title: "in that list: the breakpoint on or off",
      words: "toggle enable disable breakpoint",
      hint: "on/off",
      when: any,
      intent: () => ({ type: "breakpoints/switch" }),
    },
    {
      id: "breakpoint-react",
      keys: ["t"],
      group: "Debugger",
      title: "in that list: what a hit does: pause, stop at the next model turn, log only",
      words: "reaction action type logpoint",
      hint: "pause/turn/log",
      when: any,
      intent: () => ({ type: "breakpoints/react" }),
    },
    {
      id: "watch-hits",
      keys: ["enter"],
      group: "Time",
      title: "in the list of breakpoints: watch the condition, with all that it hit so far",
      words: "watch hits history",
      hint: "all hits",
      when: any,
      intent: () => ({ type: "watches/hits" }),
    },
    close,
    { ...down, when: any },
    { ...up, when: any },
    help,
  ],
}

export const breakpointKeys: PanelKeys = { openers, scopes: [scope] }
