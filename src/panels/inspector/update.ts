// Decides what a key in the inspector comes to.

import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { isOpen } from "../../run/session-index.ts"
import { errorBlocks, findBlocks, foldBlocks, moveBlocks, turnBlocks } from "../../transcript/block-moves.ts"
import { START } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { AGENT_LOG, type Artifact } from "../../view/directory-files.ts"
import type { Effect } from "../../view/effect.ts"
import { type InspectorIntent, ORDERS, rowOf, sessionAt, sortSessions, TABS, type Tab } from "../../view/inspector.ts"
import type { Move, ViewContext } from "../../view/intent.ts"
import { alter, both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import { isLive, type State } from "../../view/state.ts"
import { moveWaterfall, openWaterfallTurn, planWaterfall, stepWaterfallTurn } from "./waterfall-update.ts"

export function planInspect(state: State, wish: InspectorIntent, facts: ViewContext): Plan {
  const { inspector } = state.view
  switch (wish.to) {
    case "toggle":
      return toggle(state)
    case "tab":
      return show(state, wish.tab)
    case "waterfall":
      return toggleWaterfall(state)
    case "next-tab": {
      const index = (TABS.indexOf(inspector.tab) + wish.step + TABS.length) % TABS.length
      return show(state, TABS[index] ?? inspector.tab)
    }
    case "sort": {
      const order = ORDERS[(ORDERS.indexOf(inspector.order) + 1) % ORDERS.length] ?? "newest"
      return alter(inspector, { order, sorted: sortSessions(state.run, order, facts.now) })
    }
    case "open":
      if (inspector.tab === "waterfall") return openWaterfallTurn(state, facts.now)
      return inspector.tab === "invocations" ? show(state, "transcript") : openFile(state)
    case "show": {
      const artifact = artifactUnder(state)
      return artifact === null ? nothing : { actions: [], effects: [{ type: "show", name: artifact.name }] }
    }
    case "fold":
      return facts.outline === undefined ? nothing : alter(inspector, foldBlocks(inspector, wish.fold, facts.outline))
    case "compare":
      return compare(state, facts)
    case "turn": {
      const isFall = inspector.tab === "waterfall"
      const { outline } = facts
      const to = isFall
        ? stepWaterfallTurn(state, wish.step, facts)
        : outline === undefined
          ? null
          : turnBlocks(inspector, wish.step, outline)
      return to === null
        ? notice(wish.step === 1 ? "No later turn" : "No earlier turn", "info", facts.now)
        : alter(inspector, to)
    }
    case "error": {
      const to = facts.outline === undefined ? null : errorBlocks(inspector, wish.step, facts.outline)
      return to === null
        ? notice(wish.step === 1 ? "No later error" : "No earlier error", "info", facts.now)
        : alter(inspector, to)
    }
    case "zoom":
    case "pan":
    case "whole":
      return alter(inspector, planWaterfall(state, wish, facts))
  }
}

/** The session that the inspector shows, or has under its cursor; null where it is not in front. */
export function inspectedSession({ run, view }: State): number | null {
  const { tab, session, sorted, row } = view.inspector
  if (view.overlays.at(-1)?.type !== "inspector") return null
  return tab === "transcript" ? sessionIndex(run, session) : sessionAt(run, sorted, rowOf(run, sorted, row))
}

/** True where a transcript is in front, which can be searched. */
export function isTranscript({ view }: State): boolean {
  return view.overlays.at(-1)?.type === "inspector" && view.inspector.tab === "transcript"
}

/** Searches the transcript in front; an empty text ends the search. */
export function findInspected({ view }: State, find: string | null, step: 1 | -1, facts: ViewContext): Plan {
  const { inspector } = view
  if (find === null) return notice("No search yet: / begins one", "info", facts.now)
  if (find === "") return alter(inspector, { find: null })
  const to = facts.outline === undefined ? null : findBlocks(inspector, find, step, facts.outline)
  return to === null
    ? both(alter(inspector, { find }), notice(`Not found: ${find}`, "warning", facts.now))
    : alter(inspector, { ...to, find })
}

/** Moves the cursor of what the tab shows, or its first line where it is only read. */
export function moveInspector(state: State, by: Move, facts: ViewContext): Plan {
  const { run, view } = state
  const { inspector } = view
  switch (inspector.tab) {
    case "invocations": {
      const from = rowOf(run, inspector.sorted, inspector.row)
      const last = Math.max(0, run.sessions.length - 1)
      const to = clamp(from + stepOf(by, from, { ...facts, lines: run.sessions.length }), 0, last)
      return alter(inspector, { row: run.sessions[sessionAt(run, inspector.sorted, to) ?? -1]?.id ?? null })
    }
    case "transcript":
      return facts.outline === undefined ? nothing : alter(inspector, moveBlocks(inspector, by, facts.outline))
    case "waterfall":
      return alter(inspector, moveWaterfall(state, by, facts))
    case "artifacts": {
      const all = state.files.artifacts ?? []
      const from = artifactRow(state)
      const to = clamp(from + stepOf(by, from, { ...facts, lines: all.length }), 0, Math.max(0, all.length - 1))
      return alter(inspector, { artifact: all[to]?.name ?? null })
    }
    case "agent-log": {
      if (by.unit === "follow") return alter(inspector, { logTop: null })
      const last = Math.max(0, facts.lines - facts.page)
      const from = Math.min(inspector.logTop ?? last, last)
      const to = clamp(from + stepOf(by, from, facts), 0, last)
      return alter(inspector, { logTop: to === last && to >= from ? null : to })
    }
    case "chart":
    case "status": {
      const top = clamp(inspector.top + stepOf(by, inspector.top, facts), 0, Math.max(0, facts.lines - facts.page))
      return alter(inspector, { top })
    }
  }
}

function toggle(state: State): Plan {
  const { inspector, overlays } = state.view
  const others = overlays.filter(overlay => overlay.type !== "inspector")
  if (others.length < overlays.length) return change({ overlays: others })
  const row = selectedId(state) ?? inspector.row
  return change({ overlays: [...overlays, { type: "inspector" }], inspector: { ...inspector, row } })
}

function selectedId({ run, view }: State): SessionId | undefined {
  return run.sessions[sessionOf(run, view.selected) ?? -1]?.id
}

/** Opens the inspector at the waterfall, with the selected session under its cursor. */
function toggleWaterfall(state: State): Plan {
  const { view } = state
  const isOpen = view.overlays.some(overlay => overlay.type === "inspector")
  if (isOpen && view.inspector.tab !== "waterfall") return show(state, "waterfall")
  const plan = toggle(state)
  const row = selectedId(state) ?? view.inspector.row
  return isOpen ? plan : both(plan, alter(view.inspector, { tab: "waterfall", row }))
}

/** Shows a tab. The transcript is that of the session under the cursor of the list. */
function show(state: State, tab: Tab): Plan {
  const { run, view } = state
  const { inspector } = view
  if (tab !== "transcript")
    return both(alter(inspector, { tab, top: 0 }), { actions: [], effects: wantedBy(state, tab) })
  const session = inspector.row ?? run.sessions[sessionAt(run, inspector.sorted, 0) ?? -1]?.id ?? null
  if (session === null || session === inspector.session) return alter(inspector, { tab })
  const at = isOpen(run.turnBuffers[sessionIndex(run, session) ?? -1]) ? null : START
  return alter(inspector, { tab, session, at, first: at, folds: { all: false, except: [] } })
}

/** The first press marks a turn, the second lays the marked one beside the turn under the cursor. */
function compare({ run, view }: State, { outline, now }: ViewContext): Plan {
  const { inspector, overlays } = view
  const { session, at, marked } = inspector
  if (outline === undefined || session === null || outline.length === 0) return nothing
  const turn = outline.turnAt(at === null ? outline.length - 1 : outline.lineOf(at))
  const here = { session, turn }
  if (marked === null || sessionIndex(run, marked.session) === null) {
    return both(
      alter(inspector, { marked: here }),
      notice(`Turn ${turn} is marked: d on another turn compares`, "info", now),
    )
  }
  const done = { ...inspector, marked: null }
  if (marked.session === session && marked.turn === turn) {
    return both(change({ inspector: done }), notice(`Turn ${turn} is not marked any more`, "info", now))
  }
  return change({
    inspector: done,
    overlays: [...overlays, { type: "turn-diff", before: marked, after: here, top: 0 }],
  })
}

/** What a tab must be told before it can show all. */
function wantedBy(state: State, tab: Tab): readonly Effect[] {
  return tab === "chart" && isLive(state) && state.definition === null ? [{ type: "definition" }] : []
}

/** The row of the artifact under the cursor. */
export function artifactRow({ files, view }: State): number {
  const row = (files.artifacts ?? []).findIndex(one => one.name === view.inspector.artifact)
  return Math.max(0, row)
}

function artifactUnder(state: State): Artifact | null {
  return state.files.artifacts?.[artifactRow(state)] ?? null
}

/** An artifact, or the agent's log, to be read and searched. */
function openFile(state: State): Plan {
  const { view } = state
  const { tab } = view.inspector
  if (tab !== "artifacts" && tab !== "agent-log") return nothing
  const file = tab === "artifacts" ? artifactUnder(state) : { name: AGENT_LOG, title: AGENT_LOG }
  if (file === null) return nothing
  const { name, title } = file
  const wish = { read: "file", name, title } as const
  return both(change({ overlays: [...view.overlays, { type: "file", name, top: 0 }] }), {
    actions: [],
    effects: [{ type: "look", wish }],
  })
}
