import { watchLength } from "../query/watches.ts"
import { at } from "../run/model/chunked-list.ts"
import { branchRows } from "../run/select/branch-tree.ts"
import { moveBlocks } from "../transcript/block-moves.ts"
import { turned } from "../view/block-reading.ts"
import { clamp, stepOf } from "../view/cursor-step.ts"
import type { Move, ViewContext } from "../view/intent.ts"
import { change, nothing, type Plan } from "../view/plan-result.ts"
import { readText } from "../view/select/asker.ts"
import { sameTarget, shownRows } from "../view/select/live-rows.ts"
import { cursorIndex, cursorOn, shownAfter } from "../view/select/log-rows.ts"
import type { State } from "../view/state.ts"
import { presentOf } from "../view/time.ts"
import { alertsOf } from "./alerts/alerts.ts"
import { alertCursor } from "./alerts/update.ts"
import { moveInspector } from "./inspector/update.ts"
import { offersOf } from "./menu/export-update.ts"
import { menuOf } from "./menu/session-menu.ts"
import { moveReading } from "./pager/update.ts"

/** Moves what is in front: the cursor of a list, or the first line of a text. */
export function planMove(state: State, by: Move, facts: ViewContext): Plan {
  const overlay = state.view.overlays.at(-1)
  if (overlay === undefined) {
    if (state.view.focus === "live") return moveSelection(state, by, facts)
    return state.view.focus === "log" ? moveCursor(state, by, facts) : moveText(state, by, facts)
  }
  if (overlay.type === "reader") return moveText(state, by, facts)
  if (overlay.type === "inspector") return moveInspector(state, by, facts)
  if (overlay.type === "breakpoints") {
    const { length } = state.view.breakpoints.list
    const to = overlay.cursor + stepOf(by, overlay.cursor, { ...facts, lines: length })
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
      branches: overlay.type === "branches" ? branchRows(presentOf(state)).length : 0,
    }
    const length = lengths[overlay.type]
    const to = overlay.cursor + stepOf(by, overlay.cursor, { ...facts, lines: length })
    const cursor = clamp(to, 0, Math.max(0, length - 1))
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  if (overlay.type === "attention") {
    const all = alertsOf(state, facts.now)
    const from = alertCursor(all, overlay.cursor)
    const to = clamp(from + stepOf(by, from, { ...facts, lines: all.length }), 0, Math.max(0, all.length - 1))
    const cursor = all[to]?.id ?? null
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  if (overlay.type === "menu" || overlay.type === "copy" || overlay.type === "export") {
    const lines = (overlay.type === "menu" ? menuOf(state, overlay.session) : offersOf(state, overlay.type)).length
    const cursor = clamp(overlay.cursor + stepOf(by, overlay.cursor, { ...facts, lines }), 0, lines - 1)
    return change({ overlays: [...state.view.overlays.slice(0, -1), { ...overlay, cursor }] })
  }
  return "top" in overlay ? moveReading(state, overlay, by, facts) : nothing
}

function moveSelection(state: State, by: Move, facts: ViewContext): Plan {
  const rows = shownRows(state)
  if (rows.length === 0) return nothing
  if (by.unit === "follow")
    return change({ pinned: false, selected: rows.at(-1) ?? null, text: turned(state.view.text) })
  const from = Math.max(
    0,
    rows.findIndex(row => sameTarget(row, state.view.selected)),
  )
  const to = clamp(from + stepOf(by, from, { ...facts, lines: rows.length }), 0, rows.length - 1)
  const selected = rows[to] ?? null
  const moved = !sameTarget(selected, state.view.selected)
  return change({ selected, pinned: true, ...(moved ? { text: turned(state.view.text) } : {}) })
}

function moveText(state: State, by: Move, facts: ViewContext): Plan {
  if (facts.text === undefined) return nothing
  const text = readText(state)
  return change({
    text: { ...text, ...moveBlocks(text, by, facts.text) },
    ...(by.unit === "follow" ? {} : { pinned: true }),
  })
}

function moveCursor(state: State, by: Move, facts: ViewContext): Plan {
  if (by.unit === "follow") return change({ cursor: null })
  const from = cursorIndex(state)
  if (from === null) return nothing
  const to = shownAfter(state, from, stepOf(by, Infinity, { ...facts, lines: Infinity }))
  const row = at(state.run.log.rows, to)
  if (row === undefined) return nothing
  return change(cursorOn(state, row))
}
