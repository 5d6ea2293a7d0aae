// Moves and folds what is in front, and finds in it.
import { watchLength } from "../query/watches.ts"
import { branchRows } from "../run/select/branch-tree.ts"
import { clamp, stepOf } from "../view/cursor-step.ts"
import type { Direction, Fold, Move } from "../view/intent.ts"
import { change, nothing, type Plan } from "../view/plan-result.ts"
import { askerOf } from "../view/select/asker.ts"
import { frontPrompt, type State } from "../view/state.ts"
import type { ViewContext } from "../view/view-context.ts"
import { moveAgentLog } from "./agent-log/update.ts"
import { alertsOf } from "./alerts/alerts.ts"
import { alertCursor } from "./alerts/update.ts"
import { moveArtifacts } from "./artifacts/update.ts"
import { frontTab } from "./common/inspected.ts"
import { typingOf } from "./common/typing.ts"
import type { SomeUpdates } from "./common/updates.ts"
import { offersOf } from "./export/update.ts"
import { moveInvocations } from "./invocations/update.ts"
import { foldLive, moveLive } from "./live/update.ts"
import { moveLog } from "./log/update.ts"
import { menuOf } from "./menu/items.ts"
import { foldReading, moveReading, pageOf, stepInPager } from "./pager/update.ts"
import { foldText, moveText } from "./session-text/update.ts"
import { findInTranscript, foldTranscript, moveTranscript } from "./transcript/update.ts"
import { moveWaterfall } from "./waterfall/update.ts"

export const frontUpdates = {
  "cursor/move": (state, { by }, context) => {
    if (by.unit === "follow" && state.isPast && state.view.overlays.length === 0) return toPresent
    return planMove(state, by, context)
  },
  "cursor/fold": (state, { to }, context) => planFold(state, to, context),
  "find/begin": state =>
    pageOf(state) !== null || frontTab(state) === "transcript"
      ? change({ typing: typingOf("find", "") })
      : change({ typing: typingOf("search", ""), focus: "log" }),
  "find/step": (state, { step }, context) => {
    if (frontTab(state) === "transcript") return findInTranscript(state, state.view.inspector.find, step, context)
    const page = pageOf(state)
    return page === null ? nothing : stepInPager(state, page, step, context)
  },
  "prompt/scroll-behind": (state, { step }, context) => scrollBehind(state, step, context),
} satisfies SomeUpdates

/** Back to the present, whose end is followed. */
const toPresent: Plan = { actions: [{ type: "show", run: null }], effects: [] }

function planFold(state: State, to: Fold, context: ViewContext): Plan {
  const page = pageOf(state)
  if (page !== null) return foldReading(state, page, to, context)
  if (frontTab(state) === "transcript") return foldTranscript(state, to, context)
  return context.text === undefined ? foldLive(state, to) : foldText(state, to, context)
}

/** Moves what is in front: the cursor of a list, or the first line of a text. */
function planMove(state: State, by: Move, context: ViewContext): Plan {
  const overlay = state.view.overlays.at(-1)
  if (overlay === undefined) {
    if (state.view.focus === "live") return moveLive(state, by, context)
    return state.view.focus === "log" ? moveLog(state, by, context) : moveText(state, by, context)
  }
  if (overlay.type === "reader") return moveText(state, by, context)
  if (overlay.type === "inspector") return moveInspector(state, by, context)
  if (overlay.type === "breakpoints") {
    const { length } = state.view.breakpoints.list
    const to = overlay.cursor + stepOf(by, overlay.cursor, { ...context, lines: length })
    const cursor = clamp(to, 0, Math.max(0, length - 1))
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  if (
    overlay.type === "filters" ||
    overlay.type === "bookmarks" ||
    overlay.type === "hunt" ||
    overlay.type === "watches" ||
    overlay.type === "branches"
  ) {
    const { filters, bookmarks, searchResults: hunt, watches } = state.view
    const lengths = {
      filters: filters.list.length,
      bookmarks: bookmarks.length,
      hunt: hunt?.hits.length ?? 0,
      watches: watchLength(watches),
      branches: overlay.type === "branches" ? branchRows(state.present).length : 0,
    }
    const length = lengths[overlay.type]
    const to = overlay.cursor + stepOf(by, overlay.cursor, { ...context, lines: length })
    const cursor = clamp(to, 0, Math.max(0, length - 1))
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  if (overlay.type === "attention") {
    const all = alertsOf(state, context.now)
    const from = alertCursor(all, overlay.cursor)
    const to = clamp(from + stepOf(by, from, { ...context, lines: all.length }), 0, Math.max(0, all.length - 1))
    const cursor = all[to]?.id ?? null
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  if (overlay.type === "menu" || overlay.type === "copy" || overlay.type === "export") {
    const lines = (overlay.type === "menu" ? menuOf(state, overlay.session) : offersOf(state, overlay.type)).length
    const cursor = clamp(overlay.cursor + stepOf(by, overlay.cursor, { ...context, lines }), 0, lines - 1)
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  return "top" in overlay ? moveReading(state, overlay, by, context) : nothing
}

function moveInspector(state: State, by: Move, context: ViewContext): Plan {
  const { inspector } = state.view
  switch (inspector.tab) {
    case "invocations":
      return moveInvocations(state, by, context)
    case "transcript":
      return moveTranscript(state, by, context)
    case "waterfall":
      return moveWaterfall(state, by, context)
    case "artifacts":
      return moveArtifacts(state, by, context)
    case "agent-log":
      return moveAgentLog(state, by, context)
    case "chart":
    case "status": {
      const last = Math.max(0, context.lines - context.page)
      return change({
        inspector: { ...inspector, top: clamp(inspector.top + stepOf(by, inspector.top, context), 0, last) },
      })
    }
  }
}

/** A page up or down behind the question; what is not on the screen is brought up first. */
function scrollBehind(state: State, step: Direction, context: ViewContext): Plan {
  const isLog = state.view.focus === "log"
  switch (context.behind ?? "seen") {
    case "elsewhere":
      return isLog ? change({ maximized: true }) : change({ focus: "text" })
    case "covered":
      if (!isLog) return readAsker(state)
      break
    case "seen":
      break
  }
  return planMove(isLog ? state : withText(state), { unit: "page", count: step }, context)
}

/** A question that leaves no room gives way to the text; Esc comes back to it. */
function readAsker(state: State): Plan {
  const prompt = frontPrompt(state)
  const session = state.run.sessions[prompt === null ? -1 : (askerOf(state.run, prompt) ?? -1)]?.id
  const reader = { type: "reader", ...(session !== undefined && { session }) } as const
  return change({ overlays: [...state.view.overlays, reader] })
}

/** The live pane has a selection, which a question leaves alone: the text moves in its stead. */
function withText(state: State): State {
  return state.view.focus === "live" ? { ...state, view: { ...state.view, focus: "text" } } : state
}
