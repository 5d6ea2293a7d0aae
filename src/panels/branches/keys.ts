// The keys of the tree of branches.
import { close, down, help, up } from "../common/keys.ts"
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const scope: OwnScope = {
  id: "branches",
  kind: "list",
  keys: [
    {
      id: "branches/go",
      keys: ["enter"],
      title: "go to the start of the branch",
      words: "seek jump rerun",
      hint: "go there",
    },
    {
      id: "branches/diff",
      keys: ["d"],
      title: "compare the branch with its parent",
      words: "compare difference parent",
      hint: "compare with parent",
    },
    close,
    down,
    up,
    help,
  ],
}

export const branchKeys: PanelKeys = { group: "Time", scopes: [scope] }
