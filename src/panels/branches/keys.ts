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
      title: "in the tree of branches, which `:branches` opens: show the run at the branch's first frame",
      words: "seek jump rerun",
      hint: "go there",
    },
    {
      id: "branches/diff",
      keys: ["d"],
      title: "in that tree: what differs between the turn that runs again and the one that it branched off",
      words: "compare difference parent",
      hint: "beside its parent",
    },
    close,
    down,
    up,
    help,
  ],
}

export const branchKeys: PanelKeys = { group: "Time", scopes: [scope] }
