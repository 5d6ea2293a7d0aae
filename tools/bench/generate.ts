// Generates recordings to measure with: the same bytes for the same options.
import { closeSync, openSync, writeSync } from "node:fs"

export interface Load {
  /** How many; Infinity where the bytes decide. */
  readonly frames: number
  /** Sessions that speak in turn, eight under each invokeid. */
  readonly sessions: number
  readonly seed: number
}

/** The part of the frames that are deltas; the others are starts, requests, responses and exits. */
const DELTAS = 0.96
/** Lines that are written to a file at once. */
const BATCH = 10_000
const SIBLINGS = 8
const START_TS = 1_780_000_000_000
const WORDS = ["tide", "ferry", "quay", "light", "the", "a", "of", "and", "slow", "keeps", "its", "under", "wind"]

/** The lines of the load, about 217 bytes each. */
export function generate(load: Load): string[] {
  return [...linesOf(load)]
}

/** Writes the load to a file, until all its frames or about so many bytes are in it; gives the bytes. Holds none of it. */
export function write(path: string, load: Load, mostBytes = Number.POSITIVE_INFINITY): number {
  const file = openSync(path, "w")
  let bytes = 0
  let batch: string[] = []
  const flush = () => {
    if (batch.length > 0) bytes += writeSync(file, `${batch.join("\n")}\n`)
    batch = []
  }
  for (const line of linesOf(load)) {
    batch.push(line)
    if (batch.length === BATCH) flush()
    if (bytes >= mostBytes) break
  }
  flush()
  closeSync(file)
  return bytes
}

/** The lines of the load, one by one. */
export function* linesOf({ frames, sessions, seed }: Load): Generator<string> {
  const chance = random(seed)
  yield row(1, "runner/started", { "session-id": ":session/bench", "chart-id": ":bench", "resume?": false })
  // The first frame of each session is none, so more of the others are.
  const deltas = DELTAS / (1 - sessions / frames)
  const steps = new Map<number, number>()
  for (let seq = 2; seq <= frames; seq++) {
    const session = Math.floor(chance() * sessions)
    const step = steps.get(session) ?? 0
    // A session must start before it speaks, however many there are.
    if (step > 0 && chance() < deltas) yield row(seq, "llm/delta", delta(session, chance))
    else {
      yield turn(seq, session, step)
      steps.set(session, step + 1)
    }
  }
}

function delta(session: number, chance: () => number): object {
  const word = WORDS[Math.floor(chance() * WORDS.length)] ?? ""
  return { type: "text-delta", text: `${word} `, model: "bench-model:27b-instruct", ...ids(session) }
}

/** What a session says beside its deltas, one after the other. */
function turn(seq: number, session: number, step: number): string {
  const at = { model: "bench-model:27b-instruct", ...ids(session) }
  const usage = { "input-tokens": 812, "output-tokens": 140 }
  const content = [{ type: "text", text: "The slow ferry keeps its light." }]
  switch (step % 4) {
    case 0:
      return row(seq, "llm/start", at)
    case 1:
      return row(seq, "llm/request", { ...at, "n-messages": 1, "user-blocks": [{ type: "text", text: "Go on." }] })
    case 2:
      return row(seq, "llm/response", { ...at, content, usage, "stop-reason": "end_turn", "output-tps": 48.2 })
    default:
      return row(seq, "llm/worker-exit", { ...ids(session), reason: "done" })
  }
}

function ids(session: number): { readonly invokeid: string; readonly "session-id": string } {
  const group = Math.floor(session / SIBLINGS)
  return { invokeid: `writer-${group}`, "session-id": `multiplex.writer-${group}.${session}.7f3a9c21-5b0e` }
}

function row(seq: number, event: string, data: object): string {
  return JSON.stringify({ kind: "event", seq, ts: START_TS + seq * 3, event, data })
}

/** Numbers in [0, 1) that are the same for the same seed. */
function random(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b)
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296
  }
}
