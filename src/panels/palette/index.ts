// The palette: all that can be done and gone to, found by typing a part of its words.
import { parse, readTyped } from "../../query/filter/parse.ts"
import { readSeek } from "../../query/moment.ts"
import { rowIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { both, change, frontOverlay, nothing, type Plan } from "../../view/plan-result.ts"
import { frontPrompt, type State } from "../../view/state.ts"
import { type Typing, typingOf, type ViewChange } from "../../view/view.ts"
import { down, openPalette, pageDown, pageUp, up } from "../common/keys.ts"
import { selecting } from "../common/open-entry.ts"
import { BROWSE, bind, type Opener, type OwnScope, type Panel } from "../common/panel.ts"
import { goToRow, jump } from "../common/seek.ts"
import { actionEntries, type KnownKeys, shortPage } from "./actions.ts"
import { meantText, ranked } from "./match.ts"
import { type PaletteEntry, type PaletteRows, palettes, type ShownPalette } from "./palette-entry.ts"
import { placeEntries } from "./places.ts"

/** Where letters are text or answers, only Ctrl-P opens the palette. */
const openers: readonly Opener[] = [
  { from: [...BROWSE, "home"], keys: [openPalette] },
  { from: ["form", "question"], keys: [{ ...openPalette, keys: ["ctrl-p"] }] },
]

const scope: OwnScope = {
  id: "palette",
  kind: "line",
  others: "text",
  keys: [
    bind("palette/choose", ["enter"], "do that, or go there", "run choose", { hint: "do it" }),
    { ...down, keys: ["down", "ctrl-n"] },
    { ...up, keys: ["up", "ctrl-p"] },
    { ...pageDown, hint: "page" },
    pageUp,
    bind("palette/close", ["escape"], "close the palette", "back cancel", { hint: "close" }),
  ],
}

export const palettePanel = {
  keys: { group: "Find", openers, scopes: [scope] },
  updates: {
    "palette/close": (state, _, { now }) => {
      if (paletteOf(state)?.asks === true) return show(state, { asks: false })
      const { view } = underPalette(state)
      return change({ overlays: view.overlays, typing: null, backKey: { by: "escape", at: now } })
    },
    "palette/session": (state, { session }) => {
      const index = sessionIndex(state.run, session)
      if (index === null) return nothing
      // A question in front would have the keys that read the session.
      const hidden = frontPrompt(state) === null ? {} : { questions: { promptHidden: true } }
      return jump(state, change({ overlays: [], focus: "text", ...selecting(state, index), ...hidden }))
    },
    "palette/question": (state, { key }) => {
      const session = state.run.prompts.find(one => one.key === key)?.session ?? null
      const asker = session === null ? {} : selecting(state, session)
      return change({ overlays: [], questions: { prompt: key, promptHidden: false }, ...asker })
    },
    "palette/row": (state, { row: id }) => {
      const row = at(state.present.log.rows, rowIndex(state.present, id))
      if (row === undefined) return nothing
      return both(change({ overlays: [] }), goToRow({ ...state, view: { ...state.view, overlays: [] } }, row))
    },
  },
  typing: { palette: { take: () => nothing, changed: (state, typing) => filterRows(state, typing) } },
  overlays: {
    palette: {
      drawn: { type: "palette" },
      front: () => ({
        scope: "palette",
        move(state, by, context) {
          const { rows = [], cursor: from = 0 } = paletteOf(state) ?? {}
          const step = stepOf(by, from, { ...context, lines: rows.length })
          return show(state, { cursor: clamp(from + step, 0, Math.max(0, rows.length - 1)), asks: false })
        },
        measure: (_, place) => ({ page: place.rows, lines: 0 }),
      }),
    },
  },
} satisfies Panel

/** What the palette shows; null where it isn't in front. */
export function paletteOf(state: State): ShownPalette | null {
  return frontOverlay(state, "palette") === null ? null : palettes.of(state.view).shown
}

function show({ view }: State, to: Partial<ShownPalette>): Plan {
  const { shown } = palettes.of(view)
  return shown === null ? nothing : change(palettes.put(view, { shown: { ...shown, ...to } }))
}

/** The change of a view that puts a row first among those that were chosen. */
export function remembering(view: State["view"], id: string): ViewChange {
  const others = palettes.of(view).chosen.filter(one => one !== id)
  return palettes.put(view, { chosen: [id, ...others].slice(0, 20) })
}

/** The state as it is without the palette: where its rows run. */
export function underPalette(state: State): State {
  if (frontOverlay(state, "palette") === null) return state
  return { ...state, view: { ...state.view, overlays: state.view.overlays.slice(0, -1), typing: null } }
}

/** Opens it with all rows that there are now. */
export function planOpenPalette(state: State, keys: KnownKeys, keysFirst: boolean): Plan {
  const [places, actions] = [placeEntries(state), actionEntries(keys, keysFirst)]
  const entries = keysFirst ? [...actions, ...places] : [...places, ...actions]
  const isShort = keysFirst
  const { view } = state
  const rows = paletteRows({ entries, keysFirst, isShort }, "", palettes.of(view).chosen)
  const opened = palettes.put(view, { shown: { keysFirst, isShort, entries, rows, cursor: 0 } })
  return change({ ...opened, overlays: [...view.overlays, { type: "palette" }], typing: typingOf("palette") })
}

/** The row under the cursor; undefined where nothing matches. */
export function chosenEntry(state: State): PaletteEntry | undefined {
  const palette = paletteOf(state)
  return palette?.rows[palette.cursor]
}

/** The row under the cursor asks whether it is meant, if it has something to ask and has not asked yet; else null. */
export function planAsk(state: State): Plan | null {
  if (paletteOf(state)?.asks === true || chosenEntry(state)?.sure === undefined) return null
  return show(state, { asks: true })
}

function filterRows(state: State, { text }: Typing): Plan {
  const palette = paletteOf(state)
  if (palette === null) return nothing
  // The key that shows the keys shows all of them, then hides them again.
  if (palette.keysFirst && text === "??") return change({ overlays: underPalette(state).view.overlays, typing: null })
  const isShort = palette.keysFirst && text === ""
  const rows = paletteRows({ ...palette, isShort }, text, palettes.of(state.view).chosen)
  const meant = rows.length === 0 ? meantText(text, palette.entries) : null
  const read = rows.length === 0 ? readTyped(text) : null
  const error = read !== null && "error" in read ? read.error : null
  const shown = show(state, { isShort, rows, meant, cursor: 0, asks: false })
  return both(shown, change({ typing: { ...typingOf("palette", text), error } }))
}

/** The rows that match a text; a whole moment, command or condition comes first. */
function paletteRows(
  { entries, keysFirst, isShort }: Omit<PaletteRows, "rows">,
  text: string,
  chosen: readonly string[],
): readonly PaletteEntry[] {
  // In the list of keys a person may begin a search with `/`, as in any text.
  const typed = (keysFirst ? text.replace(/^[?/]+/, "") : text).trim()
  if (isShort === true) return shortPage(entries)
  const isDoing = ({ kind }: PaletteEntry) => Number(kind === "action" || kind === "command")
  const doingFirst = () => entries.toSorted((a, b) => isDoing(b) - isDoing(a))
  if (typed === "") return keysFirst ? entries : ranked(doingFirst(), "", chosen)
  const command = typed.match(/^\S+/)?.[0] ?? ""
  const known = entries.find(one => one.id === `:${command}`)
  const matching = ranked(entries, typed, chosen)
  // The word of a command is its name: no title that begins like it comes before.
  if (known !== undefined && typed === command) return [known, ...matching.filter(one => one !== known)]
  if (known !== undefined) {
    const title = `${known.title}: ${typed.slice(command.length).trim()}`
    return [{ ...goal("command", typed, title), sure: known.sure }, ...matching]
  }
  if (readSeek(typed) !== null) return [goal("moment", typed, `go to ${typed}`), ...matching]
  const isCondition = "filter" in parse(typed)
  return isCondition ? [goal("condition", typed, `go to where ${typed}`), ...matching] : matching
}

function goal(kind: PaletteEntry["kind"], text: string, title: string): PaletteEntry {
  return { id: kind, kind, title, words: "", key: "", why: null, does: { type: "time/goto", text } }
}
