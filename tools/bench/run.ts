// Runs the benchmarks one after the other, prints one table, writes `results.json` and what the pages quote of it. Names
// choose some of them.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { outcomeOf } from "./one-bench.ts"
import { quote } from "./quote.ts"
import { RESULTS, type Result, type Results, table } from "./results.ts"

const ALL = ["fold", "live", "reply", "log", "search", "start", "wait", "time", "memory", "idle", "stall", "streaming"]
const chosen = process.argv.slice(2)
const names = chosen.length > 0 ? chosen : ALL

/** Twice what the longest takes on a busy machine. */
const MOST_MS = 30 * 60_000
const failures: string[] = []

/** What it found; nothing where it failed. */
async function resultsOf(name: string): Promise<readonly Result[]> {
  const outcome = await outcomeOf(join(import.meta.dir, `${name}.ts`), AbortSignal.timeout(MOST_MS))
  if ("results" in outcome) return outcome.results
  failures.push(`${name} failed: ${outcome.failure}`)
  return []
}

const busy = loadavg()[0] ?? 0
const kept: readonly Result[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).results : []
const fresh: Result[] = []
for (const name of names) {
  process.stderr.write(`${name} …`)
  const began = performance.now()
  fresh.push(...(await resultsOf(name)).map(withBefore))
  process.stderr.write(` ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}
const isFresh = (bench: string) => fresh.some(one => one.bench === bench)
const results = ALL.flatMap(name => (isFresh(name) ? fresh : kept).filter(one => one.bench === name))
const cores = `${cpus().length} × ${cpus()[0]?.model ?? "?"}`
const machine = `Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cores}, load ${busy.toFixed(1)} before it began`
if (fresh.length > 0) {
  writeFileSync(RESULTS, `${JSON.stringify({ machine, results } satisfies Results, null, 2)}\n`)
  quote()
}
process.stdout.write(`${machine}\n\n${table(fresh)}\n`)
if (failures.length > 0) {
  process.stderr.write(`${failures.join("\n")}\n`)
  process.exitCode = 1
}

function withBefore(one: Result): Result {
  const earlier = kept.find(({ bench, what }) => bench === one.bench && what === one.what)
  return { ...one, before: earlier?.median ?? null }
}
