// Measures the search of a recording of a gigabyte for a rare word: until the first match, and until all that stand in
// single lines, beside `grep` in the same run; until all there are, and until a condition for a word is known to hold
// nowhere, beside parsing its lines.
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import type { Filter } from "../../src/query/filter/filter.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { quickSearch } from "../../src/search/quick-search.ts"
import { TextFinder } from "../../src/search/search-hit.ts"
import { searchRecording } from "../../src/search/search-run.ts"
import { findCondition } from "../../src/timeline/find-condition.ts"
import { Past } from "../../src/timeline/past.ts"
import { RecordingLog } from "../../src/timeline/recording-log.ts"
import { resultOf } from "../../src/timeline/steps.ts"
import { bin, installed, mostMegabytes, processorMs } from "./process.ts"
import { report, rounded } from "./results.ts"

const BYTES = 1_000_000_000
const WORD = "kettle"
/** The word stands in one reply in so many bytes, first within the first 50 MB. */
const APART = 40_000_000
/** So many of its bytes are searched by a peer that takes long. */
const PART = 50_000_000

const home = mkdtempSync(join(tmpdir(), "bench-search-"))
try {
  const recording = join(home, "run.jsonl")
  write(recording)
  const grep = processorMs(["grep", "-ci", WORD, recording])
  const part = join(home, "part.jsonl")
  // `Bun.write` copies the whole file for a part of one.
  await Bun.write(part, await Bun.file(recording).slice(0, PART).bytes())
  const [peer = ""] = installed(["lnav", "-n", "-c", `:filter-in (?i)${WORD}`, part]).map(cmd => {
    return `lnav ×${rounded((processorMs(cmd) / PART) * (BYTES / grep))}`
  })
  const finder = new TextFinder(WORD)
  const { needle } = finder.matcher
  if (needle === null) throw new Error("the word has no needle")
  const start = performance.now()
  const found: number[] = []
  const quick = await took(async () => {
    for await (const _ of quickSearch({ recording }, undefined, { finder, needle, passes: () => true }))
      found.push(performance.now() - start)
  })
  if (found.length < BYTES / APART / 2) throw new Error(`found ${found.length} matches`)
  const search = (filter: Filter | null) => {
    const options = { filter, zone: 0, warn: () => undefined }
    return took(() => Array.fromAsync(searchRecording({ recording }, options, { finder, places: null })))
  }
  const whole = await search(null)
  const where = await search({ type: "glob", key: "event", op: "=", glob: "llm/response" })
  let count = 0
  const parse = await took(async () => {
    for await (const { lines } of readLines(recording)) {
      for (const line of lines) JSON.parse(String(line))
      count += lines.length
    }
  })
  const condition = await took(async () => seek(recording, count, { type: "plain", key: "text", text: "samovar" }))
  const held = [await mostMegabytes([...bin, "search", WORD, recording])]
  report("search", [
    { what: "a gigabyte: first match, in its first 50 MB", values: found.slice(0, 1), unit: "ms", goal: "100 ms" },
    { what: "all matches in single lines, of one core", values: [quick], unit: "ms", goal: "1500 ms" },
    { what: "the same, to grep's time of one core", values: [quick / grep], unit: "×", goal: "≤ ×3", peer },
    { what: "all, with streamed texts, to parsing each line", values: [whole / parse], unit: "×", goal: "≤ ×2" },
    { what: "a condition for a text nobody says, to that", values: [condition / parse], unit: "×", goal: "≤ ×2" },
    { what: "the same with a filter", values: [where / parse], unit: "×", goal: "≤ ×2" },
    { what: "the command `search` as a process: RSS at most", values: held, unit: "MB", goal: "< 150 MB" },
  ])
} finally {
  rmSync(home, { recursive: true })
}

/** The time of one core that work takes, ms. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Seeks from the first line of a recording to its end. */
function seek(recording: string, lines: number, filter: Filter): void {
  using log = new RecordingLog(recording)
  log.indexUpTo(lines)
  const past = new Past(log, emptyRun)
  past.setPresent({ ...emptyRun, frames: { ...emptyRun.frames, lines } })
  if (resultOf(findCondition(past, emptyRun, filter, 1, 0)) !== null) throw new Error("the condition held")
}

/** Turns of 25 sessions whose replies stream, each delta a line. */
function write(path: string): void {
  const file = openSync(path, "w")
  let [seq, size, next] = [0, 0, APART / 2]
  for (let turn = 0; size < BYTES; ) {
    let text = ""
    for (let i = 0; i < 2000; i++, turn++) {
      const ids = { invokeid: "coder", "session-id": `coder.${turn % 25}` }
      const row = (event: string, data: object): void => {
        const ts = 1_780_000_000_000 + seq
        text += `${JSON.stringify({ kind: "event", seq: seq++, ts, event, data: { ...ids, ...data } })}\n`
      }
      const isThere = size + text.length > next
      if (isThere) next += APART
      row("llm/start", { model: "m" })
      for (let word = 0; word < 12; word++) row("llm/delta", { type: "text-delta", text: `word ${word} ` })
      row("llm/response", { content: [{ type: "text", text: isThere ? `a ${WORD} at last` : "no such thing" }] })
    }
    size += writeSync(file, text)
  }
  closeSync(file)
  if (statSync(path).size < BYTES) throw new Error("too short")
}
