// Tells where a person stands before the screen as plain data, by ids and not by indexes, and puts another there.

import { isObject, type Json, type JsonObject } from "../../protocol/json.ts"
import { promptByKey, rowIdOf, rowIndex, sessionById } from "../../run/identity/find-by-id.ts"
import { rowRankIn } from "../../run/log.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { RowId, SessionId } from "../../run/model/id.ts"
import type { Run } from "../../run/model/run.ts"
import type { Anchor } from "../block-reading.ts"
import { PANES, TABS } from "../pane-names.ts"
import { lastRowId } from "../select/log-rows.ts"
import type { State } from "../state.ts"
import { emptyView, type Overlay, type View } from "../view.ts"

/** Overlays that show the run and nothing that was typed. */
const PLAIN = [
  "help",
  "inspector",
  "reader",
  "breakpoints",
  "filters",
  "bookmarks",
  "watches",
  "branches",
  "attention",
] as const

/** The parts of the view that say what is looked at. No draft and nothing that was typed is among them. */
export function snapshotView({ run, view }: State): JsonObject {
  const { selected, inspector, overlays } = view
  return {
    epochs: run.epochs.length,
    focus: view.focus,
    maximized: view.maximized,
    times: view.times,
    selected: selected?.type === "session" ? sessionName(run, selected.session) : null,
    cursor: rowName(run, view.cursor),
    text: anchorName(view.text.at),
    overlay: overlayName(run, overlays.findLast(overlay => nameable(overlay)) ?? null),
    tab: inspector.tab,
    session: sessionName(run, inspector.session),
    at: anchorName(inspector.at),
  }
}

/** The view of `state` from such a place; what is wrong in it, or not there, stays as it is. Total: it may come from anywhere. */
export function restoreView(state: State, vantage: Json): Partial<View> {
  if (!isObject(vantage)) return {}
  const { run, view } = state
  const shift = run.epochs.length - (typeof vantage.epochs === "number" ? vantage.epochs : run.epochs.length)
  const focus = PANES.find(pane => pane === vantage.focus)
  const selected = sessionNamed(run, vantage.selected)
  const text = { ...view.text, at: anchorNamed(vantage.text) }
  const overlay = overlayNamed(run, vantage.overlay, shift)
  const cursor = rowNamed(run, vantage.cursor, shift)
  return {
    focus: focus ?? view.focus,
    maximized: vantage.maximized === true,
    times: (["start", "clock", "row"] as const).find(times => times === vantage.times) ?? view.times,
    cursor,
    seenTo: lastRowId(run),
    ...(selected === null
      ? {}
      : { selected: { type: "session", session: selected } as const, pinned: true, text, textOf: selected }),
    overlays: overlay === null ? [] : [overlay],
    inspector: {
      ...emptyView.inspector,
      tab: TABS.find(tab => tab === vantage.tab) ?? emptyView.inspector.tab,
      session: sessionNamed(run, vantage.session),
      at: anchorNamed(vantage.at),
    },
  }
}

function sessionName(run: Run, id: SessionId | null): Json {
  const session = sessionById(run, id)
  if (session === undefined) return null
  return { invokeid: run.invocations[session.invocation]?.invokeid ?? null, sessionId: session.sessionId }
}

function sessionNamed(run: Run, name: Json | undefined): SessionId | null {
  if (!isObject(name)) return null
  const found = run.sessions.findLast(
    ({ sessionId, invocation }) =>
      sessionId === name.sessionId && (run.invocations[invocation]?.invokeid ?? null) === name.invokeid,
  )
  return found?.id ?? null
}

function anchorName(anchor: Anchor | null): Json {
  return anchor === null ? null : { block: anchor.block, row: anchor.row }
}

function anchorNamed(name: Json | undefined): Anchor | null {
  if (!isObject(name) || typeof name.block !== "string" || typeof name.row !== "number") return null
  return Number.isSafeInteger(name.row) && name.row >= 0 ? { block: name.block, row: name.row } : null
}

function rowName(run: Run, id: RowId | null): Json {
  const row = id === null ? undefined : at(run.log.rows, rowIndex(run, id))
  return row === undefined ? null : { epoch: row.epoch, order: row.order, kind: row.what.kind }
}

function rowNamed(run: Run, name: Json | undefined, shift: number): RowId | null {
  if (!isObject(name) || typeof name.epoch !== "number" || typeof name.order !== "number") return null
  const { rows } = run.log
  const [epoch, order] = [name.epoch + shift, name.order]
  for (let index = rowRankIn(rows, epoch, order); index < rows.length; index++) {
    const row = at(rows, index)
    if (row === undefined || row.epoch !== epoch || row.order !== order) return null
    if (row.what.kind === name.kind) return rowIdOf(run, row)
  }
  return null
}

function nameable(overlay: Overlay): boolean {
  return overlay.type === "entry" || overlay.type === "prompt" || PLAIN.some(type => type === overlay.type)
}

function overlayName(run: Run, overlay: Overlay | null): Json {
  if (overlay === null) return null
  const { type } = overlay
  if (type === "entry") return { type, row: rowName(run, overlay.id), top: overlay.top }
  if (type === "prompt") return { type, prompt: promptByKey(run, overlay.key)?.frame.promptId ?? null }
  return type === "reader" ? { type, session: sessionName(run, overlay.session ?? null) } : { type }
}

function overlayNamed(run: Run, name: Json | undefined, shift: number): Overlay | null {
  if (!isObject(name)) return null
  if (name.type === "entry") {
    const row = rowNamed(run, name.row, shift)
    const top = typeof name.top === "number" && Number.isSafeInteger(name.top) ? Math.max(0, name.top) : 0
    return row === null ? null : { type: "entry", id: row, top }
  }
  if (name.type === "prompt") {
    const prompt = run.prompts.findLast(({ frame }) => frame.promptId === name.prompt)
    return prompt === undefined ? null : { type: "prompt", key: prompt.key, top: 0 }
  }
  const type = PLAIN.find(one => one === name.type)
  switch (type) {
    case undefined:
      return null
    case "help":
      return { type, top: 0 }
    case "inspector":
      return { type }
    case "reader": {
      const session = sessionNamed(run, name.session)
      return session === null ? { type } : { type, session }
    }
    case "attention":
      return { type, cursor: null }
    default:
      return { type, cursor: 0 }
  }
}
