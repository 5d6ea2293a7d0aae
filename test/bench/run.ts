// Runs the benchmarks one after the other, prints one table, writes `results.json` and what the pages quote of it. Names
// choose some of them.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { join } from "node:path"
import { quote } from "./quote.ts"
import { RESULTS, type Result, type Results, table } from "./results.ts"

const ALL = ["fold", "live", "reply", "log", "start", "time", "memory", "idle", "stall", "streaming"]
const chosen = process.argv.slice(2)
const names = chosen.length > 0 ? chosen : ALL

/** What it found; nothing where it failed, which it has said itself. */
async function resultsOf(name: string): Promise<readonly Result[]> {
  const cmd = [process.execPath, "--preload", "@opentui/solid/preload", join(import.meta.dir, `${name}.ts`), "--json"]
  const bench = Bun.spawn(cmd, { stdio: ["ignore", "pipe", "inherit"] })
  const out = await new Response(bench.stdout).text()
  return (await bench.exited) === 0 ? JSON.parse(out.trim().split("\n").at(-1) ?? "[]") : []
}

const busy = loadavg()[0] ?? 0
const kept: readonly Result[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).results : []
const fresh: Result[] = []
for (const name of names) {
  process.stderr.write(`${name} …\n`)
  fresh.push(...(await resultsOf(name)).map(withBefore))
}
const isFresh = (bench: string) => fresh.some(one => one.bench === bench)
const results = ALL.flatMap(name => (isFresh(name) ? fresh : kept).filter(one => one.bench === name))
const cores = `${cpus().length} × ${cpus()[0]?.model ?? "?"}`
const machine = `Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cores}, load ${busy.toFixed(1)} before it began`
writeFileSync(RESULTS, `${JSON.stringify({ machine, results } satisfies Results, null, 2)}\n`)
quote()
process.stdout.write(`${machine}\n\n${table(fresh)}\n`)

function withBefore(one: Result): Result {
  const earlier = kept.find(({ bench, what }) => bench === one.bench && what === one.what)
  return { ...one, before: earlier?.median ?? null }
}
