// Packs the transcript entries of a session without their texts, which can be read back from the frame log.
import { assembled, at, type ChunkedList, isPacked, type Packed, pushedAll, slice } from "../model/chunked-list.ts"
import type { Mutable } from "../model/mutable.ts"
import type { Run } from "../model/run.ts"
import type { Entry, Session } from "../model/session.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** Approximate UTF-16 units of session texts kept in memory (docs/trust.md), and the minimum for each session. */
export const TEXT_BUDGET = 4 * 1024 * 1024
const MIN_SHARE = 2048
/** Weight of an entry without its text, and the UTF-16 units of a name that are kept. */
const ENTRY = 200
const NAME_UNITS = 128

type Head = Pick<Entry, "type" | "name" | "isError" | "streamed">

const NO_TEXT: readonly string[] = []
/** Minimum number of entries in a packed chunk; a shorter last chunk is packed again with what follows. */
const CHUNK = 32

/** A chunk of entries without their texts, about ten bytes each. */
export class PackedEntries implements Packed<Entry> {
  readonly length: number
  private readonly turn: PackedNumbers
  private readonly line: PackedNumbers
  private readonly part: PackedNumbers
  /** Differences of an entry's line and order: mostly constant, so they pack well. */
  private readonly order: PackedNumbers
  private readonly heads: readonly Head[]
  private readonly head: PackedNumbers

  constructor(entries: readonly Entry[]) {
    this.length = entries.length
    this.turn = new PackedNumbers(entries.map(({ turn }) => turn))
    this.line = new PackedNumbers(entries.map(({ line }) => line))
    this.part = new PackedNumbers(entries.map(({ part }) => part))
    this.order = new PackedNumbers(entries.map(({ line, order }) => line - order))
    const heads = new Map<string, Head>()
    const names = entries.map(entry => {
      const name = entry.name?.slice(0, NAME_UNITS) ?? null
      const nameless = `${entry.type} ${entry.isError} ${entry.streamed}`
      const key = name === null ? nameless : `${nameless} =${name}`
      if (!heads.has(key)) heads.set(key, name === null ? sharedHead(nameless, entry) : headOf(entry, name))
      return key
    })
    const keys = [...heads.keys()]
    this.heads = [...heads.values()]
    this.head = new PackedNumbers(names.map(name => keys.indexOf(name)))
  }

  get(index: number): Entry | undefined {
    const head = index < this.length ? this.heads[this.head.get(index)] : undefined
    if (head === undefined) return undefined
    const line = this.line.get(index)
    return {
      ...head,
      text: NO_TEXT,
      turn: this.turn.get(index),
      ref: null,
      line,
      part: this.part.get(index),
      order: line - this.order.get(index),
      evicted: "unread",
    }
  }

  repack(entries: readonly Entry[]): PackedEntries {
    return new PackedEntries(entries)
  }
}

function headOf({ type, isError, streamed }: Entry, name: string | null): Head {
  return { type, name, isError, streamed }
}

/** Caches heads without a name, of which there are few and every chunk has some. */
const nameless = new Map<string, Head>()

function sharedHead(key: string, entry: Entry): Head {
  const head = nameless.get(key) ?? headOf(entry, null)
  nameless.set(key, head)
  return head
}

/** Weight of an entry in UTF-16 units. */
export function entrySize({ text }: Entry): number {
  return text.reduce((sum, one) => sum + one.length, ENTRY)
}

/** UTF-16 units that one session may keep in memory. */
export function textShare({ textBudget, sessions }: Pick<Run, "textBudget" | "sessions">): number {
  return Math.max(Math.min(textBudget, MIN_SHARE), textBudget / sessions.length)
}

/** Drops old texts if the share is exceeded. Half the share and the turn before the latest, on screen, stay. */
export function evictTexts(session: Mutable<Session>, share: number): void {
  if (session.heldUnits <= share) return
  const first = packedCount(session.entries)
  let kept = 0
  let end = session.replyFrom
  while (end > first) {
    const entry = at(session.entries, end - 1)
    const size = entry === undefined ? 0 : entrySize(entry)
    if (entry !== undefined && entry.turn < session.turns - 1 && kept + size > share / 2) break
    kept += size
    end--
  }
  if (end === first) return
  const { entries } = session
  session.entries = packedTo(entries, first, end)
  session.heldUnits = slice(entries, end, entries.length).reduce((sum, entry) => sum + entrySize(entry), 0)
}

/** Number of entries in packed chunks, which come before all others. */
export function packedCount({ full }: ChunkedList<Entry>): number {
  let end = 0
  for (const chunk of full) {
    if (!isPacked(chunk)) break
    end += chunk.length
  }
  return end
}

/** Packs the entries up to `end`, of which `first` are packed. A short last chunk is packed again with these. */
function packedTo(entries: ChunkedList<Entry>, first: number, end: number): ChunkedList<Entry> {
  const chunks = entries.full.filter(isPacked)
  const last = chunks.at(-1)
  const isShort = last !== undefined && last.length < CHUNK
  const begin = isShort ? first - last.length : first
  const full = [...(isShort ? chunks.slice(0, -1) : chunks), new PackedEntries(slice(entries, begin, end))]
  return pushedAll(assembled<Entry>([...full, []]), slice(entries, end, entries.length))
}
