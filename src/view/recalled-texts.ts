// Texts that memory had let go of, read back from the tape for the sessions that are looked at.

import { sessionIndex } from "../run/identity/find-by-id.ts"
import { type ChunkedList, isPacked, itemsOf, type Packed } from "../run/model/chunked-list.ts"
import type { Entry, Session } from "../run/model/session.ts"
import type { Effect } from "./effect.ts"
import { rowOf, sessionAt } from "./inspector.ts"
import { shownSession } from "./select/asker.ts"
import type { State } from "./state.ts"

/** The entries of packed chunks, by the ids of these. */
export type RecalledTexts = ReadonlyMap<object, readonly Entry[]>

/** The sessions whose entries stand on the screen. */
function shownSessions(state: State): readonly number[] {
  const { run, view } = state
  const { tab, session, sorted, row } = view.inspector
  const isInspected = view.overlays.some(({ type }) => type === "inspector")
  const inspected = !isInspected
    ? null
    : tab === "transcript"
      ? sessionIndex(run, session)
      : sessionAt(run, sorted, rowOf(run, sorted, row))
  const compared = view.overlays.flatMap(one =>
    one.type === "turn-diff" ? [one.before, one.after].map(turn => sessionIndex(run, turn.session)) : [],
  )
  return [...new Set([shownSession(state), inspected, ...compared])].filter(index => index !== null)
}

/** Those of them that are read, and not only seen to go on: they need all that they said. */
function readSessions(state: State): readonly number[] {
  const { focus, overlays } = state.view
  return focus === "text" || overlays.length > 0 ? shownSessions(state) : []
}

/** The packed chunks of a session that were not read back, the latest first. */
export function unreadChunks({ run, recalledTexts: reread }: State, index: number): readonly Packed<Entry>[] {
  const full = run.sessions[index]?.entries.full ?? []
  return full
    .filter(isPacked)
    .filter(({ id }) => !reread.has(id))
    .toReversed()
}

/** Has the texts read back that are to be read. */
export function wantTexts(before: State, after: State): readonly Effect[] {
  if (before.run.sessions === after.run.sessions && before.view === after.view) return []
  const sessions = readSessions(after).filter(index => unreadChunks(after, index).length > 0)
  return sessions.length === 0 ? [] : [{ type: "reread", sessions }]
}

/** The sessions on the screen of which texts are not there yet. */
export function unreadSessions(state: State): readonly number[] {
  return shownSessions(state).filter(index => isUnread(state, index))
}

/** True where texts that are to be read are not there yet. */
export function isRereading(state: State): boolean {
  return readSessions(state).some(index => isUnread(state, index))
}

function isUnread({ run, recalledTexts: reread }: State, index: number): boolean {
  const full = run.sessions[index]?.entries.full ?? []
  return full.some(chunk => (isPacked(chunk) ? !reread.has(chunk.id) : chunk[0]?.evicted === "unread"))
}

/** What is held once these were read back too: only what is on the screen. */
export function keepReread(state: State, fresh: RecalledTexts): RecalledTexts {
  const chunks = shownSessions(state).flatMap(index => (state.run.sessions[index]?.entries.full ?? []).filter(isPacked))
  return new Map(
    chunks.flatMap(({ id }): readonly [object, readonly Entry[]][] => {
      const entries = fresh.get(id) ?? state.recalledTexts.get(id)
      return entries === undefined ? [] : [[id, entries]]
    }),
  )
}

/** The state in which the sessions on the screen have their texts, as far as they were read back. What is drawn and decided is so on this one. */
export function withRecalledTexts(state: State): State {
  const { run, recalledTexts: reread } = state
  let sessions: Session[] | null = null
  for (const index of shownSessions(state)) {
    const session = run.sessions[index]
    const [first] = session?.entries.full ?? []
    if (session === undefined || first === undefined || !isPacked(first)) continue
    sessions ??= run.sessions.slice()
    sessions[index] = wholeSession(session, reread)
  }
  return sessions === null ? state : { ...state, run: { ...run, sessions } }
}

/** Caches beside the state, so that what is the same stays the same: the entries of a packed chunk, and a session. */
const unread = new WeakMap<object, readonly Entry[]>()
const whole = new WeakMap<Session, { readonly reread: RecalledTexts; readonly session: Session }>()

function wholeSession(session: Session, reread: RecalledTexts): Session {
  const known = whole.get(session)
  if (known?.reread === reread) return known.session
  const made = { ...session, entries: wholeEntries(session.entries, reread) }
  whole.set(session, { reread, session: made })
  return made
}

const entriesKnown = new WeakMap<
  ChunkedList<Entry>,
  { readonly reread: RecalledTexts; readonly entries: ChunkedList<Entry> }
>()

function wholeEntries(entries: ChunkedList<Entry>, reread: RecalledTexts): ChunkedList<Entry> {
  const known = entriesKnown.get(entries)
  if (known?.reread === reread) return known.entries
  const full = entries.full.map((chunk, i) => {
    if (!isPacked(chunk)) return chunk
    const told = reread.get(chunk.id) ?? unread.get(chunk.id) ?? itemsOf(entries, i)
    if (!reread.has(chunk.id)) unread.set(chunk.id, told)
    return told
  })
  const made = { ...entries, full }
  entriesKnown.set(entries, { reread, entries: made })
  return made
}
