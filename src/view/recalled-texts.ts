// Texts that memory had let go of, read back from the frame log for the sessions that are looked at.
import { sessionIndex } from "../run/identity/find-by-id.ts"
import { type ChunkedList, isPacked, itemsOf, type Packed } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import type { Entry, Session } from "../run/model/session.ts"
import { rowOf, sessionAt } from "./inspector.ts"
import { shownSession } from "./select/asker.ts"
import { type ForegroundState, foregroundOf, type State, type StoreState } from "./state.ts"

/** The entries of packed chunks, by the ids of these. */
export type RecalledTexts = ReadonlyMap<object, readonly Entry[]>

/** The sessions whose entries stand on the screen. */
function shownSessions(state: ForegroundState): readonly number[] {
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

/** The packed chunks of a session that were not read back, the latest first. */
export function unreadChunks({ run, recalledTexts }: StoreState, index: number): readonly Packed<Entry>[] {
  const full = run.sessions[index]?.entries.full ?? []
  return full
    .filter(isPacked)
    .filter(chunk => !recalledTexts.has(chunk))
    .toReversed()
}

/** The sessions on the screen of which texts were not read back yet. */
export function missingTexts(state: StoreState): readonly number[] {
  return shownSessions(foregroundOf(state)).filter(index => unreadChunks(state, index).length > 0)
}

/** Those of them that are read, and not only watched: they need everything they said. */
export function sessionsToRecall({ view, missingTexts }: State): readonly number[] {
  return view.focus === "text" || view.overlays.length > 0 ? missingTexts : []
}

/** What is held once `fresh` was read back too: only what is on the screen. */
export function keepRecalledTexts(state: StoreState, fresh: RecalledTexts): RecalledTexts {
  const shown = shownSessions(foregroundOf(state))
  const chunks = shown.flatMap(index => (state.run.sessions[index]?.entries.full ?? []).filter(isPacked))
  return new Map(
    chunks.flatMap((chunk): readonly [object, readonly Entry[]][] => {
      const entries = fresh.get(chunk) ?? state.recalledTexts.get(chunk)
      return entries === undefined ? [] : [[chunk, entries]]
    }),
  )
}

/** The run in which the sessions on the screen have their texts, as far as they were read back. */
export function runWithTexts(state: StoreState): Run {
  const { run, recalledTexts } = state
  let sessions: Session[] | null = null
  for (const index of shownSessions(foregroundOf(state))) {
    const session = run.sessions[index]
    const [first] = session?.entries.full ?? []
    if (session === undefined || first === undefined || !isPacked(first)) continue
    sessions ??= run.sessions.slice()
    sessions[index] = wholeSession(session, recalledTexts)
  }
  return sessions === null ? run : { ...run, sessions }
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
    const told = reread.get(chunk) ?? unread.get(chunk) ?? itemsOf(entries, i)
    if (!reread.has(chunk)) unread.set(chunk, told)
    return told
  })
  const made = { ...entries, full }
  entriesKnown.set(entries, { reread, entries: made })
  return made
}
