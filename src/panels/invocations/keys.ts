// The keys of the list of invocations.
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const invocationKeys: PanelKeys = {
  group: "Inspector",
  scopes: [
    {
      id: "invocations",
      kind: "tab",
      keys: [
        { ...OPEN, id: "invocations/open", when: ({ run }) => run.sessions.length > 0 },
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
