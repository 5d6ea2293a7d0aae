// Finds where a session or a group stands in a run: the one place that turns an id into an index.
import type { GroupId, SessionId } from "../model/id.ts"
import type { Run } from "../model/run.ts"
import type { Session } from "../model/session.ts"

type Members = Pick<Run, "sessions" | "invocations">

interface Places {
  readonly sessions: Map<SessionId, number>
  readonly groups: Map<GroupId, number>
}

/** A cache beside the run. Places only grow, so a run and its successors share them; the array of groups is theirs alone. */
const cache = new WeakMap<Members["invocations"], Places>()

/** Null where the run has no such session. */
export function sessionIndex(run: Members, id: SessionId | null): number | null {
  return id === null ? null : within(placesOf(run).sessions.get(id), run.sessions.length)
}

export function sessionById(run: Members, id: SessionId | null): Session | undefined {
  return run.sessions[sessionIndex(run, id) ?? -1]
}

/** Null where the run has no such group. */
export function groupIndex(run: Members, id: GroupId): number | null {
  return within(placesOf(run).groups.get(id), run.invocations.length)
}

/** An earlier run finds in the shared places what came after it. */
function within(index: number | undefined, length: number): number | null {
  return index !== undefined && index < length ? index : null
}

/** Hands the places of a run to the one that continues it. A run that is continued a second time keeps its own. */
export function growPlaces(before: Members, after: Members): void {
  const known = cache.get(before.invocations)
  if (known?.sessions.size !== before.sessions.length || before.sessions.length === 0) return
  cache.set(after.invocations, extended(known, after))
}

function placesOf(run: Members): Places {
  const known = cache.get(run.invocations)
  if (known !== undefined) return known
  const made = extended({ sessions: new Map(), groups: new Map() }, run)
  cache.set(run.invocations, made)
  return made
}

function extended(places: Places, { sessions, invocations }: Members): Places {
  for (let index = places.sessions.size; index < sessions.length; index++) {
    const session = sessions[index]
    if (session !== undefined) places.sessions.set(session.id, index)
  }
  for (let index = places.groups.size; index < invocations.length; index++) {
    const group = invocations[index]
    if (group !== undefined) places.groups.set(group.id, index)
  }
  return places
}
