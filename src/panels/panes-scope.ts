// Which keys the panes name, and the panes in the past of a run.
import { answerable, isLive, isOver, type State } from "../view/state.ts"
import { follow, help, quit, search } from "./common/keys.ts"
import type { OwnScope, PanelKeys } from "./common/panel.ts"
import { pause, resume, step, turnBack, turnNext } from "./debugger/index.ts"
import { filters } from "./filters/index.ts"
import { inspect } from "./inspector/index.ts"
import { maximize, nextPane, open } from "./panes/index.ts"
import { showPrompt } from "./prompt/keys.ts"
import { frameBack, frameOn, goTo, play } from "./time/index.ts"

const readsLog = ({ view }: State) => view.focus === "log" || view.filters.list.length > 0

const panes: OwnScope = {
  id: "panes",
  kind: "panes",
  keys: [
    { ...showPrompt, when: state => answerable(state).length > 0 },
    turnNext,
    turnBack,
    step,
    resume,
    pause,
    open,
    { ...search, when: readsLog },
    { ...filters, when: readsLog },
    nextPane,
    inspect,
    maximize,
    { ...quit, when: state => isOver(state.run) || !isLive(state) },
    help,
  ],
}

/** What moves through time comes first; all keys of the panes work behind it. */
const past: OwnScope = {
  id: "past",
  kind: "past",
  over: panes,
  keys: [
    play,
    frameBack,
    { ...frameOn, when: state => state.isPast },
    goTo,
    { ...follow, when: state => state.isPast },
    open,
    nextPane,
    { ...quit, when: state => !isLive(state) },
    help,
  ],
}

export const paneScopes: PanelKeys = { group: "Panes", scopes: [panes, past] }
