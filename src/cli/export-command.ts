// Exports a recording to read, to replay or as a trace: `export RECORDING|DIR|LOG --as FORMAT [--where EXPR] …`.
import { mkdir } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { describeFileError, InputError, sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { exportText } from "../export/export-text.ts"
import { Redactor } from "../export/redact.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import { emptyRun } from "../run/model/run.ts"
import { EXPORT_FORMATS, isDocumentFormat } from "../run/select/export-format.ts"
import { type FilteredLine, type FilteredReaderOptions, readFiltered } from "../search/filtered-reader.ts"
import { readCapture } from "../session-dir/capture-file.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { Past } from "../timeline/past.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { WholeRun } from "../timeline/whole-run.ts"
import { complain, parseSubjects } from "./command-arguments.ts"
import { type CommandOutput, exportOutput, fileOutput } from "./command-output.ts"
import { type OpenedRecording, readEach } from "./open-recording.ts"
import { located, type OptionTable, valued } from "./option.ts"
import {
  type Environment,
  PARSER_OPTION,
  PRICES_OPTION,
  REDACT_OPTION,
  TRACE_OPTIONS,
  WHERE_OPTION,
} from "./option-table.ts"
import { alternatives, readPrices, readWhere, SEGMENT_PARSERS, segmentParser, zone } from "./option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "./subjects.ts"

export const EXPORT_OPTIONS = {
  as: valued("the format", { values: EXPORT_FORMATS }),
  ...WHERE_OPTION,
  output: {
    ...located(
      "the file, replaced if it exists; default stdout. Of several runs, the directory for their files",
      "FILE",
    ),
    short: "o",
  },
  "otlp-content": TRACE_OPTIONS["otlp-content"],
  ...REDACT_OPTION,
  "session-dir": located("where the captures of RECORDING are", "DIR"),
  segments: valued("parses model text by it, and writes each tool call and file as a block", {
    values: SEGMENT_PARSERS,
  }),
  ...SUBJECT_OPTIONS,
  ...PARSER_OPTION,
  ...PRICES_OPTION,
} satisfies OptionTable

/** Runs `export`. Returns the exit code: 0, 1 if an output can't be written, 2 if an input can't be read. */
export async function exportCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: named } = parseSubjects(args, EXPORT_OPTIONS, "a recording, a session directory or a log")
  const request = readRequest(values)
  const { redactor, format } = request
  const found = await subjectsOf(named, values, env)
  const place = values.output === "-" ? undefined : values.output
  const isList = found.isList || found.subjects.length > 1
  if (isList && place === undefined) throw new InputError("expected -o DIR, a directory for the files of several runs")
  if (isList && place !== undefined) await mkdir(place, { recursive: true })
  const names = new Set<string>()
  let failed = 0
  const isComplete = await readEach("export", found, values.parser, async (opened, { name }) => {
    const captures = await openDirectory(values["session-dir"] ?? sessionDirectoryOf(opened.subject))
    const file = place === undefined || !isList ? place : join(place, `${freshName(name, names)}.${format}`)
    const output = file === undefined ? exportOutput() : await fileOutput(file, opened.subject)
    try {
      await write(request, opened, captures, output)
      await output.done()
    } catch (error) {
      await output.undo()
      failed = complain("export", describeFileError(error), 1)
    }
  })
  const redacted = redactor?.words() ?? null
  if (redacted !== null) complain("export", redacted)
  return failed === 0 && !isComplete ? 2 : failed
}

/** A file name for a run, other than those of the runs before. */
function freshName(name: string, names: Set<string>): string {
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^[.-]+/, "") || "run"
  const taken = [plain, ...Array.from({ length: names.size }, (_, i) => `${plain}-${i + 2}`)]
  const fresh = taken.find(one => !names.has(one)) ?? plain
  names.add(fresh)
  return fresh
}

async function write(
  { where, filter, format, redactor, content, strategy, prices }: Readonly<ReturnType<typeof readRequest>>,
  { path, subject }: OpenedRecording,
  directory: SessionDirectory | null,
  output: CommandOutput<string>,
): Promise<void> {
  const lines = () => matchingLines(path, { filter, zone: zone(), prices, onSkipped: warnSkipped })
  using evicted = new EvictedRows(path)
  using whole = new WholeRun({ strategy, prices }, tmpdir())
  const text = exportText(
    format,
    { lines, run: () => foldLines(lines(), whole, evicted) },
    {
      title: basename(resolve(sessionDirectoryOf(subject) ?? subject)),
      session: null,
      where: where ?? null,
      redactor,
      read: directory === null ? null : ref => readCapture(directory, ref),
      recall: rows => evicted.read(rows),
      shown: output.terminal,
      content,
      prices,
    },
  )
  for await (const piece of text) await output.write(piece)
}

async function* matchingLines(path: string, options: FilteredReaderOptions): AsyncGenerator<readonly FilteredLine[]> {
  for await (const batch of readFiltered(path, options)) yield batch.filter(({ passes }) => passes)
}

/** Reads the events of log rows, which the run does not hold, from the recording. */
class EvictedRows {
  /** The line of the recording that each line of the run comes from: others may be skipped or filtered out. */
  readonly #lines: number[] = []
  #log: RecordingLog | null = null

  constructor(private readonly path: string) {}

  add(batch: readonly FilteredLine[]): void {
    for (const { line } of batch) this.#lines.push(line - 1)
  }

  read(rows: readonly number[]): Recalled {
    this.#log ??= new RecordingLog(this.path)
    this.#log.indexUpTo((this.#lines.at(-1) ?? -1) + 1)
    const found = new Past(this.#log, emptyRun).readEvents(rows.map(row => this.#lines[row] ?? 0))
    return new Map(rows.map(row => [row, found.get(this.#lines[row] ?? 0) ?? null]))
  }

  [Symbol.dispose](): void {
    this.#log?.close()
  }
}

async function foldLines(
  batches: AsyncIterable<readonly FilteredLine[]>,
  whole: WholeRun,
  evicted: EvictedRows,
): Promise<WholeRun> {
  for await (const batch of batches) {
    evicted.add(batch)
    whole.add(batch.map(({ frame }) => frame))
  }
  return whole
}

function warnSkipped(line: number): void {
  complain("export", `skipped line ${line}: longer than 16 MB`, 0)
}

function readRequest(values: ReturnType<typeof parseSubjects<typeof EXPORT_OPTIONS>>["values"]) {
  const named = values.as ?? EXPORT_FORMATS.find(one => values.output?.endsWith(`.${one}`))
  if (named === undefined) throw new InputError(`expected --as ${alternatives(EXPORT_FORMATS)}`)
  const format = EXPORT_FORMATS.find(one => one === named)
  if (format === undefined) {
    throw new InputError(`unknown format ${sanitizeLine(named)}; use ${alternatives(EXPORT_FORMATS)}`)
  }
  if (values.segments !== undefined && !isDocumentFormat(format)) {
    throw new InputError("--segments needs --as md or html")
  }
  if (values["otlp-content"] === true && format !== "otlp") throw new InputError("--otlp-content needs --as otlp")
  return {
    format,
    where: values.where,
    filter: readWhere(values.where),
    /** OTLP has the contents too. */
    content: values["otlp-content"] === true,
    strategy: segmentParser(values.segments ?? "api_tool_call"),
    prices: readPrices(values.prices),
    redactor: values["no-redact"] === true ? null : new Redactor(),
  }
}

async function openDirectory(path: string | null): Promise<SessionDirectory | null> {
  if (path === null) return null
  const { value, error } = await SessionDirectory.open(path)
  if (value === undefined) throw new InputError(`--session-dir: ${error}`)
  return value
}
