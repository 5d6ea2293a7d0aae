// The menus of what can be copied, and what can be exported.
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { promptByKey } from "../../run/identity/find-by-id.ts"
import { frameNumber, type Row } from "../../run/model/run.ts"
import {
  EXPORT_FORMATS,
  type ExportFormat,
  FORMAT_NAMES,
  isDocumentFormat,
  type MomentPlace,
} from "../../run/select/export-format.ts"
import { sessionName } from "../../run/select/figures.ts"
import { beginOf } from "../../run/select/row-words.ts"
import { counted } from "../../ui/text-width.ts"
import {
  both,
  change,
  notice,
  type OverlayOf,
  only,
  type Plan,
  type ViewContext,
  without,
} from "../../view/plan-result.ts"
import { shownSession } from "../../view/select/shown-session.ts"
import { isRecording, type State } from "../../view/state.ts"
import { rowInFront, turnInFront } from "../common/in-front.ts"
import { copy, OUTSIDE, PLACES } from "../common/keys.ts"
import { menuOverlay } from "../common/list/list.ts"
import { bind, type MenuItem, type Panel } from "../common/panel.ts"
import { type CopyItem, copiesOf } from "./copy-items.ts"

export const openExport = bind(
  "export/open",
  ["x"],
  "export the run or session to a file",
  `save file ${Object.values(FORMAT_NAMES).join(" ").toLowerCase()}`,
)

export const exportPanel = {
  keys: {
    group: "Program",
    openers: [
      {
        from: PLACES,
        keys: [
          copy,
          { ...OUTSIDE, id: "copy/pager" },
          bind(
            "moment/export",
            [],
            "save a page about this moment, to send to somebody",
            "share html export turn state waterfall report here",
          ),
          openExport,
        ],
      },
    ],
  },
  updates: {
    // One thing is copied at once; of several a person chooses.
    "copy/open": (state, _, { now }) => {
      const copies = menuCopies(state)
      const [first] = copies
      if (first === undefined) return notice("Nothing here to copy", "warning", now)
      if (copies.length === 1) return copied(first)
      const begins = Object.fromEntries(copies.map((...one) => [nameIn(...one), copyBegin(one[0])]))
      return change({ overlays: [...state.view.overlays, { type: "copy", cursor: 0, begins }] })
    },
    "copy/pager": (state, _, { now }) => {
      const all = copiesOf(state).at(-1)
      if (all === undefined) return notice("Nothing here to open", "warning", now)
      return awaitTexts(state, now) ?? only({ type: "pager/show", text: all.text() })
    },
    "moment/export": (state, _, context) => only({ type: "moment/export", moment: momentInFront(state, context) }),
    "export/open": ({ view }) => change({ overlays: [...view.overlays, { type: "export", cursor: 0 }] }),
  },
  overlays: {
    copy: menuOverlay({ title: () => "COPY", items: (state, { begins }) => copyItems(state, begins) }),
    export: menuOverlay({ title: () => "EXPORT", items: exportItems }),
  },
} satisfies Panel

/** What lies behind such a menu. */
function behind(state: State): State {
  return { ...state, view: { ...state.view, overlays: without(state, "copy", "export") } }
}

function copyItems(state: State, begins: OverlayOf<"copy">["begins"]): readonly MenuItem[] {
  return menuCopies(behind(state)).map((item, at, all) => ({
    title: item.what,
    aside: begins[nameIn(item, at, all)] ?? "",
    why: null,
    chosen: now => awaitTexts(state, now) ?? both(closing(state), copied(item)),
  }))
}

/** What is in front, and behind it what was typed for questions that closed first. */
function menuCopies(state: State): readonly CopyItem[] {
  const kept = state.view.questions.kept.map(({ key, text }) => {
    const title = promptByKey(state.present, key)?.title ?? "a question"
    return { what: `what you typed for ${title}`, text: () => text }
  })
  return [...copiesOf(state), ...kept.toReversed()]
}

/** The unique name of an item: of several with the same name, all but the last end in blanks. */
const nameIn = ({ what }: CopyItem, at: number, all: readonly CopyItem[]) =>
  what + " ".repeat(all.slice(at + 1).filter(one => one.what === what).length)

/** The beginning of a text that is copied, on one line. */
function copyBegin({ text }: CopyItem): string {
  return sanitizeLine(text().trimStart().slice(0, MOST_SHOWN).replace(/\s+/g, " "))
}

function copied({ what, text, isPath }: CopyItem): Plan {
  return only({ type: "clipboard/copy", what, text: isPath ? text() : sanitize(text()) })
}

function exportItems(state: State): readonly MenuItem[] {
  const { run } = state
  const session = shownSession(behind(state))
  const one = session === null ? undefined : run.sessions[session]
  const runWords = (format: ExportFormat) =>
    isDocumentFormat(format) ? counted(run.sessions.length, "session") : counted(frameNumber(state.present), "frame")
  const item = (of: string, format: ExportFormat, index: number | null): MenuItem => ({
    title: `${of} as ${FORMAT_NAMES[format]}`,
    aside: index === null ? runWords(format) : beginOf(one?.firstLine ?? "") || counted(one?.turns ?? 0, "turn"),
    why: null,
    chosen: () => both(closing(state), only({ type: "run/export", format, session: index })),
  })
  const ofRun = EXPORT_FORMATS.map(format => item("the run", format, null))
  if (session === null) return ofRun
  const name = sessionName(run, session) ?? "the session"
  return [...ofRun, ...EXPORT_FORMATS.filter(isDocumentFormat).map(format => item(name, format, session))]
}

function closing({ view }: State): Plan {
  return change({ overlays: view.overlays.slice(0, -1) })
}

/** UTF-16 units of a text that the menu shows at most. */
const MOST_SHOWN = 200
const ON_DISK = "Still reading the files. Try again in a moment"

/** Has what stands on the screen read back first, and says so; null where all of it is there. */
function awaitTexts(state: State, now: number): Plan | null {
  const sessions = state.missingTexts
  if (sessions.length === 0) return null
  return both(notice(ON_DISK, "info", now), only({ type: "texts/recall", sessions }))
}

/** The moment in front of the person: that of the row under the log's cursor or of its entry, else the one shown. */
function momentInFront(state: State, context: ViewContext): MomentPlace {
  const { run } = state
  const { session, turn } = turnInFront(state, context) ?? { session: null, turn: null }
  const row = rowInFront(state)
  if (row !== null) return { frame: row.frame, at: nameOf(state, row), ts: row.ts ?? run.lastTs, session, turn }
  const [frame, epoch] = [frameNumber(run), run.epochs.length - 1]
  const name = nameOf(state, { frame, epoch, seq: run.epochs[epoch]?.highest ?? null })
  return { frame, at: name, ts: run.lastTs, session, turn }
}

/** Frames of a live run are not numbered as those of its transcript on disk, but their `seq` is the same. */
function nameOf(state: State, { frame, epoch, seq }: Pick<Row, "frame" | "epoch" | "seq">): string {
  return isRecording(state) || seq === null || seq < 0 ? `#${frame}` : `e${epoch + 1}/${seq}`
}
