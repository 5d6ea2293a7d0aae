// Writes a recording as Markdown, JSONL or HTML: `export RECORDING|DIR|LOG --as FORMAT [--where EXPR] [-o FILE]`
import { basename, resolve } from "node:path"
import { parseArgs } from "node:util"
import { documentOf } from "../export/document.ts"
import { html } from "../export/html.ts"
import { JsonLines } from "../export/jsonl.ts"
import { markdown } from "../export/markdown.ts"
import { Redactor } from "../export/redact.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import { fold } from "../run/fold.ts"
import { emptyRun, type Run } from "../run/model/run.ts"
import { readFiltered } from "../search/filtered-reader.ts"
import { readCaptured } from "../session-dir/read-captured.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { describeFileError, sessionDirectoryOf } from "../transport/recording-path.ts"
import { type CommandOutput, fileOutput, standardOutput } from "./command-output.ts"
import { openRecorded, type Recorded } from "./recorded.ts"
import { readWhere } from "./where.ts"
import { zone } from "./zone.ts"

export const exportUsage = `export RECORDING|DIR|LOG --as md|jsonl|html [--where EXPR] [-o FILE] [--no-redact] [--parser P]
  Writes a run to read (md, html) or to replay (jsonl), without likely secrets. What the agent captured of
  a DIR stands in md and html whole; a snippet says that it is one.
  --where EXPR    only the frames that the filter lets through
  -o FILE         there, replacing what stands there; default: stdout
  --no-redact     keeps keys, tokens and passwords
  --session-dir D where the captures of RECORDING are
  --parser P      what reads LOG, another agent CLI's, as in replay`

const FORMATS = ["md", "jsonl", "html"] as const
type Format = (typeof FORMATS)[number]

interface Wanted {
  readonly recorded: Recorded
  readonly format: Format
  readonly filter: Filter | null
  readonly file: string | null
  readonly redactor: Redactor | null
  /** Where captures are; null where that is not known. */
  readonly directory: SessionDirectory | null
}

/** Gives the exit code: 0, 1 where writing failed, 2 where the arguments make no sense or there is nothing to read. */
export async function exportCommand(args: readonly string[]): Promise<number> {
  const wanted = await readWanted(args)
  if (typeof wanted === "string") return complain(wanted, 2)
  try {
    return await exportTo(wanted)
  } finally {
    await wanted.recorded.close()
  }
}

async function exportTo(wanted: Wanted): Promise<number> {
  const { file, recorded } = wanted
  const output = file === null ? standardOutput() : await fileOutput(file, recorded.subject)
  if (typeof output === "string") return complain(`${sanitizeLine(file ?? "")}: ${output}`, 2)
  try {
    await write(wanted, output)
    await output.done()
    const redacted = wanted.redactor?.words() ?? null
    if (redacted !== null) process.stderr.write(`opentui-sidecar export: ${redacted}\n`)
    return 0
  } catch (error) {
    await output.undo()
    return complain(describeFileError(error), 1)
  }
}

async function write({ recorded, filter, format, redactor, directory }: Wanted, output: CommandOutput): Promise<void> {
  const { path, subject } = recorded
  if (format === "jsonl") {
    // As they came; nothing but the latest few thousand is held.
    const lines = new JsonLines({ redactor, shown: output.terminal })
    for await (const batch of readFiltered(path, { filter, zone: zone(), leave })) {
      await output.write(lines.push(batch.filter(({ passes }) => passes)))
    }
    await output.write(lines.end())
    return
  }
  const run = await foldPassing(path, filter)
  const title = basename(resolve(sessionDirectoryOf(subject) ?? subject))
  const read = directory === null ? null : (ref: string) => readCaptured(directory, ref)
  const document = documentOf(run, { title, session: null, picked: filter !== null, redactor, read })
  for await (const piece of format === "md" ? markdown(document) : html(document)) await output.write(piece)
}

/** The run that the frames make which pass. */
async function foldPassing(path: string, filter: Filter | null): Promise<Run> {
  let run = emptyRun
  for await (const batch of readFiltered(path, { filter, zone: zone(), leave })) {
    const frames = batch.filter(({ passes }) => passes).map(({ frame }) => frame)
    run = fold(run, frames)
  }
  return run
}

/** Says that a line is not in what was written. */
function leave(line: number): void {
  complain(`line ${line} is left out: it is longer than 16 MB`, 0)
}

function complain(why: string, code: number): number {
  process.stderr.write(`opentui-sidecar export: ${why}\n`)
  return code
}

/** What is wanted, or what is wrong with the arguments. */
async function readWanted(args: readonly string[]): Promise<Wanted | string> {
  const parsed = parse(args)
  if (typeof parsed === "string") return parsed
  const { values, positionals } = parsed
  const [subject, ...more] = positionals
  if (subject === undefined) return "which recording or session directory?"
  if (more.length > 0) return `one argument too many: ${sanitizeLine(more[0] ?? "")}`
  const named = values.as ?? values.output?.match(/\.(md|jsonl|html)$/)?.[1]
  if (named === undefined) return "--as: md, jsonl or html?"
  const format = FORMATS.find(one => one === named)
  if (format === undefined) return `--as: ${sanitizeLine(named)} is none of ${FORMATS.join(", ")}`
  const where = readWhere(values.where)
  if ("error" in where) return where.error
  const recorded = await openRecorded(subject, values.parser)
  if ("error" in recorded) return recorded.error
  const directory = await openDirectory(values["session-dir"], recorded.subject)
  if (typeof directory === "string") {
    await recorded.close()
    return directory
  }
  return {
    recorded,
    format,
    filter: where.filter,
    file: values.output ?? null,
    redactor: values["no-redact"] === true ? null : new Redactor(),
    directory,
  }
}

/** The session directory that was named, or that the recording lies in; null for none, else why it cannot be read. */
async function openDirectory(named: string | undefined, subject: string): Promise<SessionDirectory | string | null> {
  const path = named ?? sessionDirectoryOf(subject)
  if (path === null) return null
  const { value, error } = await SessionDirectory.open(path)
  return value ?? `--session-dir: ${error}`
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        as: { type: "string" },
        where: { type: "string" },
        output: { type: "string", short: "o" },
        "no-redact": { type: "boolean" },
        parser: { type: "string" },
        "session-dir": { type: "string" },
      },
    })
  } catch (error) {
    return sanitizeLine(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error))
  }
}
