// Shrinks a run to a snapshot of the parts that later states of the same run don't share with it.
import {
  at,
  type Chunk,
  type ChunkedList,
  emptyList,
  listOf,
  pushedAll,
  replaceAt,
  slice,
  truncated,
} from "../model/chunked-list.ts"
import { derived } from "../model/derived.ts"
import type { Row, Run } from "../model/run.ts"
import type { Mutable, Reply, Session } from "../model/session.ts"
import { unitsHeld, withoutTexts } from "./pack-entries.ts"
import { allPacked } from "./pack-rows.ts"
import { rewound, withReply } from "./pack-turns.ts"
import { PackedNumbers } from "./packed-numbers.ts"

/** A run without the beginnings of lists that later states also begin with. */
export interface DeltaSnapshot {
  /** Sessions without stages and early entries; no state entries, and no frames if memory drops them. */
  readonly run: Run
  readonly hashes: readonly PackedNumbers[]
  /** Lengths of omitted beginnings: state entries, people's stages, then each session's entries, replies and stages. */
  readonly counts: Int32Array
}

const COUNTS_OF_RUN = 2
const COUNTS_PER_SESSION = 3

/** The run without the parts that its lines hold: texts of earlier replies, and frames. */
export function withoutLines(run: Run): Run {
  const sessions = run.options.textBudget === Infinity ? run.sessions : run.sessions.map(withoutTexts)
  return { ...run, sessions, log: { ...run.log, rows: rowsWithoutFrames(run) } }
}

function rowsWithoutFrames(run: Run): ChunkedList<Row> {
  return run.options.rowWindow === Infinity ? run.log.rows : allPacked(run.log.rows, run)
}

/** A state without the parts that the later one repeats. */
export function toDelta(run: Run): DeltaSnapshot {
  const counts = new Int32Array(COUNTS_OF_RUN + COUNTS_PER_SESSION * run.sessions.length)
  counts[0] = run.facts.stateEntries.length
  counts[1] = run.facts.personStages.length
  for (const [i, session] of run.sessions.entries()) {
    const { replyFrom, replies, stages } = session
    counts.set(
      [replyFrom, replies.length - replaceableReplies(session), stages.length],
      COUNTS_OF_RUN + COUNTS_PER_SESSION * i,
    )
  }
  const rows = rowsWithoutFrames(run)
  const sessions = run.sessions.map(lightSession)
  const hashes = run.epochs.at(-1)?.seenHashes.list.full.map(packedNumbersOf) ?? []
  const facts = { ...run.facts, stateEntries: emptyList, personStages: emptyList }
  const light = { ...run, facts, epochs: withHashes(run, []), sessions, log: { ...run.log, rows } }
  return { run: light, hashes, counts }
}

/** Restores the run; `later` must be the same or a later state of the same run. */
export function fromDelta({ run, counts, hashes }: DeltaSnapshot, later: Run): Run {
  const count = (index: number): number => counts[index] ?? 0
  const sessions = run.sessions.map((light, i) => {
    const full = later.sessions[i] ?? light
    const [entries, replies, stages] = [0, 1, 2].map(place => count(COUNTS_OF_RUN + COUNTS_PER_SESSION * i + place))
    const session: Mutable<Session> = { ...light }
    session.entries = pushedAll(truncated(full.entries, entries ?? 0), light.entries.tail)
    session.replies = light.replies.tail.reduce<ChunkedList<Reply>>(withReply, repliesBefore(full, light, replies ?? 0))
    session.stages = rewound(full.stages, stages ?? 0)
    session.heldUnits = unitsHeld(session.entries)
    return session
  })
  const full = hashes.map(one => one.all())
  const facts = {
    ...run.facts,
    stateEntries: rewound(later.facts.stateEntries, count(0)),
    personStages: rewound(later.facts.personStages, count(1)),
  }
  return { ...run, facts, epochs: withHashes(run, full), sessions }
}

/** The first replies of a session before late events corrected them. */
function repliesBefore({ replies, corrected }: Session, then: Session, length: number): ChunkedList<Reply> {
  let before = rewound(replies, length)
  for (let i = corrected.length - 1; i >= then.corrected.length; i--) {
    const one = at(corrected, i)
    if (one !== undefined && one.place < length) before = replaceAt(before, one.place, one.was)
  }
  return before
}

/** The epochs with these full chunks of hashes; only the latest epoch has any. */
function withHashes({ epochs }: Run, full: ChunkedList<number>["full"]): Run["epochs"] {
  return epochs.map((epoch, i) => {
    const { seenHashes: hashes } = epoch
    return i < epochs.length - 1 ? epoch : { ...epoch, seenHashes: { ...hashes, list: { ...hashes.list, full } } }
  })
}

/** Neighbouring snapshots share packed hashes. */
const packedHashes = derived<PackedNumbers>()

function packedNumbersOf(chunk: Chunk<number>): PackedNumbers {
  return packedHashes([chunk], () => new PackedNumbers(listOf(chunk)))
}

/** 1 if the latest turn's reply may still be replaced, else 0. */
function replaceableReplies({ replies, turns }: Session): number {
  return at(replies, replies.length - 1)?.turn === turns ? 1 : 0
}

/** An unchanged session is reduced once. */
const lightSessions = derived<Session>()

function lightSession(session: Session): Session {
  return lightSessions([session], () => {
    const { entries, replies, replyFrom } = session
    const lastReplies = endOf(replies, replies.length - replaceableReplies(session))
    return { ...session, entries: endOf(entries, replyFrom), replies: lastReplies, stages: emptyList, heldUnits: 0 }
  })
}

function endOf<T>(list: ChunkedList<T>, from: number): ChunkedList<T> {
  const tail = slice(list, from, list.length)
  return tail.length === 0 ? emptyList : { ...emptyList, tail, length: tail.length }
}
