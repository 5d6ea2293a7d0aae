// Finds the session that a frame belongs to, and adds new sessions and invocations.
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { withBegun, withBranch } from "./model/branches.ts"
import { itemAt } from "./model/chunked-list.ts"
import { emptySession, emptyTurnBuffer } from "./model/empty-session.ts"
import { groupId, sessionId as makeSessionId } from "./model/id.ts"
import { frameNumber } from "./model/run.ts"
import type { Invocation, Mutable, Session, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { beginSegments } from "./segments.ts"

/** Sessions of one invokeid that are searched for an open one: thousands of them must not slow down every frame. */
const REACH = 4096

/** The frame's session, or null. Without an id: the invokeid's latest open one, else latest (docs/decisions.md 1.7). */
export function findSession(builder: RunBuilder, invokeid: string | null, sessionId: string | null): number | null {
  const { run } = builder
  const lookup = builder.lookup()
  if (sessionId !== null) return lookup.session(invokeid, sessionId)
  const invocation = lookup.invocation(invokeid)
  if (invocation === null) return null
  const members = run.invocations[invocation]?.sessions ?? []
  const end = Math.max(0, members.length - REACH)
  for (let i = members.length - 1; i >= end; i--) {
    const index = members[i]
    if (index !== undefined && isOpen(run.turnBuffers[index])) return index
  }
  return members.at(-1) ?? null
}

/** Like `findSession`, but adds the session if its id is new. */
export function findOrAddSession(
  builder: RunBuilder,
  invokeid: string | null,
  sessionId: string | null,
): number | null {
  const { run, facts } = builder
  const found = findSession(builder, invokeid, sessionId)
  if (found !== null || sessionId === null) return found
  const lookup = builder.lookup()
  const invocation = lookup.invocation(invokeid) ?? run.invocations.length
  const epoch = builder.epochIndex - run.disk.epochs
  // Assigned after a plain spread: the engine copies a record with keys beside the spread more slowly.
  const session: Mutable<Session> = { ...emptySession }
  session.id = makeSessionId(epoch, invokeid, sessionId)
  session.epoch = builder.epochIndex
  session.invocation = invocation
  session.sessionId = sessionId
  session.title = sanitizeLine(sessionId)
  session.label = labelOf(builder, invokeid, sessionId, run.invocations[invocation]?.sessions ?? [])
  const buffer: Mutable<TurnBuffer> = { ...emptyTurnBuffer }
  buffer.segments = beginSegments(run.options.strategy)
  const index = builder.addSession(session, buffer)
  const group = run.invocations[invocation] ?? makeInvocation(builder, invokeid)
  builder.addMember(group, invocation, index)
  lookup.add(group, invocation, sessionId, index)
  const at = { frame: frameNumber(run), ts: run.lastTs }
  // Rows on disk report no branch: its id says whose it is.
  const parent = parentOf(builder, invokeid, sessionId)?.sessionId ?? null
  if (parent !== null) facts.branches = withBranch(facts.branches, { sessionId, parent, point: null }, at)
  facts.branches = withBegun(facts.branches, sessionId, at)
  return index
}

/** The end of the id that the agent gives to a branch of a session. */
const BRANCH = /^(.+)\/branch-(\d+)$/s
/** An id that the agent numbers: the stem that all siblings share, and the number. */
const NUMBERED = /^(|[A-Za-z]+|.*[^A-Za-z0-9])(\d{1,4})$/s

/** The agent's own number where it numbers the siblings, else the place among them; a branch adds to its parent's. */
function labelOf(builder: RunBuilder, invokeid: string | null, sessionId: string, siblings: readonly number[]): string {
  const { sessions } = builder.run
  const parent = parentOf(builder, invokeid, sessionId)
  if (parent !== null) return `${parent.label} · branch ${BRANCH.exec(sessionId)?.[2]}`
  const [, stem, number] = NUMBERED.exec(sessionId) ?? []
  const [, firstStem] = NUMBERED.exec(itemAt(sessions, siblings[0])?.sessionId ?? sessionId) ?? []
  return String(number !== undefined && stem === firstStem ? Number(number) : siblings.length + 1)
}

/** The session that a session is a branch of, by its id; null if there is none. */
function parentOf(builder: RunBuilder, invokeid: string | null, sessionId: string): Session | null {
  const parent = BRANCH.exec(sessionId)?.[1]
  if (parent === undefined) return null
  return itemAt(builder.run.sessions, builder.lookup().session(invokeid, parent)) ?? null
}

function makeInvocation({ epochIndex, run }: RunBuilder, invokeid: string | null): Invocation {
  const title = invokeid === null ? "(no invokeid)" : sanitizeLine(invokeid)
  return { id: groupId(epochIndex - run.disk.epochs, invokeid), epoch: epochIndex, invokeid, title, sessions: [] }
}

/** True while a reply is awaited or streams. */
export function isOpen(buffer: TurnBuffer | undefined): boolean {
  return buffer !== undefined && (buffer.turn.status === "waiting" || buffer.turn.status === "streaming")
}
