// Makes the blocks of a session from its entries, in the order shown: each result below its call.
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import type { Captured } from "../../packages/wire/src/capture.ts"
import { entryIdsFrom } from "../run/identity/find-by-id.ts"
import { at, type ChunkedList, emptyList, slice } from "../run/model/chunked-list.ts"
import type { EntryId } from "../run/model/id.ts"
import type { Entry } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import {
  CaptureClaims,
  groupByEvent,
  isOfSameEvent,
  isToldAgain,
  type Passage,
  passagesOf,
} from "../run/select/passages.ts"
import type { Glyphs } from "../ui/glyphs.ts"
import { LazyBody } from "./lazy-body.ts"
import { asideLines, type BlockHeading, passageBlocks } from "./passage-blocks.ts"
import { type Carded, CardList } from "./tool-card.ts"

export interface SessionBlock extends Carded, BlockHeading {
  readonly body: LazyBody
}

/** A change of any of these makes all blocks again. */
export interface Shape {
  readonly session: number
  readonly columns: number
  readonly strategy: ParserName
  readonly glyphs: Glyphs
}

/** The entries that one event made, and its capture. */
interface EntryGroup {
  readonly ids: readonly EntryId[]
  readonly entries: readonly Entry[]
  readonly captured: Captured | undefined
}

/** Columns left of every line that is no heading. */
export const INDENT = 2

/** A cache beside the state: makes blocks of new entries only, unless a session did more than grow. */
export class BlockList {
  entries: ChunkedList<Entry> = emptyList
  private shape: Shape | null = null
  private captures: Captures | null = null
  private made = new WeakMap<Entry, { readonly group: EntryGroup; readonly blocks: readonly SessionBlock[] }>()
  private readonly cards = new CardList<SessionBlock>()
  private claims = new CaptureClaims()
  /** The blocks whose texts are in memory, each with the index of its first entry, in order. */
  private held: { readonly index: number; readonly body: LazyBody }[] = []
  /** The first and the last entry whose blocks were left without their texts. */
  private dropped: readonly [first: number, last: number] | null = null

  get blocks(): readonly SessionBlock[] {
    return this.cards.blocks
  }

  /** The first result of the call at this place; null if it has none. */
  resultOf(call: number): SessionBlock | null {
    const next = this.blocks[call + 1]
    return next?.card === this.blocks[call]?.key ? (next ?? null) : null
  }

  /** Whether a block at this place follows a call: speech there needs no name. */
  isBelowCall(place: number): boolean {
    const { type } = this.blocks[place - 1] ?? {}
    return type === "tool-call" || type === "tool-result"
  }

  /** Takes the entries as they are now; returns the index of the first block that changed, null where none did. */
  take(entries: ChunkedList<Entry>, captures: Captures, shape: Shape): number | null {
    const isSame = this.shape !== null && isSameShape(shape, this.shape)
    if (!isSame) this.made = new WeakMap()
    const isGrown = isSame && captures === this.captures && this.isGrown(entries)
    let index = isGrown ? this.entries.length : 0
    if (isGrown) this.dropTexts(entries)
    if (isGrown && entries.length === index) {
      this.entries = entries
      return null
    }
    if (!isGrown) {
      this.held = []
      this.dropped = null
      this.cards.clear()
      this.claims = new CaptureClaims()
    }
    this.shape = shape
    this.entries = entries
    this.captures = captures
    let changed = this.blocks.length
    const ids = entryIdsFrom(entries, index)
    const first = index
    for (const group of groupByEvent(slice(entries, index, entries.length))) {
      const ref = group[0]?.ref ?? null
      const captured = this.claims.of(group, ref === null ? undefined : captures.get(ref))
      const own = ids.slice(index - first, index - first + group.length)
      for (const block of this.blocksMade({ ids: own, entries: group, captured }, shape)) {
        const before = this.blocks.at(-1)
        if (before !== undefined && isToldAgain(said(block), said(before))) continue
        if (group[0]?.evicted === undefined) this.held.push({ index, body: block.body })
        changed = Math.min(changed, this.cards.add(block))
      }
      index += group.length
    }
    return changed
  }

  /** Texts read back from disk replace entries, and a response those that streamed. */
  private isGrown(entries: ChunkedList<Entry>): boolean {
    const done = this.entries.length
    if (this.dropped?.some(index => at(entries, index)?.evicted === undefined)) return false
    const isSame = (index: number) => isSameEntry(at(entries, index), at(this.entries, index))
    return isSame(0) && isSame(done - 1) && !isOfSameEvent(at(entries, done - 1), at(entries, done))
  }

  /** Drops the texts of blocks whose entries have left memory since. Costs only those. */
  private dropTexts(entries: ChunkedList<Entry>): void {
    let count = 0
    for (const { index, body } of this.held) {
      if (at(entries, index)?.evicted === undefined) break
      body.dropText()
      const before = at(this.entries, index)
      if (before !== undefined) this.made.delete(before)
      this.dropped = [this.dropped?.[0] ?? index, index]
      count++
    }
    if (count > 0) this.held.splice(0, count)
  }

  private blocksMade(group: EntryGroup, shape: Shape): readonly SessionBlock[] {
    const [entry] = group.entries
    if (entry === undefined) return []
    const known = this.made.get(entry)
    if (known !== undefined && isSameGroup(known.group, group)) return known.blocks
    const blocks = blocksOf(group, shape)
    this.made.set(entry, { group, blocks })
    return blocks
  }
}

/** True for an entry whose text has left memory since, too. */
function isSameEntry(after: Entry | undefined, before: Entry | undefined): boolean {
  const left = after?.evicted === "unread" && after.line === before?.line && after.part === before.part
  return after === before || left
}

/** Whether blocks made for one shape do for the other. */
export function isSameShape(a: Shape, b: Shape): boolean {
  return (Object.keys(a) as (keyof Shape)[]).every(key => a[key] === b[key])
}

function said({ type, body }: SessionBlock): Pick<Passage, "type" | "text"> {
  return { type, text: body.text }
}

function isSameGroup(a: EntryGroup, b: EntryGroup): boolean {
  return a.ids[0] === b.ids[0] && a.ids.length === b.ids.length && a.captured === b.captured
}

function blocksOf({ ids, entries, captured }: EntryGroup, { columns, strategy }: Shape): readonly SessionBlock[] {
  const room = Math.max(1, columns - INDENT)
  return passagesOf(entries, captured).flatMap((passage, i) =>
    passageBlocks(passage, strategy).map((block, part) => {
      const { type, name, turn, callId } = passage
      const { label, aside, token, outcome } = block
      const body = new LazyBody(block, room, () => asideLines(block, columns, room))
      const key = blockKey(ids[0], i, part)
      const told = { ...(outcome !== undefined && { outcome }), ...(callId !== undefined && { callId }) }
      return { label, aside, token, key, card: key, type, name, turn, body, ...told }
    }),
  )
}

/** The key of a block of an entry, the first of them by the entry's id alone. */
function blockKey(id: EntryId | undefined, ...parts: readonly number[]): string {
  return parts.every(part => part === 0) ? `${id}` : [id, ...parts].join(".")
}
