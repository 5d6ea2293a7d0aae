// The one table of keys: which bindings work in front of each panel, and all of them in the order of the key table.
import { agentLogKeys } from "./agent-log/keys.ts"
import { alertKeys } from "./alerts/keys.ts"
import { artifactKeys } from "./artifacts/keys.ts"
import { bookmarkKeys } from "./bookmarks/keys.ts"
import { branchKeys } from "./branches/keys.ts"
import { breakpointKeys } from "./breakpoints/keys.ts"
import { chartKeys } from "./chart/keys.ts"
import { commonKeys } from "./common/keys.ts"
import type { KeyBinding, KeyScope, OwnScope, PanelKeys } from "./common/panel.ts"
import { debuggerKeys } from "./debugger/keys.ts"
import { exportKeys } from "./export/keys.ts"
import { filterKeys } from "./filters/keys.ts"
import { inspectorKeys } from "./inspector/keys.ts"
import { invocationKeys } from "./invocations/keys.ts"
import { logKeys } from "./log/keys.ts"
import { menuKeys } from "./menu/keys.ts"
import { pagerKeys } from "./pager/keys.ts"
import { paneKeys } from "./panes/keys.ts"
import { paneScopes } from "./panes-scope.ts"
import { programKeys } from "./program/keys.ts"
import { promptKeys } from "./prompt/keys.ts"
import { rerunKeys } from "./rerun/keys.ts"
import { searchKeys } from "./search/keys.ts"
import { readerKeys } from "./session-text/keys.ts"
import { statusKeys } from "./status/keys.ts"
import { timeKeys } from "./time/keys.ts"
import { transcriptKeys } from "./transcript/keys.ts"
import { typingKeys } from "./typing/keys.ts"
import { watchKeys } from "./watches/keys.ts"
import { waterfallKeys } from "./waterfall/keys.ts"

const PANELS: readonly PanelKeys[] = [
  paneKeys,
  commonKeys,
  pagerKeys,
  typingKeys,
  logKeys,
  filterKeys,
  bookmarkKeys,
  searchKeys,
  timeKeys,
  watchKeys,
  branchKeys,
  readerKeys,
  alertKeys,
  inspectorKeys,
  invocationKeys,
  transcriptKeys,
  chartKeys,
  artifactKeys,
  statusKeys,
  agentLogKeys,
  waterfallKeys,
  debuggerKeys,
  breakpointKeys,
  menuKeys,
  exportKeys,
  rerunKeys,
  promptKeys,
  programKeys,
  paneScopes,
]
const OPENERS = PANELS.flatMap(({ openers }) => openers ?? [])
const SCOPES = PANELS.flatMap(({ scopes }) => scopes ?? [])

/** Every scope by its id. */
export const scopes: ReadonlyMap<string, KeyScope> = new Map(SCOPES.map(own => [own.id, scopeFrom(own)]))

/** Every binding once, in the order of the key table. */
export const keymap: readonly KeyBinding[] = uniqueById(
  PANELS.flatMap(({ openers = [], scopes = [] }) => [...openers, ...scopes].flatMap(({ keys }) => keys)),
)

function scopeFrom({ id, kind, keys, others, over }: OwnScope): KeyScope {
  const places: readonly string[] = [id, kind]
  const openers = OPENERS.filter(({ from }) => from.some(place => places.includes(place)))
  const own = keys.map(one => one.id)
  const first = openers.flatMap(opener => (opener.first === true ? opener.keys : []))
  const named = [...first.filter(one => !own.includes(one.id)), ...keys]
  const below = over === undefined ? [] : scopeFrom(over).bindings
  return { id, named, others, bindings: uniqueById([...named, ...openers.flatMap(opener => opener.keys), ...below]) }
}

/** Of several with one id the first. */
function uniqueById(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  return bindings.filter((one, index) => bindings.findIndex(other => other.id === one.id) === index)
}
