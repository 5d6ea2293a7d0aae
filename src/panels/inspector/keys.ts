// The keys of the inspector: its tabs, and what each of them can do.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { type InspectorIntent, TABS, type Tab } from "../../view/inspector.ts"
import type { State } from "../../view/state.ts"
import { close, down, follow, help, pageDown, pageUp, search } from "../common/keys.ts"
import { BROWSE, type KeyBinding, type Opener, type OwnScope, type PanelKeys } from "../common/panel.ts"

const inspecting = (wish: InspectorIntent) => () => ({ type: "inspect", wish }) as const

/** What the tabs are called, and one word for the footer. */
export const TAB_NAMES: { readonly [tab in Tab]: string } = {
  invocations: "Invocations",
  transcript: "Transcript",
  chart: "Chart",
  artifacts: "Artifacts",
  "agent-log": "Agent log",
  status: "Status",
  waterfall: "Waterfall",
}

export const inspect: KeyBinding = {
  id: "inspect",
  keys: ["i"],
  group: "Inspector",
  title: "the inspector: all that is known of the run; and back",
  words: "details invocations transcript chart artifacts status",
  hint: "inspect",
  intent: inspecting({ to: "toggle" }),
}
const waterfall: KeyBinding = {
  id: "waterfall",
  keys: ["T"],
  group: "Inspector",
  title: "the waterfall: sessions against time; and back",
  words: "timeline gantt duration trace",
  hint: "back",
  intent: inspecting({ to: "waterfall" }),
}
const nextTab: KeyBinding = {
  id: "next-tab",
  keys: ["tab"],
  group: "Inspector",
  title: "next tab",
  words: "switch view",
  hint: "tab",
  intent: inspecting({ to: "next-tab", step: 1 }),
}
const tabKeys: readonly KeyBinding[] = [
  nextTab,
  {
    id: "last-tab",
    keys: ["shift-tab"],
    group: "Inspector",
    title: "previous tab",
    words: "switch view back",
    intent: inspecting({ to: "next-tab", step: -1 }),
  },
  {
    id: "tab",
    keys: TABS.map((_, index) => `${index + 1}`),
    group: "Inspector",
    title: "the tab of that number",
    words: `switch view ${Object.values(TAB_NAMES).join(" ").toLowerCase()}`,
    intent: (_, digit) => ({ type: "inspect", wish: { to: "tab", tab: TABS[Number(digit) - 1] ?? "invocations" } }),
  },
]

const openers: readonly Opener[] = [
  { from: BROWSE, keys: [waterfall, inspect] },
  { from: ["tab"], keys: tabKeys },
]

const open: KeyBinding = {
  id: "inspect-open",
  keys: ["enter"],
  group: "Inspector",
  title: "one step deeper",
  words: "open read show",
  hint: "read",
  intent: inspecting({ to: "open" }),
}
const nextTurn: KeyBinding = {
  id: "next-turn",
  keys: ["]"],
  group: "Inspector",
  title: "next turn",
  words: "forward model call",
  hint: "turn",
  intent: inspecting({ to: "turn", step: 1 }),
}
const lastTurn: KeyBinding = {
  id: "last-turn",
  keys: ["["],
  group: "Inspector",
  title: "previous turn",
  words: "backward model call",
  intent: inspecting({ to: "turn", step: -1 }),
}

function tab(id: Tab, ...keys: readonly KeyBinding[]): OwnScope {
  return { id, kind: "tab", others: "count", keys }
}

/** The keys with these only where `when` is true. */
function only(when: NonNullable<KeyBinding["when"]>, ...keys: readonly KeyBinding[]): readonly KeyBinding[] {
  return keys.map(key => ({ ...key, when }))
}

const hasSessions = ({ run }: State) => run.sessions.length > 0

const sort: KeyBinding = {
  id: "sort",
  keys: ["S"],
  group: "Inspector",
  title: "sort by the next column",
  words: "order name status time tokens",
  hint: "sort",
  when: ({ run }) => run.sessions.length > 1,
  intent: inspecting({ to: "sort" }),
}

const hasArtifacts = ({ files }: State) => (files.artifacts ?? []).length > 0
const show: KeyBinding = {
  id: "show-artifact",
  keys: ["o"],
  group: "Inspector",
  title: "open the artifact in your viewer ($OPENTUI_VIEWER, $VISUAL, $EDITOR)",
  words: "external program show file",
  hint: "open",
  intent: inspecting({ to: "show" }),
}

const hasLog = ({ files }: State) => (files.log ?? "") !== ""

const compare: KeyBinding = {
  id: "compare",
  keys: ["d"],
  group: "Inspector",
  title: "mark the turn; again on another: what differs",
  words: "diff difference turns",
  hint: "compare",
  intent: inspecting({ to: "compare" }),
}
const foldBlock: KeyBinding = {
  id: "fold-block",
  keys: ["h", "left"],
  group: "Inspector",
  title: "fold the block",
  words: "collapse close hide",
  hint: "fold",
  intent: inspecting({ to: "fold", fold: "fold" }),
}
const ERROR = { group: "Inspector", title: "next and previous error", words: "failure problem jump" } as const
const transcriptKeys: readonly KeyBinding[] = [
  lastTurn,
  { ...ERROR, id: "next-error", keys: ["e"], intent: inspecting({ to: "error", step: 1 }) },
  { ...ERROR, id: "last-error", keys: ["E"], intent: inspecting({ to: "error", step: -1 }) },
  {
    id: "unfold-block",
    keys: ["l", "right"],
    group: "Inspector",
    title: "unfold the block",
    words: "expand open show",
    intent: inspecting({ to: "fold", fold: "unfold" }),
  },
  {
    id: "fold-blocks",
    keys: ["z"],
    group: "Inspector",
    title: "fold all blocks, or unfold them",
    words: "collapse expand everything",
    intent: inspecting({ to: "fold", fold: "all" }),
  },
]

const ZOOM = { group: "Inspector", title: "nearer, farther", words: "zoom in out scale" } as const
const PAN = { group: "Inspector", title: "earlier, later", words: "pan scroll left right" } as const
const zoomIn: KeyBinding = {
  ...ZOOM,
  id: "fall-in",
  keys: ["+", "="],
  hint: "zoom",
  intent: inspecting({ to: "zoom", step: 1 }),
}
const zoomOut: KeyBinding = { ...ZOOM, id: "fall-out", keys: ["-"], intent: inspecting({ to: "zoom", step: -1 }) }
const panLeft: KeyBinding = {
  ...PAN,
  id: "fall-left",
  keys: ["h", "left"],
  hint: "pan",
  intent: inspecting({ to: "pan", step: -1 }),
}
const panRight: KeyBinding = {
  ...PAN,
  id: "fall-right",
  keys: ["l", "right"],
  intent: inspecting({ to: "pan", step: 1 }),
}
const whole: KeyBinding = {
  id: "fall-whole",
  keys: ["z"],
  group: "Inspector",
  title: "the whole run",
  words: "zoom out fit all",
  hint: "whole",
  intent: inspecting({ to: "whole" }),
}

const scopes: readonly OwnScope[] = [
  tab("invocations", ...only(hasSessions, open), nextTab, sort, close, help),
  tab(
    "transcript",
    ...only(isRead, nextTurn, foldBlock, compare),
    nextTab,
    close,
    ...only(isRead, search, pageDown, follow),
    help,
    ...transcriptKeys,
  ),
  tab("chart", nextTab, close, down, pageDown, help),
  tab("artifacts", ...only(hasArtifacts, open, show), nextTab, close, help),
  tab("status", nextTab, close, down, pageDown, help),
  tab("agent-log", ...only(hasLog, open), nextTab, close, ...only(hasLog, follow, pageUp), help),
  tab(
    "waterfall",
    ...only(hasSessions, open, zoomIn, panLeft, nextTurn),
    waterfall,
    nextTab,
    close,
    ...only(hasSessions, whole),
    help,
    zoomOut,
    panRight,
    lastTurn,
  ),
]

/** True where the transcript in front has something to read. */
function isRead({ run, view }: State): boolean {
  const index = sessionIndex(run, view.inspector.session) ?? -1
  const [session, turn] = [run.sessions[index], run.turnBuffers[index]]
  return session !== undefined && turn !== undefined && (session.entries.length > 0 || turn.deltas > 0)
}

export const inspectorKeys: PanelKeys = { openers, scopes }
