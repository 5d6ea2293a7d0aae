// Saves the part of the view that says what a person looks at in a bug report, and restores it from one.
import { isObject, type Json } from "../../../packages/wire/src/json.ts"
import { groupId, type RowId, type SessionId, sessionId } from "../../run/model/id.ts"
import type { Run } from "../../run/model/run.ts"
import { type Anchor, type OutlineReading, unread } from "../../view/block-reading.ts"
import type { Target } from "../../view/live-list.ts"
import { PANES } from "../../view/pane-names.ts"
import { lastRowId } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"
import { type Overlay, TIMES, type ViewChange } from "../../view/view.ts"

/** Fields of an overlay that say what it shows. */
const SAVED = ["type", "id", "key", "top"]

/** Nothing that was typed, and no unlimited list. The overlay is a log row, a question or one of `plain`. */
export function snapshotView({ run, view }: State, plain: readonly Overlay[]): object {
  const { focus, maximized, overlays, list, reader, log } = view
  const kept = new Set(["entry", "prompt", ...plain.map(({ type }) => type)])
  const last = overlays.findLast(({ type }) => kept.has(type))
  const overlay = Object.fromEntries(Object.entries(last ?? {}).filter(([name]) => SAVED.includes(name)))
  const epochs = run.epochs.length - run.disk.epochs
  const places = { times: log.times, selected: list.selected, cursor: log.cursor }
  return { epochs, focus, maximized, ...places, overlay, text: { session: reader.text.session, at: reader.text.at } }
}

/** What a snapshot changes in the view, without what is malformed or not in the run. Never throws. */
export function restoreView(state: State, saved: Json, plain: readonly Overlay[]): ViewChange {
  if (!isObject(saved)) return {}
  const { run, view } = state
  const here = run.epochs.length - run.disk.epochs
  const ids = new SavedIds(run, here - (typeof saved.epochs === "number" ? saved.epochs : here))
  const selected = ids.target(saved.selected)
  const overlay = ids.overlay(saved.overlay, plain)
  const times = TIMES.find(one => one === saved.times) ?? view.log.times
  return {
    focus: PANES.find(pane => pane === saved.focus) ?? view.focus,
    maximized: saved.maximized === true,
    log: { times, cursor: ids.row(saved.cursor), seenTo: lastRowId(run) },
    ...(selected !== null && { list: { selected, pinned: true } }),
    reader: { text: ids.reading(saved.text) },
    overlays: overlay === null ? [] : [overlay],
  }
}

function anchorFrom(value: Json | undefined): Anchor | null {
  if (!isObject(value) || typeof value.block !== "string") return null
  return isIndex(value.row) ? { block: value.block, row: value.row } : null
}

function isIndex(value: Json | undefined): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0
}

/** Reads saved ids. `shift` is added to their epochs: a bug report does not have the first lines of a long run. */
class SavedIds {
  constructor(
    private readonly run: Run,
    private readonly shift: number,
  ) {}

  session(value: Json | undefined): SessionId | null {
    const { sessions, invocations, disk } = this.run
    const found = sessions.findLast(one => {
      const invokeid = invocations[one.invocation]?.invokeid ?? null
      return value === sessionId(one.epoch - disk.epochs - this.shift, invokeid, one.sessionId)
    })
    return found?.id ?? null
  }

  reading(saved: Json | undefined): OutlineReading {
    const session = isObject(saved) ? this.session(saved.session) : null
    return isObject(saved) && session !== null ? { ...unread, session, at: anchorFrom(saved.at) } : unread
  }

  target(value: Json | undefined): Target | null {
    if (!isObject(value)) return null
    if (value.type === "group") {
      const { invocations, disk } = this.run
      const found = invocations.find(
        ({ epoch, invokeid }) => value.invocation === groupId(epoch - disk.epochs - this.shift, invokeid),
      )
      return found === undefined ? null : { type: "group", invocation: found.id }
    }
    const session = value.type === "session" ? this.session(value.session) : null
    return session === null ? null : { type: "session", session }
  }

  row(value: Json | undefined): RowId | null {
    if (!isObject(value)) return null
    const { epoch, order, nth } = value
    if (typeof epoch !== "number" || typeof order !== "number" || !isIndex(nth)) return null
    return { epoch: epoch + this.shift, order, nth }
  }

  /** The `plain` overlays are given as they open. */
  overlay(value: Json | undefined, plain: readonly Overlay[]): Overlay | null {
    if (!isObject(value)) return null
    const top = isIndex(value.top) ? value.top : 0
    if (value.type === "entry") {
      const id = this.row(value.id)
      return id === null ? null : { type: "entry", id, top }
    }
    if (value.type === "prompt") {
      const prompt = this.run.prompts.findLast(({ key }) => key === value.key)
      return prompt === undefined ? null : { type: "prompt", key: prompt.key, top }
    }
    return plain.find(one => one.type === value.type) ?? null
  }
}
