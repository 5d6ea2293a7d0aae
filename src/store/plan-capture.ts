// Knows what the inspector still wants of the session directory.
import type { Effect } from "./effect.ts"
import type { State } from "./state.ts"
import { at } from "./vec.ts"

/** The latest captures of a session that are asked for. */
const MOST_REFS = 400

/** Asks for what the transcript in front lacks. Looks only where that may have changed. */
export function wantCaptures(before: State, { run, view, directory, captures }: State): readonly Effect[] {
  const { inspector } = view
  const isRead = view.overlays.at(-1)?.type === "inspector" && inspector.tab === "transcript"
  if (!isRead || directory === null || directory.error !== null || inspector.session === null) return []
  const { entries } = run.sessions[inspector.session] ?? {}
  const same =
    before.view.inspector === inspector &&
    before.view.overlays === view.overlays &&
    before.directory === directory &&
    before.run.sessions[inspector.session]?.entries === entries
  if (same || entries === undefined) return []
  const refs = new Set<string>()
  for (let i = entries.length - 1; i >= 0 && refs.size < MOST_REFS; i--) {
    const ref = at(entries, i)?.ref ?? null
    if (ref !== null && !captures.has(ref)) refs.add(ref)
  }
  return refs.size === 0 ? [] : [{ type: "look", wish: { read: "captures", refs: [...refs] } }]
}

/** Follows the agent's log while it is shown, and no longer. */
export function wantLog(before: State, after: State): readonly Effect[] {
  const [was, on] = [showsLog(before), showsLog(after)]
  return was === on ? [] : [{ type: "look", wish: { read: "log", on } }]
}

function showsLog({ view, directory }: State): boolean {
  const isOpen = view.overlays.some(overlay => overlay.type === "inspector")
  return isOpen && view.inspector.tab === "agent-log" && directory !== null && directory.error === null
}
