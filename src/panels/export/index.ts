// The menus of what can be copied, and what can be exported.
import { EXPORT_FORMATS, type ExportFormat, FORMAT_NAMES, isDocumentFormat } from "../../run/select/export-format.ts"
import type { Effect } from "../../view/effect.ts"
import { both, change, nothing, notice, only, type Plan } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import type { Overlay } from "../../view/view.ts"
import { close, down, up } from "../common/keys.ts"
import type { MenuItem } from "../common/list/list.ts"
import { menuOverlay } from "../common/list/list-overlay.ts"
import { inspectedSession } from "../common/open-tab.ts"
import type { Panel } from "../common/panel.ts"
import { type CopyItem, copiesOf } from "./copy-items.ts"

export const exportPanel = {
  keys: {
    group: "Program",
    openers: [
      {
        from: ["panes", "reader", "page", "entry", "tab"],
        keys: [
          { id: "copy/open", keys: ["y"], title: "copy the selected text or data", words: "yank clipboard" },
          {
            id: "copy/view",
            keys: ["Y"],
            title: "show plain text to select with the mouse",
            words: "copy select plain mouse",
          },
          {
            id: "copy/pager",
            keys: ["|"],
            title: "read all of the text in your pager ($PAGER)",
            words: "less external program scroll",
          },
          {
            id: "export/open",
            keys: ["x"],
            title: "export the run or session to a file",
            words: `save file ${Object.values(FORMAT_NAMES).join(" ").toLowerCase()}`,
          },
        ],
      },
    ],
    scopes: [
      {
        id: "export",
        kind: "menu",
        keys: [
          {
            id: "export/choose",
            keys: ["enter"],
            group: "Debugger",
            title: "choose the selected item",
            words: "run select pick",
            hint: "choose",
          },
          close,
          down,
          up,
        ],
      },
    ],
  },
  updates: {
    // One thing is copied at once; of several a person chooses.
    "copy/open": (state, _, { now }) => {
      const copies = copiesOf(state)
      const [first] = copies
      if (first === undefined) return notice(NOTHING, "warning", now)
      if (copies.length === 1) return only(copyOffer(first).effect())
      return change({ overlays: [...state.view.overlays, { type: "copy", cursor: 0 }] })
    },
    "copy/view": (state, _, { now }) => showAll(state, now, "terminal/print"),
    "copy/pager": (state, _, { now }) => showAll(state, now, "pager/show"),
    "export/open": ({ view }) => change({ overlays: [...view.overlays, { type: "export", cursor: 0 }] }),
    "export/choose": (state, _, { now }) => choose(state, now),
  },
  overlays: {
    copy: menuOverlay("export", { title: () => "COPY", items: state => offersOf(state, "copy") }),
    export: menuOverlay("export", { title: () => "EXPORT", items: state => offersOf(state, "export") }),
  },
} satisfies Panel

type ExportOffer = Extract<Overlay, { readonly type: "copy" | "export" }>

interface Offer extends MenuItem {
  readonly effect: () => Effect
}

/** The lines of such a menu, for what lies behind it. */
function offersOf(state: State, type: ExportOffer["type"]): readonly Offer[] {
  const behind = { ...state, view: { ...state.view, overlays: state.view.overlays.filter(one => !isOffer(one)) } }
  return type === "copy" ? copiesOf(behind).map(copyOffer) : exportOffers(behind)
}

function isOffer(overlay: Overlay): overlay is ExportOffer {
  return overlay.type === "copy" || overlay.type === "export"
}

function copyOffer({ what, text }: CopyItem): Offer {
  return { title: what, why: null, effect: () => ({ type: "clipboard/copy", what, text: text() }) }
}

function exportOffers(state: State): readonly Offer[] {
  const { run } = state
  const session = inspectedSession(state) ?? sessionOf(run, state.view.selected)
  const one = session === null ? undefined : run.sessions[session]
  const name = one === undefined ? "" : (run.invocations[one.invocation]?.title ?? one.title)
  const offer = (of: string, format: ExportFormat, index: number | null): Offer => {
    const effect = () => ({ type: "run/export", format, session: index }) as const
    return { title: `${of} as ${FORMAT_NAMES[format]}`, why: null, effect }
  }
  const ofRun = EXPORT_FORMATS.map(format => offer("the run", format, null))
  const formats = one === undefined ? [] : EXPORT_FORMATS.filter(isDocumentFormat)
  return [...ofRun, ...formats.map(format => offer(`the session ${name}`, format, session))]
}

const NOTHING = "Nothing here to copy"
const ON_DISK = "Still reading the files. Try again in a moment"

/** Hands all of the text in front to what shows it outside of the screen. */
function showAll(state: State, now: number, type: "terminal/print" | "pager/show"): Plan {
  const all = copiesOf(state).at(-1)
  if (all === undefined) return notice(NOTHING, "warning", now)
  return awaitTexts(state, now) ?? only({ type, text: all.text() })
}

/** Has what stands on the screen read back first, and says so; null where all of it is there. */
function awaitTexts(state: State, now: number): Plan | null {
  const sessions = state.missingTexts
  if (sessions.length === 0) return null
  return both(notice(ON_DISK, "info", now), only({ type: "texts/recall", sessions }))
}

function choose(state: State, now: number): Plan {
  const menu = state.view.overlays.at(-1)
  if (menu === undefined || !isOffer(menu)) return nothing
  const wait = menu.type === "copy" ? awaitTexts(state, now) : null
  if (wait !== null) return wait
  const offer = offersOf(state, menu.type)[menu.cursor]
  if (offer === undefined) return nothing
  return both(change({ overlays: state.view.overlays.slice(0, -1) }), only(offer.effect()))
}
