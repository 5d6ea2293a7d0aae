// The keys of the list of artifacts.
import type { State } from "../../view/state.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

const any = ({ files }: State) => (files.artifacts ?? []).length > 0

export const artifactKeys: PanelKeys = {
  group: "Inspector",
  scopes: [
    {
      id: "artifacts",
      kind: "tab",
      keys: [
        { ...OPEN, id: "artifacts/open", when: any },
        {
          id: "artifacts/show",
          keys: ["o"],
          title: "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
          words: "external program show file",
          hint: "open",
          when: any,
        },
        nextTab,
        close,
        help,
      ],
    },
  ],
}
