// Measures how a long recording is opened, and how soon any moment of it is shown, beside reading the file's bytes.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fold } from "../../src/store/fold.ts"
import { Kept } from "../../src/store/kept.ts"
import { emptyRun, frameNumber, type Run } from "../../src/store/run.ts"
import { FileTape } from "../../src/tape/file.ts"
import { Past } from "../../src/tape/past.ts"
import { decodeLine } from "../../src/wire/message.ts"
import { readLines } from "../../src/wire/reader.ts"
import { write } from "./generate.ts"

const FRAMES = Number(process.argv[2] ?? 1_000_000)
const SESSIONS = 256
const SEEKS = 200
/** Lines that a replay hands over at most in one go. */
const BATCH = 1000

const home = mkdtempSync(join(tmpdir(), "bench-time-"))
try {
  await measure(join(home, "run.jsonl"))
} finally {
  rmSync(home, { recursive: true })
}

async function measure(path: string): Promise<void> {
  const bytes = write(path, { frames: FRAMES, sessions: SESSIONS, seed: 20260314 })
  const read = time(() => readAll(path))
  const tape = new FileTape(path)
  const kept = new Kept(emptyRun)
  const past = new Past(tape, emptyRun, kept)
  const began = performance.now()
  let first = 0
  let run: Run = emptyRun
  for await (const { lines } of readLines(path)) {
    for (let from = 0; from < lines.length; from += BATCH) {
      run = fold(run, lines.slice(from, from + BATCH).map(decodeLine))
      tape.reach(run.frames.lines)
      past.keep(run)
      first ||= performance.now() - began
    }
  }
  const index = performance.now() - began
  Bun.gc(true)
  const rss = process.memoryUsage().rss
  const frames = Array.from({ length: SEEKS }, (_, i) => 1 + ((i * 7_919_777) % frameNumber(run)))
  const seeks = frames.map(frame => time(() => past.frame(frame))).sort((a, b) => a - b)
  const backs = frames.map(frame => {
    past.frame(frame)
    return time(() => past.frame(frame - 1))
  })
  tape.close()
  const row = (what: string, ms: number) => `| ${what} | ${ms.toFixed(1)} ms | ×${(ms / read).toPrecision(2)} |`
  const most = (list: readonly number[]) => Math.max(...list)
  const lines = [
    `${FRAMES.toLocaleString("en")} frames, ${Math.round(bytes / 1e6)} MB, ${SESSIONS} sessions, ${SEEKS} seeks`,
    "",
    "| what | time | to reading the bytes |",
    "|---|---|---|",
    row("reading the file's bytes", read),
    row("the first lines are folded", first),
    row("the whole file is indexed and folded", index),
    row("a seek, the median", seeks[SEEKS / 2] ?? 0),
    row("a seek, the worst", most(seeks)),
    row("one step back, the worst", most(backs)),
    "",
    `${kept.length} states kept, estimated ${Math.round(kept.weight / 1e6)} MB; RSS ${Math.round(rss / 1e6)} MB`,
    "",
  ]
  process.stdout.write(lines.join("\n"))
}

function readAll(path: string): void {
  const fd = openSync(path, "r")
  const chunk = Buffer.allocUnsafe(256 * 1024)
  while (readSync(fd, chunk) > 0) {
    // Only the reading is measured.
  }
  closeSync(fd)
}

function time(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
