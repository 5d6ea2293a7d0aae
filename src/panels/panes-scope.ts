// Which keys the panes name, and the panes in the past of a run.
import { goneFor, isLive, isOver, type State } from "../view/state.ts"
import { follow, help, openPalette, quit, search, shut } from "./common/keys.ts"
import { isFound, nextHit, previousHit } from "./common/pager/keys.ts"
import type { KeyBinding, OwnScope, PanelKeys } from "./common/panel.ts"
import { showTime, showWhy } from "./common/place-title.ts"
import { arm, pause, resume, runTurn, step, stepTo, turnBack } from "./debugger/index.ts"
import { openExport } from "./export/index.ts"
import { maximize, nextPane, open } from "./panes/index.ts"
import { hideOrShow, showPrompt } from "./prompt/keys.ts"
import { frameBack, play } from "./time/index.ts"
import { compareText, foldText } from "./transcript/index.ts"

const debuggerKeys: readonly KeyBinding[] = [step, runTurn, turnBack, resume, pause]
const back: KeyBinding = { ...shut, hint: "runs", when: ({ view }) => view.setup.isFromHome }
const isEnded = ({ present, isPast }: State) => isOver(present) && !isPast
const hasBegun = (state: State) => state.run.sessions.length > 0 && !isEnded(state)
/** The next steps after a run: see how it went, and keep it. */
const lookBack: readonly KeyBinding[] = [
  { ...showTime, hint: "time", when: isEnded },
  { ...showWhy, hint: "why", when: isEnded },
]
const keep: KeyBinding = { ...openExport, hint: "export", when: isEnded }
const endKeys = [...lookBack, { ...frameBack, hint: "back in time", when: isEnded }, keep]
/** Where a run has finished the banner names it, where the agent is gone the footer does. */
const leave: KeyBinding = {
  ...quit,
  when: (state, now) => {
    const { run, view } = state
    return !view.setup.isFromHome && goneFor(state, now) === null && (!isOver(run) || run.status !== "finished")
  },
}
/** What fits less and less. */
const moreKeys: readonly KeyBinding[] = [
  { ...frameBack, hint: "back in time", when: hasBegun },
  { ...openExport, hint: "export", when: hasBegun },
  ...[back, leave, openPalette, maximize, help],
]
const hitKeys: readonly KeyBinding[] = [
  { ...nextHit, when: isFound },
  { ...previousHit, when: isFound },
]
const isLogSearched = ({ view }: State) => view.focus === "log" && view.log.filters.search !== null
const logHitKeys: readonly KeyBinding[] = [
  { ...nextHit, when: isLogSearched },
  { ...previousHit, when: isLogSearched },
]
const answers = [showPrompt, hideOrShow]

/** Not in the footer: the lower edges of list and log name this key. */
const find: KeyBinding = { ...search, when: () => false }
const panes: OwnScope = {
  id: "panes",
  kind: "panes",
  keys: [...answers, ...debuggerKeys, open, ...logHitKeys, ...endKeys, nextPane, ...moreKeys, stepTo, arm, find],
}

const isHeld = (state: State, now: number) => resume.when?.(state, now) === true
const toNext: KeyBinding = { ...nextPane, when: (state, now) => !isHeld(state, now) }
const textKeys: readonly KeyBinding[] = [
  ...[open, ...hitKeys, foldText, ...endKeys, compareText, toNext, ...moreKeys, find],
]
/** The text pane has no debugger keys: a letter typed to find text must not drive the agent. */
const text: OwnScope = {
  id: "pane-text",
  kind: "panes",
  keys: [...answers, { ...nextPane, hint: "to step or continue", when: isHeld }, ...textKeys],
}

/** The reader where there is no list: the debugger's keys would be out of reach. */
const alone: OwnScope = { ...text, id: "pane-alone", keys: [...answers, ...debuggerKeys, ...textKeys] }

/** What moves through time comes first; all keys of the panes work behind it. */
const pastKeys: readonly KeyBinding[] = [
  play,
  open,
  ...logHitKeys,
  keep,
  nextPane,
  { ...follow, hint: "now", when: state => state.isPast },
  back,
  { ...quit, when: state => !state.view.setup.isFromHome && !isLive(state) },
  ...lookBack,
  frameBack,
  openPalette,
  { ...maximize, when: ({ view }) => view.maximized },
  help,
]
const past: OwnScope = { id: "past", kind: "past", over: panes, keys: pastKeys }
const pastText: OwnScope = { id: "past-text", kind: "past", over: text, keys: [...pastKeys, ...hitKeys] }

export const paneScopes: PanelKeys = { group: "Panes", scopes: [panes, text, alone, past, pastText] }
