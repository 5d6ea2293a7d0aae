// Knows what the inspector still wants of the session directory.

import { sessionById } from "../run/identity/find-by-id.ts"
import { at } from "../run/model/chunked-list.ts"
import type { Effect } from "../view/effect.ts"
import type { Tab } from "../view/pane-names.ts"
import type { State } from "../view/state.ts"

/** The latest captures of a session that are asked for. */
const MOST_REFS = 400

/** Asks for what the transcript in front lacks. Looks only where that may have changed. */
export function wantCaptures(before: State, { run, view, directory, captures }: State): readonly Effect[] {
  const { inspector } = view
  if (!isRead(view) || directory === null || directory.error !== null || inspector.session === null) return []
  const { entries } = sessionById(run, inspector.session) ?? {}
  const same =
    before.view.inspector === inspector &&
    before.view.overlays === view.overlays &&
    before.directory === directory &&
    sessionById(before.run, inspector.session)?.entries === entries
  if (same || entries === undefined) return []
  // What was not there may be by now: whoever opens the transcript again has it looked for again.
  const again = !isRead(before.view)
  const refs = new Set<string>()
  for (let i = entries.length - 1; i >= 0 && refs.size < MOST_REFS; i--) {
    const ref = at(entries, i)?.ref ?? null
    const captured = ref === null ? undefined : captures.get(ref)
    if (ref !== null && (captured === undefined || (again && "why" in captured))) refs.add(ref)
  }
  return refs.size === 0 ? [] : [{ type: "look", wish: { read: "captures", refs: [...refs] } }]
}

/** Follows the agent's log while it is shown, and no longer. */
export function wantLog(before: State, after: State): readonly Effect[] {
  const [was, on] = [shows("agent-log", before), shows("agent-log", after)]
  return was === on ? [] : [{ type: "look", wish: { read: "log", on } }]
}

/** Keeps the list of artifacts fresh while it is shown, and no longer. */
export function wantArtifacts(before: State, after: State): readonly Effect[] {
  const [was, on] = [shows("artifacts", before), shows("artifacts", after)]
  return was === on ? [] : [{ type: "look", wish: { read: "artifacts", on } }]
}

function isRead({ overlays, inspector }: State["view"]): boolean {
  return overlays.at(-1)?.type === "inspector" && inspector.tab === "transcript"
}

function shows(tab: Tab, { view, directory }: State): boolean {
  const isOpen = view.overlays.some(overlay => overlay.type === "inspector")
  return isOpen && view.inspector.tab === tab && directory !== null && directory.error === null
}
