// Searches what was said in one run or in all of them: `search TEXT [DIR] [--where EXPR]`
import { parseArgs } from "node:util"
import { isLog } from "../guest/choice.ts"
import { inertLine } from "../protocol/inert.ts"
import type { Hit } from "../search/hit.ts"
import { findRuns } from "../search/runs.ts"
import { type RunPlace, searchRun } from "../search/search.ts"
import type { Filter } from "../store/filter/filter.ts"
import { pad, width } from "../ui/text.ts"
import { fileWords, recordingPath } from "../wire/recording.ts"
import { zone } from "../zone.ts"
import { type Output, standardOutput } from "./output.ts"
import { readWhere } from "./where.ts"

export const searchUsage = `search TEXT [DIR] [--where EXPR]
  Prompts, replies, tool calls and results, questions and artifacts of a run, or of all runs below DIR
  (default .escapement). Exit code 0 with hits, 1 without, 2 where something is wrong.`

/** The lines of a hit are a recording's. */
const LOG_WORDS = "the log of another agent CLI: make a recording of it first, export LOG --as jsonl -o RECORDING"

/** Hits that are lined up with each other. */
const LINED_UP = 200
/** Columns that a place and a name take at most before they push what follows. */
const WIDEST = [56, 32] as const

interface Wanted {
  readonly text: string
  readonly root: string
  readonly filter: Filter | null
}

/** Gives the exit code. */
export async function searchCommand(args: readonly string[]): Promise<number> {
  const wanted = readWanted(args)
  if (typeof wanted === "string") return complain(wanted)
  const places = await placesIn(wanted.root)
  if ("error" in places) return complain(`${inertLine(wanted.root)}: ${places.error}`)
  const output = standardOutput()
  const options = { ...wanted, zone: zone(), complain }
  let isFound = false
  let isWhole = true
  for (const place of places.runs) {
    const batch: Hit[] = []
    try {
      for await (const hit of searchRun(place, options)) {
        isFound = true
        batch.push(hit)
        if (batch.length >= LINED_UP) await print(output, place.name, batch.splice(0))
      }
    } catch (error) {
      isWhole = false
      complain(`${inertLine(place.recording)}: ${fileWords(error)}`)
    }
    await print(output, place.name, batch)
  }
  return isFound ? 0 : isWhole ? 1 : 2
}

interface Named extends RunPlace {
  /** What stands before the names of its files; raw. */
  readonly name: string
}

/** The recording that a path names, or the runs below it, those that changed last first. */
async function placesIn(root: string): Promise<{ readonly runs: readonly Named[] } | { readonly error: string }> {
  const file = recordingPath(root)
  if ("path" in file && isLog(file.path)) return { error: LOG_WORDS }
  if ("path" in file && file.path === root) return { runs: [{ name: "", recording: root, directory: null }] }
  const found = await findRuns(root)
  if ("error" in found) return found
  if (found.runs.length === 0) return { error: "no run is there" }
  return { runs: found.runs.toSorted((a, b) => b.changedAt - a.changedAt) }
}

async function print(output: Output, run: string, hits: readonly Hit[]): Promise<void> {
  const rows = hits.map(({ file, line, who, turn, what, excerpt }) => [
    `${run === "" ? "" : `${inertLine(run)}/`}${file}:${line}`,
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
      options: { where: { type: "string" } },
    })
    const [text, root = ".escapement", ...more] = positionals
    if (text === undefined || text === "") return "which text?"
    if (more.length > 0) return `one argument too many: ${inertLine(more[0] ?? "")}`
    const where = readWhere(values.where)
    return "error" in where ? where.error : { text, root, filter: where.filter }
  } catch (error) {
    return inertLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
  }
}
