// Searches what was said in one run or in all of them: `search TEXT [DIR] [--where EXPR]`
import { parseArgs } from "node:util"
import { isLog } from "../guest/choose-parser.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import { findRuns } from "../search/find-runs.ts"
import type { SearchHit } from "../search/search-hit.ts"
import type { RunPlace } from "../search/search-options.ts"
import { searchRun } from "../search/search-run.ts"
import { describeFileError, recordingPath } from "../transport/recording-path.ts"
import { pad, width } from "../ui/text-width.ts"
import { type CommandOutput, standardOutput } from "./command-output.ts"
import { openRecorded, type Recorded } from "./recorded.ts"
import { readWhere } from "./where.ts"
import { zone } from "./zone.ts"

export const searchUsage = `search TEXT [DIR|RECORDING|LOG] [--where EXPR] [--parser P]
  Prompts, replies, tool calls and results, questions and artifacts of a run, or of all runs below DIR
  (default .escapement). Exit code 0 with hits, 1 without, 2 where something is wrong.
  --parser P      what reads LOG, another agent CLI's, as in replay; hits name its lines`

/** Hits that are lined up with each other. */
const LINED_UP = 200
/** Columns that a place and a name take at most before they push what follows. */
const WIDEST = [56, 32] as const

interface Wanted {
  readonly text: string
  readonly root: string
  readonly filter: Filter | null
  readonly parser: string | undefined
}

/** Gives the exit code. */
export async function searchCommand(args: readonly string[]): Promise<number> {
  const wanted = readWanted(args)
  if (typeof wanted === "string") return complain(wanted)
  const log = await openLog(wanted)
  if (log !== null && "error" in log) return complain(log.error)
  try {
    return await searchIn(wanted, log)
  } finally {
    await log?.close()
  }
}

async function searchIn(wanted: Wanted, log: Recorded | null): Promise<number> {
  const places = log === null ? await placesIn(wanted.root) : { runs: [placeOf(log)], closed: [] }
  if ("error" in places) return complain(`${sanitizeLine(wanted.root)}: ${places.error}`)
  const output = standardOutput()
  const options = { ...wanted, zone: zone(), complain }
  let isFound = false
  let isWhole = places.closed.length === 0
  for (const why of places.closed) complain(why)
  for (const place of places.runs) {
    const batch: SearchHit[] = []
    try {
      for await (const hit of searchRun(place, options)) {
        isFound = true
        batch.push(hit)
        if (batch.length >= LINED_UP) await print(output, place.name, batch.splice(0))
      }
    } catch (error) {
      isWhole = false
      complain(`${sanitizeLine(place.log ?? place.recording)}: ${describeFileError(error)}`)
    }
    await print(output, place.name, batch)
  }
  return isFound ? 0 : isWhole ? 1 : 2
}

interface Named extends RunPlace {
  /** What stands before the names of its files; raw. */
  readonly name: string
}

/** The recording that is made of a log, where the root is one; null where it is none. */
async function openLog({ root, parser }: Wanted): Promise<Recorded | { readonly error: string } | null> {
  const file = recordingPath(root)
  const isFile = "path" in file && file.path === root
  if (isFile && (parser !== undefined || isLog(root))) return await openRecorded(root, parser)
  return parser === undefined
    ? null
    : { error: `--parser reads the log of an agent CLI, and ${sanitizeLine(root)} is none` }
}

function placeOf({ path, subject }: Recorded): Named {
  return { name: "", recording: path, directory: null, log: subject }
}

/** The recording that a path names, or the runs below it, those that changed last first. */
async function placesIn(
  root: string,
): Promise<{ readonly runs: readonly Named[]; readonly closed: readonly string[] } | { readonly error: string }> {
  const file = recordingPath(root)
  if ("path" in file && file.path === root)
    return { runs: [{ name: "", recording: root, directory: null }], closed: [] }
  const found = await findRuns(root)
  if ("error" in found) return found
  if (found.runs.length === 0) return { error: [...found.closed, "no run is there"].join("; ") }
  return { runs: found.runs.toSorted((a, b) => b.changedAt - a.changedAt), closed: found.closed }
}

async function print(output: CommandOutput, run: string, hits: readonly SearchHit[]): Promise<void> {
  const rows = hits.map(({ file, line, who, turn, what, excerpt }) => [
    `${run === "" ? "" : `${sanitizeLine(run)}/`}${file}:${line}`,
    who,
    turn === null ? "" : `turn ${turn}`,
    what,
    excerpt,
  ])
  const widest = (column: number): number => Math.max(0, ...rows.map(row => width(row[column] ?? "")))
  const columns = [Math.min(WIDEST[0], widest(0)), Math.min(WIDEST[1], widest(1)), widest(2), widest(3)]
  const lines = rows.map(row => row.map((cell, i) => filled(cell, columns[i] ?? 0)).join("  "))
  if (lines.length > 0) await output.write(`${lines.join("\n")}\n`)
}

/** A cell as wide as its column; one that is wider stays whole, since it says where to look. */
function filled(cell: string, columns: number): string {
  return width(cell) >= columns ? cell : pad(cell, columns)
}

function complain(why: string): number {
  process.stderr.write(`opentui-sidecar search: ${why}\n`)
  return 2
}

function readWanted(args: readonly string[]): Wanted | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { where: { type: "string" }, parser: { type: "string" } },
    })
    const [text, root = ".escapement", ...more] = positionals
    if (text === undefined || text === "") return "which text?"
    if (more.length > 0) return `one argument too many: ${sanitizeLine(more[0] ?? "")}`
    const where = readWhere(values.where)
    return "error" in where ? where.error : { text, root, filter: where.filter, parser: values.parser }
  } catch (error) {
    return sanitizeLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
  }
}
