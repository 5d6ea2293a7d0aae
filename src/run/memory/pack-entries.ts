// Packs the entries of a session whose texts memory lets go of: what is known of them without stands in columns of numbers.

import { at, type ChunkedList, isPacked, type Packed, pushed, slice } from "../model/chunked-list.ts"
import type { Mutable } from "../model/mutable.ts"
import type { Run } from "../model/run.ts"
import type { Entry, Session } from "../model/session.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** UTF-16 units of texts that the screen has in memory, about (docs/trust.md), and at least of each session. */
export const TEXT_BUDGET = 4 * 1024 * 1024
const LEAST = 2048
/** What an entry weighs beside its text, and UTF-16 units of a name that are kept. */
const ENTRY = 200
const NAME_UNITS = 128

/** What many entries have in common. */
type Head = Pick<Entry, "type" | "name" | "isError" | "streamed">

const NO_TEXT: readonly string[] = []
/** Entries that are packed together, at least; what was read back of fewer is read again. */
const CHUNK = 32

/** A chunk of entries without their texts: some ten bytes for each. */
export class PackedEntries implements Packed<Entry> {
  readonly length: number
  private readonly turn: PackedNumbers
  private readonly line: PackedNumbers
  private readonly part: PackedNumbers
  private readonly heads: readonly Head[]
  private readonly head: PackedNumbers

  constructor(entries: readonly Entry[]) {
    this.length = entries.length
    this.turn = new PackedNumbers(entries.map(({ turn }) => turn))
    this.line = new PackedNumbers(entries.map(({ line }) => line))
    this.part = new PackedNumbers(entries.map(({ part }) => part))
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

  get id(): object {
    return this
  }

  get(index: number): Entry | undefined {
    const head = index < this.length ? this.heads[this.head.get(index)] : undefined
    if (head === undefined) return undefined
    const [turn, line, part] = [this.turn, this.line, this.part].map(numbers => numbers.get(index))
    return { ...head, text: NO_TEXT, turn: turn ?? 0, ref: null, line: line ?? 0, part: part ?? 0, evicted: "unread" }
  }

  repack(entries: readonly Entry[]): PackedEntries {
    return new PackedEntries(entries)
  }
}

function headOf({ type, isError, streamed }: Entry, name: string | null): Head {
  return { type, name, isError, streamed }
}

/** A cache beside the state: there are few heads without a name, and each chunk has some. */
const nameless = new Map<string, Head>()

function sharedHead(key: string, entry: Entry): Head {
  const head = nameless.get(key) ?? headOf(entry, null)
  nameless.set(key, head)
  return head
}

/** What an entry weighs, UTF-16 units. */
export function entrySize({ text }: Entry): number {
  return text.reduce((sum, one) => sum + one.length, ENTRY)
}

/** What one session may have in memory of the texts that it said before. */
export function textShare({ textBudget: texts, sessions }: Pick<Run, "textBudget" | "sessions">): number {
  return Math.max(Math.min(texts, LEAST), texts / sessions.length)
}

/**
 * Lets go of the texts of earlier turns where the session has more than its share. The latest half of it stays, and the
 * turn before the latest, which is still on the screen when that begins.
 */
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

/** How many entries stand in packed chunks: all of these come first. */
export function packedCount({ full }: ChunkedList<Entry>): number {
  let end = 0
  for (const chunk of full) {
    if (!isPacked(chunk)) break
    end += chunk.length
  }
  return end
}

/** A last chunk that is short is packed anew with what follows it. */
function packedTo(entries: ChunkedList<Entry>, first: number, end: number): ChunkedList<Entry> {
  const chunks = entries.full.filter(isPacked)
  const last = chunks.at(-1)
  const isShort = last !== undefined && last.length < CHUNK
  const begin = isShort ? first - last.length : first
  const full = [...(isShort ? chunks.slice(0, -1) : chunks), new PackedEntries(slice(entries, begin, end))]
  let length = 0
  const starts = full.map(chunk => {
    length += chunk.length
    return length - chunk.length
  })
  return slice(entries, end, entries.length).reduce<ChunkedList<Entry>>((list, one) => pushed(list, one), {
    full,
    starts,
    tail: [],
    length,
  })
}
