// The keys of the list of invocations.
import { close, help } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"
import { nextTab, OPEN } from "../common/tab-keys.ts"

export const invocationKeys: PanelKeys = {
  scopes: [
    {
      id: "invocations",
      kind: "tab",
      others: "count",
      keys: [
        {
          ...OPEN,
          id: "invocation-open",
          when: ({ run }) => run.sessions.length > 0,
          intent: () => ({ type: "invocations/open" }),
        },
        nextTab,
        {
          id: "sort",
          keys: ["S"],
          group: "Inspector",
          title: "sort by the next column",
          words: "order name status time tokens",
          hint: "sort",
          when: ({ run }) => run.sessions.length > 1,
          intent: () => ({ type: "invocations/sort" }),
        },
        close,
        help,
      ],
    },
  ],
}
