// Makes a state thin, to be kept: what a later state of the same run has too it leaves to that one.

import {
  at,
  type Chunk,
  type ChunkedList,
  emptyList,
  isPacked,
  listOf,
  pushed,
  slice,
  truncated,
} from "../model/chunked-list.ts"
import type { Mutable } from "../model/mutable.ts"
import type { Run } from "../model/run.ts"
import type { Entry, Reply, Session } from "../model/session.ts"
import { entrySize } from "./pack-entries.ts"
import { allPacked } from "./pack-rows.ts"
import { rewound, withReply } from "./pack-turns.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** A state without the beginnings of lists that later states begin with too. */
export interface DeltaSnapshot {
  /**
   * Its sessions have only the entries of the reply under way and a reply that may be replaced; no stages, and no states
   * that were entered. Where memory lets go of frames, no row has one. The full chunks of its fingerprints stand beside it.
   */
  readonly run: Run
  readonly prints: readonly PackedNumbers[]
  /** How much the beginnings have: the states entered, then entries, replies and stages of each session. */
  readonly counts: Int32Array
}

/** The counts of a session. */
const EACH = 3

export function toDelta(run: Run): DeltaSnapshot {
  const counts = new Int32Array(1 + EACH * run.sessions.length)
  counts[0] = run.stateEntries.length
  for (const [i, session] of run.sessions.entries()) {
    counts.set([session.replyFrom, session.replies.length - openReplies(session), session.stages.length], 1 + EACH * i)
  }
  const rows = run.rowWindow === Number.POSITIVE_INFINITY ? run.log.rows : allPacked(run.log.rows, run)
  return {
    run: {
      ...run,
      epochs: withPrints(run, []),
      sessions: run.sessions.map(lightOf),
      stateEntries: emptyList,
      log: { ...run.log, rows },
    },
    prints: run.epochs.at(-1)?.seenHashes.list.full.map(numbersOf) ?? [],
    counts,
  }
}

/** The state again; `later` is the same one or a later one of the same run. */
export function fromDelta({ run, counts, prints }: DeltaSnapshot, later: Run): Run {
  const count = (index: number): number => counts[index] ?? 0
  const sessions = run.sessions.map((light, i) => {
    const known = later.sessions[i] ?? light
    const [entries, replies, stages] = [0, 1, 2].map(place => count(1 + EACH * i + place))
    const made: Mutable<Session> = { ...light }
    made.entries = light.entries.tail.reduce<ChunkedList<Entry>>(
      (list, one) => pushed(list, one),
      truncated(known.entries, entries ?? 0),
    )
    made.replies = light.replies.tail.reduce<ChunkedList<Reply>>(withReply, rewound(known.replies, replies ?? 0))
    made.stages = rewound(known.stages, stages ?? 0)
    made.heldUnits = heldIn(made)
    return made
  })
  const epochs = withPrints(
    run,
    prints.map(one => one.all()),
  )
  return { ...run, epochs, sessions, stateEntries: rewound(later.stateEntries, count(0)) }
}

/** The epochs with these full chunks of fingerprints: only the latest has any. */
function withPrints({ epochs }: Run, full: ChunkedList<number>["full"]): Run["epochs"] {
  return epochs.map((epoch, i) => {
    const { seenHashes: prints } = epoch
    return i < epochs.length - 1 ? epoch : { ...epoch, seenHashes: { ...prints, list: { ...prints.list, full } } }
  })
}

/** A cache beside the state: states that lie near each other share what they remember. */
const numbers = new WeakMap<Chunk<number>, PackedNumbers>()

function numbersOf(chunk: Chunk<number>): PackedNumbers {
  const known = numbers.get(chunk) ?? new PackedNumbers(listOf(chunk))
  numbers.set(chunk, known)
  return known
}

/** Of the latest turn's reply a later one may take the place. */
function openReplies({ replies, turns }: Session): number {
  return at(replies, replies.length - 1)?.turn === turns ? 1 : 0
}

/** A cache beside the state: a session that has not changed is made light once. */
const lights = new WeakMap<Session, Session>()

function lightOf(session: Session): Session {
  const known = lights.get(session)
  if (known !== undefined) return known
  const { entries, replies, replyFrom } = session
  const light = {
    ...session,
    entries: endOf(entries, replyFrom),
    replies: endOf(replies, replies.length - openReplies(session)),
    stages: emptyList,
    heldUnits: 0,
  }
  lights.set(session, light)
  return light
}

/** The items from `from` on, as a tail. */
function endOf<T>(list: ChunkedList<T>, from: number): ChunkedList<T> {
  const tail = slice(list, from, list.length)
  return tail.length === 0 ? emptyList : { ...emptyList, tail, length: tail.length }
}

function heldIn({ entries }: Session): number {
  let held = 0
  for (const chunk of [...entries.full, entries.tail]) {
    if (!isPacked(chunk)) for (const entry of chunk) held += entrySize(entry)
  }
  return held
}
