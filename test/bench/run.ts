// Runs the benchmarks one after the other, prints one table and writes `results.json`. Names choose some of them.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"
import { join } from "node:path"
import { RESULTS, type Result, table } from "./results.ts"

const ALL = ["fold", "live", "reply", "start", "time", "memory", "idle", "stall"]
const chosen = process.argv.slice(2)
const names = chosen.length > 0 ? chosen : ALL

/** What it found; nothing where it failed, which it has said itself. */
async function resultsOf(name: string): Promise<readonly Result[]> {
  const cmd = [process.execPath, "--preload", "@opentui/solid/preload", join(import.meta.dir, `${name}.ts`), "--json"]
  const bench = Bun.spawn(cmd, { stdio: ["ignore", "pipe", "inherit"] })
  const out = await new Response(bench.stdout).text()
  return (await bench.exited) === 0 ? JSON.parse(out.trim().split("\n").at(-1) ?? "[]") : []
}

const kept: readonly Result[] = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")).results : []
const fresh: Result[] = []
for (const name of names) {
  process.stderr.write(`${name} …\n`)
  fresh.push(...(await resultsOf(name)))
}
const isFresh = (bench: string) => fresh.some(one => one.bench === bench)
const results = ALL.flatMap(name => (isFresh(name) ? fresh : kept).filter(one => one.bench === name))
const machine = `Bun ${Bun.version}, ${process.platform} ${process.arch}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}`
writeFileSync(RESULTS, `${JSON.stringify({ machine, results }, null, 2)}\n`)
process.stdout.write(`${machine}\n\n${table(fresh)}\n`)
