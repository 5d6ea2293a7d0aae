// Runs one benchmark in a process of its own, which can neither fail nor hold up the others.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Result } from "./results.ts"

/** What a benchmark found, or why it found nothing. */
export type Outcome = { readonly results: readonly Result[] } | { readonly failure: string }

/**
 * Runs the benchmark in `file` until `limit` aborts. What it wrote for temporary files is gone afterwards, and so are
 * its processes if it was stopped. Never rejects.
 */
export async function outcomeOf(file: string, limit: AbortSignal): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), "bench-"))
  const cmd = [process.execPath, "--preload", "@opentui/solid/preload", file, "--json"]
  const bench = Bun.spawn(cmd, {
    env: { ...process.env, TMPDIR: home },
    stdio: ["ignore", "pipe", "inherit"],
  })
  const stop = () => killTree(bench.pid)
  limit.addEventListener("abort", stop)
  try {
    const [out, code] = await Promise.all([new Response(bench.stdout).text(), bench.exited])
    if (limit.aborted) return { failure: "it was not done in time" }
    if (code !== 0) return { failure: `exit code ${code}` }
    return { results: JSON.parse(out.trim().split("\n").at(-1) ?? "") }
  } catch (error) {
    return { failure: `no results in what it printed: ${error instanceof Error ? error.message : error}` }
  } finally {
    limit.removeEventListener("abort", stop)
    rmSync(home, { recursive: true, force: true })
  }
}

/** Kills a process and all that it started, terminals' programs included, which lead groups of their own. */
function killTree(pid: number): void {
  const parents = processes()
  const tree = new Set([pid])
  // A set visits what is added meanwhile.
  for (const one of tree) for (const [child, parent] of parents) if (parent === one) tree.add(child)
  for (const one of tree) {
    try {
      process.kill(one, "SIGKILL")
    } catch {
      // It has ended by itself.
    }
  }
}

/** Process id → id of its parent; empty where the system does not tell. */
function processes(): ReadonlyMap<number, number> {
  const parents = new Map<number, number>()
  try {
    for (const name of readdirSync("/proc").filter(one => /^\d+$/.test(one))) parents.set(Number(name), parentOf(name))
  } catch {
    // There is no /proc.
  }
  return parents
}

function parentOf(name: string): number {
  try {
    return Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]?.split(" ")[1])
  } catch {
    return 0
  }
}
