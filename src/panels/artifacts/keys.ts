// The keys of the list of artifacts.
import type { State } from "../../view/state.ts"
import { close, help } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"
import { nextTab, OPEN } from "../common/tab-keys.ts"

const any = ({ files }: State) => (files.artifacts ?? []).length > 0

export const artifactKeys: PanelKeys = {
  scopes: [
    {
      id: "artifacts",
      kind: "tab",
      others: "count",
      keys: [
        { ...OPEN, id: "artifact-open", when: any, intent: () => ({ type: "artifacts/open" }) },
        {
          id: "artifact-show",
          keys: ["o"],
          group: "Inspector",
          title: "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
          words: "external program show file",
          hint: "open",
          when: any,
          intent: () => ({ type: "artifacts/show" }),
        },
        nextTab,
        close,
        help,
      ],
    },
  ],
}
