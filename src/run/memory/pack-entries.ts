// Packs the transcript entries of a session without their texts, which can be read back from the frame log.
import { at, type ChunkedList, pushedAll, slice, startOf } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import type { Entry, Mutable, Session } from "../model/session.ts"
import { firstUnpacked } from "./pack-rows.ts"
import { ColumnLayout, numbersOf, PackedItems, PackedValues } from "./packed-items.ts"

/** Approximate UTF-16 units of session texts kept in memory (docs/trust.md), and the minimum for each session. */
export const TEXT_BUDGET = 4 * 1024 * 1024
const MIN_SHARE = 2048
/** UTF-16 units at which a turn drops texts before it ends. Half of them stay, so that this costs a reply little. */
export const TURN_BUDGET = 2 * TEXT_BUDGET
/** Weight of an entry without its text, and the UTF-16 units of a name that are kept. */
const ENTRY = 200
const NAME_UNITS = 128

type Head = Pick<Entry, "type" | "name" | "isError" | "streamed">

const NO_TEXT: readonly string[] = []
/** Minimum number of entries in a packed chunk; a shorter last chunk is packed again with the next entries. */
const CHUNK = 32

/** Entries without their texts, about ten bytes each. */
export const entryLayout = new ColumnLayout(
  (entries: readonly Entry[]) => ({
    heads: new PackedValues(entries.map(headOf), keyOf),
    turns: numbersOf(entries, ({ turn }) => turn),
    lines: numbersOf(entries, ({ line }) => line),
    parts: numbersOf(entries, ({ part }) => part),
    // Differences of an entry's line and order: mostly constant, so they pack well.
    orders: numbersOf(entries, ({ line, order }) => line - order),
  }),
  ({ heads, turns, lines, parts, orders }, index): Entry | undefined => {
    const head = heads.get(index)
    const line = lines.get(index)
    const [turn, part, order] = [turns.get(index), parts.get(index), line - orders.get(index)]
    return head && { ...head, text: NO_TEXT, turn, ref: null, line, part, order, evicted: "unread" }
  },
)

function headOf({ type, name, isError, streamed }: Entry): Head {
  const head = { type, name: name?.slice(0, NAME_UNITS) ?? null, isError, streamed }
  if (name !== null) return head
  const shared = nameless.get(keyOf(head)) ?? head
  nameless.set(keyOf(head), shared)
  return shared
}

function keyOf({ type, name, isError, streamed }: Head): string {
  return `${type} ${isError} ${streamed}${name === null ? "" : ` =${name}`}`
}

/** Caches heads without a name, of which there are few and every chunk has some. */
const nameless = new Map<string, Head>()

/** Weight of an entry in UTF-16 units. */
export function entrySize({ text }: Entry): number {
  return text.reduce((sum, one) => sum + one.length, ENTRY)
}

/** UTF-16 units that one session may keep in memory. */
export function textShare({ options: { textBudget }, sessions }: Pick<Run, "options" | "sessions">): number {
  return Math.max(Math.min(textBudget, MIN_SHARE), textBudget / sessions.length)
}

/**
 * Drops old texts if the share is exceeded. Half the share stays, and of the latest two turns, which are on the screen,
 * as much as all sessions have together.
 */
export function evictTexts(session: Mutable<Session>, share: number): void {
  if (session.heldUnits <= share) return
  const first = packedCount(session.entries)
  let kept = 0
  let end = session.replyFrom
  while (end > first) {
    const entry = at(session.entries, end - 1)
    const size = entry === undefined ? 0 : entrySize(entry)
    const most = entry !== undefined && entry.turn < session.turns - 1 ? share / 2 : TEXT_BUDGET
    if (kept + size > most) break
    kept += size
    end--
  }
  if (end === first) return
  const { entries } = session
  session.entries = packedTo(entries, end)
  session.heldUnits = unitsHeld(session.entries)
}

/** The session without the texts of the replies before the latest. */
export function withoutTexts(session: Session): Session {
  const { entries, replyFrom } = session
  const packed = packedTo(entries, replyFrom)
  return { ...session, entries: packed, heldUnits: unitsHeld(packed) }
}

/** The weight of the entries whose texts are in memory, UTF-16 units. */
export function unitsHeld(entries: ChunkedList<Entry>): number {
  return slice(entries, packedCount(entries), entries.length).reduce((sum, entry) => sum + entrySize(entry), 0)
}

/** Number of entries in packed chunks, which come before all others. */
export function packedCount(entries: ChunkedList<Entry>): number {
  return startOf(entries, firstUnpacked(entries))
}

/** Packs the entries up to `end`. A short last chunk is packed again with these. */
function packedTo(entries: ChunkedList<Entry>, end: number): ChunkedList<Entry> {
  const count = firstUnpacked(entries)
  const last = entries.full[count - 1]
  const kept = last !== undefined && last.length < CHUNK ? count - 1 : count
  const begin = startOf(entries, kept)
  const full = [...entries.full.slice(0, kept), new PackedItems(entryLayout, slice(entries, begin, end))]
  const packed = { full, starts: [...entries.starts.slice(0, kept), begin], tail: [], length: end }
  return pushedAll<Entry>(packed, slice(entries, end, entries.length))
}
