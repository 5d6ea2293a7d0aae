// Joins the run with texts read back from the frame log for the sessions on the screen.
import { sessionIndex } from "../run/identity/find-by-id.ts"
import { type ChunkedList, isPacked, itemsOf, type Packed } from "../run/model/chunked-list.ts"
import { derived } from "../run/model/derived.ts"
import type { Run } from "../run/model/run.ts"
import type { Entry, Session } from "../run/model/session.ts"
import { readText, shownSession } from "./select/shown-session.ts"
import { type ForegroundState, foregroundOf, type State, type StoreState } from "./state.ts"

const SCREENFUL_UNITS = 64 * 1024

/** The entries of packed chunks, by chunk. */
export type RecalledTexts = ReadonlyMap<object, readonly Entry[]>

/** The sessions whose entries stand on the screen. */
function shownSessions(state: ForegroundState): readonly number[] {
  const { run, view } = state
  const compared = view.overlays.flatMap(one =>
    one.type === "turn-diff" ? [one.before, one.after].map(turn => sessionIndex(run, turn.session)) : [],
  )
  return [...new Set([shownSession(state), ...compared])].filter(index => index !== null)
}

/** The packed chunks of a session that were not read back, the latest first. */
export function unreadChunks({ run, recalledTexts }: StoreState, index: number): readonly Packed<Entry>[] {
  const packed = (run.sessions[index]?.entries.full ?? []).filter(isPacked)
  return packed.filter(chunk => !recalledTexts.has(chunk)).toReversed()
}

/** The sessions on the screen whose texts were not all read back yet. */
export function missingTexts(state: StoreState): readonly number[] {
  return shownSessions(foregroundOf(state)).filter(index => unreadChunks(state, index).length > 0)
}

/** The sessions of `missingTexts` but for one whose end is followed, if its texts in memory fill the screen. */
export function sessionsToRecall(state: State): readonly number[] {
  const { run, view, missingTexts } = state
  const front = view.overlays.at(-1)
  // The palette shows none of them, and is gone before a page that it leads to needs some.
  if (front !== undefined && front.type !== "palette") return missingTexts
  if (view.focus !== "text") return []
  const { first, at, find } = readText(state)
  if (first !== null || at !== null || find !== null) return missingTexts
  return missingTexts.filter(index => (run.sessions[index]?.heldUnits ?? 0) < SCREENFUL_UNITS)
}

/** The texts to hold once `fresh` was read back: only those on the screen. */
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

/** The run with the texts that were read back for the sessions on the screen. */
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

/** An equal part stays the same object until other texts are read back. */
const wholeSessions = derived<Session>()
const wholeEntries = derived<ChunkedList<Entry>>()
/** The entries of a packed chunk without its texts. */
const excerpts = derived<readonly Entry[]>()

function wholeSession(session: Session, texts: RecalledTexts): Session {
  const known = session.entries
  const entries = wholeEntries([known, texts], () => {
    const full = known.full.map((chunk, i) => {
      if (!isPacked(chunk)) return chunk
      return texts.get(chunk) ?? excerpts([chunk], () => itemsOf(known, i))
    })
    return { ...known, full }
  })
  return wholeSessions([session, texts], () => ({ ...session, entries }))
}
