// Packs the stages, replies and state entries of each turn of the run.
import type { Usage } from "../../../packages/wire/src/event-body.ts"
import { type ChunkedList, pushed, slice } from "../model/chunked-list.ts"
import { ACCOUNT_KEYS, type Account, noAccount } from "../model/ledger.ts"
import type { Mutable, Reply, Stage, StageKind } from "../model/session.ts"
import type { StateEntry } from "../model/visits.ts"
import { ColumnLayout, numbersOf, PackedItems, PackedValues } from "./packed-items.ts"
import type { PackedNumbers } from "./packed-numbers.ts"

/** Items in a chunk, and the most that are not packed: a chunk is packed once, when the next one begins. */
const CHUNK = 32
const NONE = -1

/** Appends one item. Costs one chunk at most. */
function grown<T, Columns>(list: ChunkedList<T>, item: T, layout: ColumnLayout<T, Columns>): ChunkedList<T> {
  return pushed(list, item, CHUNK, items => new PackedItems(layout, items))
}

/** The list as it was when it had `length` items. Costs one chunk. */
export function rewound<T>(list: ChunkedList<T>, length: number): ChunkedList<T> {
  if (length >= list.length) return list
  const chunks = Math.max(0, Math.ceil(length / CHUNK) - 1)
  const tail = slice(list, chunks * CHUNK, length)
  return { full: list.full.slice(0, chunks), starts: list.starts.slice(0, chunks), tail, length }
}

/** The list with one more stage; older ones are packed. */
export function withStage(stages: ChunkedList<Stage>, stage: Stage): ChunkedList<Stage> {
  return grown(stages, stage, stageLayout)
}

/** The list with one more reply; older ones are packed. */
export function withReply(replies: ChunkedList<Reply>, reply: Reply): ChunkedList<Reply> {
  return grown(replies, reply, replyLayout)
}

/** The list with one more entered state; older ones are packed. */
export function withStateEntry(entered: ChunkedList<StateEntry>, one: StateEntry): ChunkedList<StateEntry> {
  return grown(entered, one, stateEntryLayout)
}

const KINDS: readonly StageKind[] = [
  ...(["waiting", "first-token", "generation", "tool", "human", "failed", "over", "tool-failed"] as const),
]

export const stageLayout = new ColumnLayout(
  (stages: readonly Stage[]) => ({
    kinds: numbersOf(stages, ({ kind }) => KINDS.indexOf(kind)),
    times: numbersOf(stages, ({ ts }) => ts),
    turns: numbersOf(stages, ({ turn }) => turn),
  }),
  ({ kinds, times, turns }, index): Stage | undefined => {
    const kind = KINDS[kinds.get(index)]
    return kind && { kind, ts: times.get(index), turn: turns.get(index) }
  },
)

export const replyLayout = new ColumnLayout(
  (replies: readonly Reply[]) => {
    const counts = (kind: keyof Usage) => numbersOf(replies, ({ usage }) => usage[kind] ?? NONE)
    return {
      // Usually each turn has one, so the difference is constant.
      turns: numbersOf(replies, ({ turn }, i) => turn - i),
      models: new PackedValues(replies.map(({ model }) => model)),
      stopReasons: new PackedValues(replies.map(({ stopReason }) => stopReason)),
      failedTools: numbersOf(replies, ({ failedTools }) => failedTools),
      captured: numbersOf(replies, ({ captured }) => Number(captured)),
      usage: { input: counts("input"), output: counts("output"), cached: counts("cached") },
      accounts: ACCOUNT_KEYS.filter(key => replies.some(({ account }) => account[key] !== 0)).map(key => {
        return { key, amounts: numbersOf(replies, ({ account }) => account[key]) }
      }),
      parts: new PackedValues(replies.map(({ models }) => models)),
      states: new PackedValues(replies.map(({ state }) => state)),
      starts: numbersOf(replies, ({ startSeq }) => startSeq),
      systems: numbersOf(replies, ({ systemOrder }) => systemOrder),
      context: {
        first: numbersOf(replies, ({ context }) => context.first ?? NONE),
        latest: numbersOf(replies, ({ context }) => context.latest ?? NONE),
        cached: numbersOf(replies, ({ context }) => context.cached ?? NONE),
      },
      cuts: new PackedValues(replies.map(({ cut }) => cut)),
    }
  },
  (columns, index): Reply => {
    const { turns, models, stopReasons, failedTools, captured, usage, context, accounts, states, starts } = columns
    const count = (numbers: PackedNumbers) => (numbers.get(index) === NONE ? null : numbers.get(index))
    return {
      turn: turns.get(index) + index,
      model: models.get(index) ?? null,
      usage: { input: count(usage.input), output: count(usage.output), cached: count(usage.cached) },
      context: { first: count(context.first), latest: count(context.latest), cached: count(context.cached) },
      stopReason: stopReasons.get(index) ?? null,
      failedTools: failedTools.get(index),
      captured: captured.get(index) === 1,
      account: accountAt(accounts, index),
      models: columns.parts.get(index) ?? null,
      state: states.get(index) ?? null,
      startSeq: starts.get(index),
      systemOrder: columns.systems.get(index),
      cut: columns.cuts.get(index) ?? null,
    }
  },
)

/** A column of an account, of which only those that are not all 0 are kept. */
interface AccountColumn {
  readonly key: keyof Account
  readonly amounts: PackedNumbers
}

function accountAt(columns: readonly AccountColumn[], index: number): Account {
  const account: Mutable<Account> = { ...noAccount }
  for (const { key, amounts } of columns) account[key] = amounts.get(index)
  return account
}

export const stateEntryLayout = new ColumnLayout(
  (entered: readonly StateEntry[]) => ({
    ids: new PackedValues(
      entered.map(({ ids }) => ids),
      JSON.stringify,
    ),
    times: numbersOf(entered, ({ ts }) => ts),
  }),
  ({ ids: all, times }, index): StateEntry | undefined => {
    const ids = all.get(index)
    return ids && { ids, ts: times.get(index) }
  },
)
