// Packs what is kept of each turn for the whole run: stages, replies and state entries.
import { type ChunkedList, isPacked, listOf, type Packed, pushed, SHORT, slice } from "../model/chunked-list.ts"
import type { Reply, Stage, StageKind } from "../model/session.ts"
import type { StateEntry } from "../model/visits.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** Items in a chunk. The last chunk is packed again until it has this many, since each chunk has a fixed cost. */
const CHUNK = 64
/** Stands for null among counts. */
const NONE = -1

type Pack<T> = (items: readonly T[]) => Packed<T>
const packStages: Pack<Stage> = items => new PackedStages(items)
const packReplies: Pack<Reply> = items => new PackedReplies(items)
const packStateEntries: Pack<StateEntry> = items => new PackedStateEntries(items)

/** Appends one item. Costs one chunk at most. */
function grown<T>(list: ChunkedList<T>, item: T, pack: Pack<T>): ChunkedList<T> {
  const { full, starts, tail, length } = list
  const last = full.at(-1)
  if (tail.length < SHORT || last === undefined || last.length === CHUNK) return pushed(list, item, pack)
  return { full: [...full.slice(0, -1), pack([...listOf(last), ...tail])], starts, tail: [item], length: length + 1 }
}

/** The list as it was when it had `length` items. Costs the tail, or one chunk if it goes back beyond the tail. */
export function rewound<T>(list: ChunkedList<T>, length: number): ChunkedList<T> {
  if (length >= list.length) return list
  const before = list.length - list.tail.length
  if (length > before) return { ...list, tail: list.tail.slice(0, length - before), length }
  const settled = SHORT * Math.max(0, Math.ceil(length / SHORT) - 1)
  const begin = settled - (settled % CHUNK)
  const full = list.full.slice(0, begin / CHUNK)
  const last = list.full[full.length]
  if (last !== undefined && settled > begin) {
    const items = slice(list, begin, settled)
    full.push(isPacked(last) ? last.repack(items) : items)
  }
  return { full, starts: full.map((_, i) => i * CHUNK), tail: slice(list, settled, length), length }
}

export function withStage(stages: ChunkedList<Stage>, stage: Stage): ChunkedList<Stage> {
  return grown(stages, stage, packStages)
}

export function withReply(replies: ChunkedList<Reply>, reply: Reply): ChunkedList<Reply> {
  return grown(replies, reply, packReplies)
}

export function withStateEntry(entered: ChunkedList<StateEntry>, one: StateEntry): ChunkedList<StateEntry> {
  return grown(entered, one, packStateEntries)
}

const KINDS: readonly StageKind[] = ["waiting", "first-token", "generation", "tool", "human", "failed", "over"]

class PackedStages implements Packed<Stage> {
  readonly length: number
  private readonly kind: PackedNumbers
  private readonly ts: PackedNumbers
  private readonly turn: PackedNumbers

  constructor(stages: readonly Stage[]) {
    this.length = stages.length
    this.kind = new PackedNumbers(stages.map(({ kind }) => KINDS.indexOf(kind)))
    this.ts = new PackedNumbers(stages.map(({ ts }) => ts))
    this.turn = new PackedNumbers(stages.map(({ turn }) => turn))
  }

  get(index: number): Stage | undefined {
    const kind = index < this.length ? KINDS[this.kind.get(index)] : undefined
    return kind && { kind, ts: this.ts.get(index), turn: this.turn.get(index) }
  }

  repack(stages: readonly Stage[]): PackedStages {
    return new PackedStages(stages)
  }
}

class PackedReplies implements Packed<Reply> {
  readonly length: number
  private readonly turn: PackedNumbers
  private readonly models: readonly (string | null)[]
  private readonly model: PackedNumbers
  private readonly stopReasons: readonly (string | null)[]
  private readonly stopReason: PackedNumbers
  private readonly failedTools: PackedNumbers
  private readonly captured: PackedNumbers
  private readonly usage: { readonly [kind in keyof Reply["usage"]]: PackedNumbers }

  constructor(replies: readonly Reply[]) {
    const counts = (kind: keyof Reply["usage"]) => new PackedNumbers(replies.map(({ usage }) => usage[kind] ?? NONE))
    this.length = replies.length
    // Usually each turn has one, so the difference is constant.
    this.turn = new PackedNumbers(replies.map(({ turn }, i) => turn - i))
    this.models = [...new Set(replies.map(({ model }) => model))]
    this.model = new PackedNumbers(replies.map(({ model }) => this.models.indexOf(model)))
    this.stopReasons = [...new Set(replies.map(({ stopReason }) => stopReason))]
    this.stopReason = new PackedNumbers(replies.map(({ stopReason }) => this.stopReasons.indexOf(stopReason)))
    this.failedTools = new PackedNumbers(replies.map(({ failedTools }) => failedTools))
    this.captured = new PackedNumbers(replies.map(({ captured }) => (captured ? 1 : 0)))
    this.usage = { input: counts("input"), output: counts("output"), cached: counts("cached") }
  }

  get(index: number): Reply | undefined {
    if (index >= this.length) return undefined
    const { input, output, cached } = this.usage
    const count = (numbers: PackedNumbers) => (numbers.get(index) === NONE ? null : numbers.get(index))
    const usage = { input: count(input), output: count(output), cached: count(cached) }
    return {
      turn: this.turn.get(index) + index,
      model: this.models[this.model.get(index)] ?? null,
      usage,
      stopReason: this.stopReasons[this.stopReason.get(index)] ?? null,
      failedTools: this.failedTools.get(index),
      captured: this.captured.get(index) === 1,
    }
  }

  repack(replies: readonly Reply[]): PackedReplies {
    return new PackedReplies(replies)
  }
}

class PackedStateEntries implements Packed<StateEntry> {
  readonly length: number
  private readonly all: readonly (readonly string[])[]
  private readonly ids: PackedNumbers
  private readonly ts: PackedNumbers

  constructor(entered: readonly StateEntry[]) {
    this.length = entered.length
    const all = new Map(entered.map(({ ids }) => [JSON.stringify(ids), ids]))
    const keys = [...all.keys()]
    this.all = [...all.values()]
    this.ids = new PackedNumbers(entered.map(({ ids }) => keys.indexOf(JSON.stringify(ids))))
    this.ts = new PackedNumbers(entered.map(({ ts }) => ts))
  }

  get(index: number): StateEntry | undefined {
    const ids = index < this.length ? this.all[this.ids.get(index)] : undefined
    return ids && { ids, ts: this.ts.get(index) }
  }

  repack(entered: readonly StateEntry[]): PackedStateEntries {
    return new PackedStateEntries(entered)
  }
}
