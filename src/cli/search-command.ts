// Searches the texts of one run or of all runs: `search TEXT [DIR] [--where EXPR]`.
import { isLog } from "../guest/choose-parser.ts"
import { type SafeText, sanitize, sanitizeLine } from "../protocol/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import { findRuns } from "../search/find-runs.ts"
import type { RunPlace, SearchHit } from "../search/search-hit.ts"
import { searchRun } from "../search/search-run.ts"
import { NO_FRAMES, recordingAt } from "../transport/recording-head.ts"
import { describeFileError, recordingPath } from "../transport/recording-path.ts"
import { pad, width } from "../ui/text-width.ts"
import { complain as complainFor, parseArguments, unexpected } from "./command-arguments.ts"
import { type CommandOutput, standardOutput } from "./command-output.ts"
import { type OpenedRecording, openRecordingOrLog } from "./open-recording.ts"
import { readWhere, zone } from "./option-value.ts"

export const searchUsage = `search TEXT [DIR|RECORDING|LOG] [--where EXPR] [--parser P]
  Searches prompts, replies, tool calls and results, questions and artifacts of a run, or of all runs below
  DIR (default .escapement). Exit code: 0 with matches, 1 without, 2 on an error.
  --parser P      reads LOG, the log of another agent CLI, as in replay; matches give its line numbers`

const BATCH = 200
/** The widest that the first two columns are aligned. */
const WIDEST = [56, 32] as const

interface SearchRequest {
  readonly text: string
  readonly root: string
  readonly filter: Filter | null
  readonly parser: string | undefined
}

export async function searchCommand(args: readonly string[]): Promise<number> {
  const request = readRequest(args)
  if (typeof request === "string") return complain(request)
  const log = await openLog(request)
  if (log !== null && "error" in log) return complain(log.error)
  try {
    return await searchIn(request, log)
  } finally {
    await log?.close()
  }
}

async function searchIn(request: SearchRequest, log: OpenedRecording | null): Promise<number> {
  const places = log === null ? await placesIn(request.root) : { runs: [placeOf(log)], closed: [] }
  if ("error" in places) return complain(`${sanitizeLine(request.root)}: ${places.error}`)
  const output = standardOutput()
  const options = { ...request, zone: zone(), warn: complain }
  let isFound = false
  let isComplete = places.closed.length === 0
  for (const why of places.closed) complain(why)
  for (const place of places.runs) {
    const batch: SearchHit[] = []
    try {
      for await (const hit of searchRun(place, options)) {
        isFound = true
        batch.push(hit)
        if (batch.length >= BATCH) await print(output, place.name, batch.splice(0))
      }
    } catch (error) {
      isComplete = false
      complain(`${sanitizeLine(place.log ?? place.recording)}: ${describeFileError(error)}`)
    }
    await print(output, place.name, batch)
  }
  return isFound ? 0 : isComplete ? 1 : 2
}

interface NamedPlace extends RunPlace {
  /** The unsanitized prefix of its file names. */
  readonly name: string
}

/** The recording converted from the log at `root`; null if `root` is not a log. */
async function openLog({ root, parser }: SearchRequest): Promise<OpenedRecording | { readonly error: string } | null> {
  const file = recordingPath(root)
  const isFile = "path" in file && file.path === root
  if (isFile && (parser !== undefined || isLog(root))) return await openRecordingOrLog(root, parser)
  return parser === undefined
    ? null
    : { error: `--parser: expected the log of an agent CLI, got ${sanitizeLine(root)}` }
}

function placeOf({ path, subject }: OpenedRecording): NamedPlace {
  return { name: "", recording: path, directory: null, log: subject }
}

/** The recording at `root`, or the runs below it, most recently changed first. `closed` lists unreadable places. */
async function placesIn(
  root: string,
): Promise<{ readonly runs: readonly NamedPlace[]; readonly closed: readonly string[] } | { readonly error: string }> {
  const file = recordingPath(root)
  if ("path" in file && file.path === root) {
    const recording = recordingAt(root)
    if ("error" in recording) return { error: NO_FRAMES }
    return { runs: [{ name: "", recording: root, directory: null }], closed: [] }
  }
  const found = await findRuns(root)
  if ("error" in found) return found
  if (found.runs.length === 0) return { error: [...found.closed, "no runs found"].join("; ") }
  return { runs: found.runs.toSorted((a, b) => b.changedAt - a.changedAt), closed: found.closed }
}

async function print(output: CommandOutput<SafeText>, run: string, hits: readonly SearchHit[]): Promise<void> {
  const rows = hits.map(({ file, line, who, turn, what, excerpt }) => [
    `${run === "" ? "" : `${sanitizeLine(run)}/`}${file}:${line}`,
    who,
    turn === null ? "" : `turn ${turn}`,
    what,
    excerpt,
  ])
  const widest = (column: number): number => Math.max(0, ...rows.map(row => width(row[column] ?? "")))
  const columns = [Math.min(WIDEST[0], widest(0)), Math.min(WIDEST[1], widest(1)), widest(2), widest(3)]
  const lines = rows.map(row => row.map((cell, i) => padded(cell, columns[i] ?? 0)).join("  "))
  if (lines.length > 0) await output.write(sanitize(`${lines.join("\n")}\n`))
}

/** Pads a cell; never clips one, because the full path is needed. */
function padded(cell: string, columns: number): string {
  return width(cell) >= columns ? cell : pad(cell, columns)
}

const complain = (why: string): number => complainFor("search", why)

function readRequest(args: readonly string[]): SearchRequest | string {
  const parsed = parseArguments(args, { where: { type: "string" }, parser: { type: "string" } })
  if (typeof parsed === "string") return parsed
  const { values, positionals } = parsed
  const [text, root = ".escapement", extra] = positionals
  if (text === undefined || text === "") return "expected a text to search for"
  if (extra !== undefined) return unexpected(extra)
  const where = readWhere(values.where)
  return "error" in where ? where.error : { text, root, filter: where.filter, parser: values.parser }
}
