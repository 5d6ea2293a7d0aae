// The keys of a session's text where it is read full screen.
import { shownSession } from "../../view/select/asker.ts"
import type { State } from "../../view/state.ts"
import { close, foldAll, follow, help, pageDown, pageUp } from "../common/keys.ts"
import type { OwnScope, PanelKeys } from "../common/panel-keys.ts"

const scope: OwnScope = {
  id: "reader",
  kind: "reader",
  keys: [close, pageDown, pageUp, { ...foldAll, when: hasCards }, follow, help],
}

/** True where the text in front tells of a tool's call. */
function hasCards(state: State): boolean {
  return (state.run.sessions[shownSession(state) ?? -1]?.repeat ?? null) !== null
}

export const readerKeys: PanelKeys = { group: "Panes", scopes: [scope] }
