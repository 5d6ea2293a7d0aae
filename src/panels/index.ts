// Lists every panel. All that depends on the panels is derived from this list.
import { derived } from "../run/model/derived.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { OverlayOf } from "../view/plan-result.ts"
import type { Follow } from "../view/slice.ts"
import { type KeyChoices, noChoices, type Overlay } from "../view/view.ts"
import { alertsPanel } from "./alerts/index.ts"
import { artifactsPanel } from "./artifacts/index.ts"
import { bookmarksPanel } from "./bookmarks/index.ts"
import { branchesPanel } from "./branches/index.ts"
import { chartPanel } from "./chart/index.ts"
import { commonKeys, typingKeys } from "./common/keys.ts"
import { pagerKeys } from "./common/pager/keys.ts"
import type { FrontPanel, OverlayPanel, Panel } from "./common/panel.ts"
import { conditionsPanel } from "./conditions/index.ts"
import { contextPanel } from "./context/index.ts"
import { debuggerPanel } from "./debugger/index.ts"
import { entryPanel } from "./entry/index.ts"
import { exportPanel } from "./export/index.ts"
import { filePanel } from "./file/index.ts"
import { filtersPanel } from "./filters/index.ts"
import { homePanel } from "./home/index.ts"
import { Keymap } from "./keymap.ts"
import { ledgerPanel } from "./ledger/index.ts"
import { livePanel } from "./live/index.ts"
import { logPanel } from "./log/index.ts"
import { menuPanel } from "./menu/index.ts"
import { palettePanel } from "./palette/index.ts"
import { panesPanel } from "./panes/index.ts"
import { paneScopes } from "./panes-scope.ts"
import { programPanel } from "./program/index.ts"
import { promptPanel } from "./prompt/index.ts"
import { questionPanel } from "./question/index.ts"
import { rerunPanel } from "./rerun/index.ts"
import { searchPanel } from "./search/index.ts"
import { sortPanel } from "./sort/index.ts"
import { statusPanel } from "./status/index.ts"
import { timePanel } from "./time/index.ts"
import { transcriptPanel } from "./transcript/index.ts"
import { turnDiffPanel } from "./turn-diff/index.ts"
import { waterfallPanel } from "./waterfall/index.ts"
import { whyPanel } from "./why/index.ts"

const PANELS = [
  panesPanel,
  { keys: commonKeys },
  { keys: pagerKeys },
  { keys: typingKeys },
  logPanel,
  filtersPanel,
  bookmarksPanel,
  searchPanel,
  sortPanel,
  palettePanel,
  timePanel,
  branchesPanel,
  livePanel,
  alertsPanel,
  whyPanel,
  transcriptPanel,
  chartPanel,
  artifactsPanel,
  statusPanel,
  waterfallPanel,
  ledgerPanel,
  contextPanel,
  debuggerPanel,
  { keys: paneScopes },
  conditionsPanel,
  menuPanel,
  exportPanel,
  rerunPanel,
  promptPanel,
  entryPanel,
  questionPanel,
  filePanel,
  turnDiffPanel,
  homePanel,
  programPanel,
] as const satisfies readonly Panel[]

const keymaps = derived<Keymap>()

/** The scopes of the keys, and every binding in the order of the key table; with what a person chose. */
export function keymapOf(choices: KeyChoices): Keymap {
  return keymaps([choices], () => new Keymap(PANELS, choices))
}

/** As long as no keys are chosen. */
export const keymap: Keymap = keymapOf(noChoices)

// Each record has an entry for every name of its type: one that no panel brings does not compile.
export const updates = gathered(PANELS, "updates")
export const typingRules = gathered(PANELS, "typing")
export const commands = gathered(PANELS, "commands")
export const panes: { readonly [P in PaneId]: FrontPanel } = gathered(PANELS, "panes")
export const overlays: { readonly [T in Overlay["type"]]: OverlayPanel<OverlayOf<T>> } = gathered(PANELS, "overlays")

const followers = PANELS.flatMap((panel: Panel) => panel.follow ?? [])

/** The view after every panel has followed a change of the run. */
export const follow: Follow = (view, happened) => followers.reduce((after, one) => one(after, happened), view)

/** What the panel of an overlay says of it. */
export function overlayPanel(overlay: Overlay): OverlayPanel {
  return overlays[overlay.type]
}

type Part = "updates" | "typing" | "commands" | "panes" | "overlays"
type PartOf<P, K extends Part> = P extends { readonly [X in K]: infer Brought } ? Brought : never
/** Turns a union into an intersection. */
type Every<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never

/** All that the panels bring of one part, in one record; nothing is brought twice. */
function gathered<P extends Panel, K extends Part>(panels: readonly P[], part: K): Every<PartOf<P, K>> {
  const all = panels.map(panel => panel[part] ?? {})
  const names = all.flatMap(one => Object.keys(one))
  const doubled = names.filter((name, i) => names.indexOf(name) !== i)
  if (doubled.length > 0) throw new Error(`expected one panel for each of ${part}, got two for ${doubled.join(", ")}`)
  return Object.assign({}, ...all)
}
