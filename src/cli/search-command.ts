// Searches the texts of one run or of several: `search TEXT [DIR|RECORDING|LOG …] [--where EXPR]`.

import { InputError } from "../../packages/wire/src/files/recording-path.ts"
import { type SafeText, sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { searchOrder } from "../search/find-runs.ts"
import type { RunPlace, SearchHit, SearchOptions } from "../search/search-hit.ts"
import { searchRun } from "../search/search-run.ts"
import { complain as complainFor, parseSubjects } from "./command-arguments.ts"
import { alignedRows, type CommandOutput, standardOutput } from "./command-output.ts"
import { readEach } from "./open-recording.ts"
import { type Environment, PARSER_OPTION, PRICES_OPTION, WHERE_OPTION } from "./option-table.ts"
import { readPrices, readWhere, zone } from "./option-value.ts"
import { DEFAULT_ROOT, SUBJECT_OPTIONS, subjectsOf } from "./subjects.ts"

export const SEARCH_OPTIONS = { ...WHERE_OPTION, ...SUBJECT_OPTIONS, ...PARSER_OPTION, ...PRICES_OPTION }

/** Hits whose columns are aligned with each other, and ms after which fewer are printed. */
const BATCH = 200
const FLUSH_MS = 50
/** The widest that the first two columns are aligned. */
const WIDEST = [56, 32, Infinity, Infinity] as const

/** Runs `search`. Returns the exit code: 0 if something was found, else 1, or 2 if not all could be read. */
export async function searchCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: typed } = parseSubjects(args, SEARCH_OPTIONS, "a text to search for")
  const [text, ...words] = typed ?? []
  if (text === undefined) throw new InputError("expected a text to search for")
  const unnamed = values.since === undefined ? [DEFAULT_ROOT] : null
  const filtered = { filter: readWhere(values.where), zone: zone(), prices: readPrices(values.prices) }
  const options = { text, ...filtered, warn: complain }
  const found = await subjectsOf(words.length === 0 ? unnamed : words, values, env)
  // Those that would hold up the others come last.
  const subjects = searchOrder(found.subjects.map(one => ({ ...one, size: one.run?.size ?? 0 })))
  let isFound = false
  const isComplete = await readEach("search", { ...found, subjects }, values.parser, async (opened, subject) => {
    const log = opened.path === opened.subject ? {} : { log: opened.subject }
    const name = found.isList || subjects.length > 1 ? (subject.run?.name ?? subject.name) : ""
    const place = { name, recording: opened.path, directory: subject.run?.directory ?? null, ...log }
    if (await searchOne(place, options)) isFound = true
  })
  return isFound ? 0 : isComplete ? 1 : 2
}

interface NamedPlace extends RunPlace {
  /** The unsanitized prefix of its file names. */
  readonly name: string
}

/** Prints the hits in one run; false if there are none. Rejects if it can't be read. */
async function searchOne(place: NamedPlace, options: SearchOptions): Promise<boolean> {
  const output = standardOutput()
  let isFound = false
  const batch: SearchHit[] = []
  let printed: Promise<void> = Promise.resolve()
  const flush = (): void => {
    const hits = batch.splice(0)
    printed = printed.then(() => print(output, place.name, hits))
  }
  const timer = setInterval(flush, FLUSH_MS)
  try {
    for await (const hit of searchRun(place, options)) {
      isFound = true
      batch.push(hit)
      if (batch.length >= BATCH) flush()
      await printed
    }
  } finally {
    clearInterval(timer)
    flush()
    await printed
  }
  return isFound
}

async function print(output: CommandOutput<SafeText>, run: string, hits: readonly SearchHit[]): Promise<void> {
  const rows = hits.map(({ file, line, who, turn, what, excerpt }) => [
    `${sanitizeLine(pathOf(run, file))}:${line}`,
    who,
    turn === null ? "" : `turn ${turn}`,
    what,
    excerpt,
  ])
  if (rows.length > 0) await output.write(sanitize(`${alignedRows(rows, WIDEST).join("\n")}\n`))
}

/** The file of a run by the run's name, which may be the path of that very file; empty for the only run. */
function pathOf(run: string, file: string): string {
  if (run === "") return file
  return `/${run}`.endsWith(`/${file}`) ? run : `${run}/${file}`
}

const complain = (why: string): number => complainFor("search", why)
