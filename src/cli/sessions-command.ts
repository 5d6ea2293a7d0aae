// Lists the runs below a directory with status, size and age; in a terminal, Enter opens one: `sessions [ROOT]`.
import { type SafeText, sanitize, sanitizeLine } from "../protocol/sanitize.ts"
import { type FoundRun, findRuns, runStatusOf } from "../search/find-runs.ts"
import { duration, pad, width } from "../ui/text-width.ts"
import { chooseLine } from "./chooser.ts"
import { complain as complainFor } from "./command-arguments.ts"
import { standardOutput } from "./command-output.ts"

export const sessionsUsage = `sessions [ROOT]
  Lists the runs below ROOT (default .escapement) with status, size and age. In a terminal, Enter opens one.`

/** The chosen session directory, or an exit code: 0, or 2 if there is nothing to list. */
export async function sessionsCommand(root: string): Promise<number | string> {
  const found = await findRuns(root)
  const complain = (why: string): number => complainFor("sessions", `${sanitizeLine(root)}: ${why}`)
  if ("error" in found) return complain(found.error)
  const { runs, closed } = found
  for (const why of closed) complain(why)
  if (runs.length === 0) return complain("no runs found")
  const lines = await linesOf(runs, Date.now())
  if (!(process.stdin.isTTY && process.stdout.isTTY)) {
    await standardOutput().write(sanitize(`${lines.join("\n")}\n`))
    return 0
  }
  const chosen = await chooseLine(sanitizeLine(`RUNS  ${root}`), lines)
  return chosen === null ? 0 : (runs[chosen]?.directory ?? 0)
}

async function linesOf(runs: readonly FoundRun[], now: number): Promise<readonly SafeText[]> {
  const rows: (readonly [state: string, size: string, age: string, name: string])[] = []
  for (const run of runs) {
    const age = ageOf(Math.max(0, now - run.changedAt))
    rows.push([await runStatusOf(run, now), sizeOf(run.size), age, sanitizeLine(run.name || run.directory)])
  }
  const widest = (column: 0 | 1 | 2): number => Math.max(...rows.map(row => width(row[column])))
  const [states, sizes, ages] = [widest(0), widest(1), widest(2)]
  return rows.map(([state, size, age, name]) => {
    return sanitizeLine(`${pad(state, states)}  ${pad(size, sizes, "right")}  ${pad(age, ages, "right")}  ${name}`)
  })
}

/** A readable size: 312 B, 4.1 kB, 18 MB. */
function sizeOf(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"]
  let value = bytes
  let unit = 0
  for (; value >= 999.5 && unit < units.length - 1; unit++) value /= 1000
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

const DAY_MS = 86_400_000

function ageOf(ms: number): string {
  return ms >= 2 * DAY_MS ? `${Math.floor(ms / DAY_MS)}d` : duration(ms)
}
