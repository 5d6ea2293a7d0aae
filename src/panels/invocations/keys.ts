// The keys of the list of invocations.
import { close, help } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"
import { nextTab, OPEN } from "../common/tab-keys.ts"

export const invocationKeys: PanelKeys = {
  group: "Inspector",
  scopes: [
    {
      id: "invocations",
      kind: "tab",
      others: "count",
      keys: [
        {
          ...OPEN,
          id: "invocations/open",
          when: ({ run }) => run.sessions.length > 0,
        },
        nextTab,
        {
          id: "invocations/sort",
          keys: ["S"],
          title: "sort by the next column",
          words: "order name status time tokens",
          hint: "sort",
          when: ({ run }) => run.sessions.length > 1,
        },
        close,
        help,
      ],
    },
  ],
}
