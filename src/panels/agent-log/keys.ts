// The keys of the agent's log.
import type { State } from "../../view/state.ts"
import { close, follow, help, nextTab, OPEN, pageUp } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

const any = ({ files }: State) => (files.log ?? "") !== ""

export const agentLogKeys: PanelKeys = {
  group: "Inspector",
  scopes: [
    {
      id: "agent-log",
      kind: "tab",
      keys: [
        { ...OPEN, id: "agent-log/open", when: any },
        nextTab,
        close,
        { ...follow, when: any },
        { ...pageUp, when: any },
        help,
      ],
    },
  ],
}
