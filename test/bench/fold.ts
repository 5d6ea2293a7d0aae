// Measures decoding and folding beside `JSON.parse` of the same lines, in one process and in turn.
import { decode } from "../../src/protocol/decode.ts"
import type { Decoded } from "../../src/protocol/frame.ts"
import { fold } from "../../src/store/fold.ts"
import { emptyRun, type Run } from "../../src/store/run.ts"
import { generate } from "./generate.ts"

const FRAMES = 100_000
const SESSIONS = [8, 256, 2048]
/** Frames folded at once: a busy 16 ms. */
const BATCH = 200
/** Each thousandth frame's state is kept, as a replay that seeks would. */
const KEEP_EVERY = 1000
const ROUNDS = 12

/** Ms of one pass of each kind. */
interface Pass {
  readonly parse: number
  readonly decode: number
  readonly fold: number
}

function pass(lines: readonly string[]): Pass {
  return {
    parse: time(() => {
      for (const line of lines) JSON.parse(line)
    }),
    decode: time(() => {
      for (const line of lines) decode(line)
    }),
    fold: time(() => void foldAll(lines)),
  }
}

function foldAll(lines: readonly string[]): readonly Run[] {
  const kept: Run[] = []
  let run = emptyRun
  for (let from = 0; from < lines.length; from += BATCH) {
    const batch: Decoded[] = []
    for (let i = from; i < Math.min(from + BATCH, lines.length); i++) batch.push(decode(lines[i] ?? ""))
    run = fold(run, batch)
    if ((from + BATCH) % KEEP_EVERY === 0) kept.push(run)
  }
  return kept
}

function time(work: () => void): number {
  Bun.gc(true)
  const start = performance.now()
  work()
  return performance.now() - start
}

function rowOf(sessions: number): string {
  const lines = generate({ frames: FRAMES, sessions, seed: 20260314 })
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0) / lines.length
  const deltas = lines.filter(line => line.includes('"llm/delta"')).length / lines.length
  const passes = Array.from({ length: ROUNDS }, () => pass(lines))
  // The best of many is what the work costs; the rest is what else the machine did.
  const best = (of: keyof Pass) => Math.min(...passes.map(one => one[of]))
  const parse = best("parse")
  const ratio = (of: keyof Pass) => `×${(best(of) / parse).toFixed(2)}`
  const facts = [`${Math.round(bytes)} bytes`, `${(deltas * 100).toFixed(1)} %`]
  const perFrame = `${((parse * 1000) / FRAMES).toFixed(2)} µs`
  return `| ${[sessions.toLocaleString("en"), ...facts, perFrame, ratio("decode"), ratio("fold")].join(" | ")} |`
}

process.stdout.write(
  [
    `${FRAMES.toLocaleString("en")} frames, batches of ${BATCH}, the best of ${ROUNDS} rounds, one state in ${KEEP_EVERY} kept`,
    "",
    "| sessions | a frame | deltas | JSON.parse | decode | decode + fold |",
    "|---|---|---|---|---|---|",
    "",
  ].join("\n"),
)
for (const sessions of SESSIONS) process.stdout.write(`${rowOf(sessions)}\n`)
