// Searches the texts of one run or of all runs: `search TEXT [DIR] [--where EXPR]`.

import { describeFileError, InputError } from "../../packages/wire/src/files/recording-path.ts"
import { type SafeText, sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { findRuns, searchOrder } from "../search/find-runs.ts"
import type { RunPlace, SearchHit, SearchOptions } from "../search/search-hit.ts"
import { searchRun } from "../search/search-run.ts"
import { alignedRows } from "./aligned-rows.ts"
import { complain as complainFor, parseArguments } from "./command-arguments.ts"
import { type CommandOutput, standardOutput } from "./command-output.ts"
import { openRecordingOrLog } from "./open-recording.ts"
import { type OptionTable, PARSER_OPTION } from "./option-table.ts"
import { readWhere, zone } from "./option-value.ts"

export const SEARCH_OPTIONS = {
  where: { type: "string", takes: "EXPR", about: "only the frames that match the filter" },
  ...PARSER_OPTION,
} as const satisfies OptionTable

/** Hits whose columns are aligned with each other, and ms after which fewer are printed. */
const BATCH = 200
const FLUSH_MS = 50
/** The widest that the first two columns are aligned. */
const WIDEST = [56, 32, Infinity, Infinity] as const

/** Runs `search`. Returns the exit code: 0 if something was found, else 1. */
export async function searchCommand(args: readonly string[]): Promise<number> {
  const {
    values,
    first: text,
    second: root = ".escapement",
  } = parseArguments(args, SEARCH_OPTIONS, "a text to search for", 2)
  const options = { text, filter: readWhere(values.where), zone: zone(), warn: complain }
  if (!(await Bun.file(root).exists())) {
    const why = `--parser: expected the log of an agent CLI, got ${sanitizeLine(root)}`
    if (values.parser !== undefined) throw new InputError(why)
    return await searchIn(await placesBelow(root), options)
  }
  const { path, subject, close } = await openRecordingOrLog(root, values.parser)
  const log = path === subject ? {} : { log: subject }
  try {
    return await searchIn({ runs: [{ name: "", recording: path, directory: null, ...log }], closed: [] }, options)
  } finally {
    await close()
  }
}

interface Places {
  readonly runs: readonly NamedPlace[]
  /** One line for each unreadable place. */
  readonly closed: readonly string[]
}

async function searchIn(places: Places, options: SearchOptions): Promise<number> {
  const output = standardOutput()
  let isFound = false
  let isComplete = places.closed.length === 0
  for (const why of places.closed) complain(why)
  for (const place of places.runs) {
    const batch: SearchHit[] = []
    let printed: Promise<void> = Promise.resolve()
    const flush = (): void => {
      const hits = batch.splice(0)
      printed = printed.then(() => print(output, place.name, hits))
    }
    // What was found early is not held back while the rest is searched.
    const timer = setInterval(flush, FLUSH_MS)
    try {
      for await (const hit of searchRun(place, options)) {
        isFound = true
        batch.push(hit)
        if (batch.length >= BATCH) flush()
        await printed
      }
    } catch (error) {
      isComplete = false
      complain(`${sanitizeLine(place.log ?? place.recording)}: ${describeFileError(error)}`)
    } finally {
      clearInterval(timer)
    }
    flush()
    await printed
  }
  return isFound ? 0 : isComplete ? 1 : 2
}

interface NamedPlace extends RunPlace {
  /** The unsanitized prefix of its file names. */
  readonly name: string
}

/** The runs below `root`, most recently changed first but for huge ones. */
async function placesBelow(root: string): Promise<Places> {
  const found = await findRuns(root)
  if ("error" in found) throw new InputError(`${sanitizeLine(root)}: ${found.error}`)
  const { runs, closed } = found
  if (runs.length === 0) throw new InputError(`${sanitizeLine(root)}: ${[...closed, "no runs found"].join("; ")}`)
  return { ...found, runs: searchOrder(runs) }
}

async function print(output: CommandOutput<SafeText>, run: string, hits: readonly SearchHit[]): Promise<void> {
  const rows = hits.map(({ file, line, who, turn, what, excerpt }) => [
    `${run === "" ? "" : `${sanitizeLine(run)}/`}${sanitizeLine(file)}:${line}`,
    who,
    turn === null ? "" : `turn ${turn}`,
    what,
    excerpt,
  ])
  if (rows.length > 0) await output.write(sanitize(`${alignedRows(rows, WIDEST).join("\n")}\n`))
}

const complain = (why: string): number => complainFor("search", why)
