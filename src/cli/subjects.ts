// Finds the recordings that a command is about: those it names, those of a directory or a time, and the sessions of
// agent CLIs.
import { existsSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { InputError, NO_SUCH_FILE, TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { findRuns } from "../search/find-runs.ts"
import { type OptionTable, valued } from "./option.ts"
import { type Environment, STORES_OPTION } from "./option-table.ts"
import { since } from "./option-value.ts"

/** Where runs are looked for when nobody names a place. */
export const DEFAULT_ROOT = ".escapement"

export const SUBJECT_OPTIONS = {
  since: valued("all that ran since then, of agent CLIs too: 1d, 12h", { takes: "TIME", check: since }),
  ...STORES_OPTION,
} satisfies OptionTable

export interface Subject {
  /** May be shown. */
  readonly name: string
  readonly path: string
  /** Of a run with a directory of its own: that, and its raw name below the one that was named. */
  readonly run?: { readonly directory: string; readonly name: string; readonly size: number }
  /** Of the session of an agent CLI: the CLI, and where it worked. */
  readonly cli?: string
  readonly directory?: string | null
}

export type Subjects = Readonly<Awaited<ReturnType<typeof subjectsOf>>>

export interface SubjectFlags {
  readonly since?: string | undefined
  readonly "no-stores"?: boolean | undefined
  readonly parser?: string | undefined
}

/**
 * What these words name: a recording or log, a session by its id or as `latest`, or all runs and sessions at or below a
 * directory that changed since `since`. Null stands for all of this machine. Throws an InputError if there are none.
 */
export async function subjectsOf(named: readonly string[] | null, flags: SubjectFlags, env: Environment) {
  const from = since("--since", flags.since) ?? Number.NEGATIVE_INFINITY
  const [words, isAll] = [named ?? [DEFAULT_ROOT], named === null]
  /** They were found below a directory or by their time, however many there are. */
  const isList = isAll || words.some(isFolder)
  if (isList && flags.parser !== undefined)
    throw new InputError(`--parser: expected the log of an agent CLI, got ${sanitizeLine(words.join(" "))}`)
  const stored = isList && flags["no-stores"] !== true ? await storedSubjects(env, from) : []
  /** One line for each place that could not be read. */
  const closed: string[] = []
  const found: Subject[] = []
  for (const word of words) {
    if (!isAll && !isFolder(word)) {
      const path = await sessionPath(word, env)
      const run = { directory: path, name: path, size: 0 }
      found.push({ name: sanitizeLine(path), path, ...(isDirectory(path) && { run }) })
      continue
    }
    const place = resolve(word)
    const sessions = stored.filter(({ directory }) => isAll || `${directory}/`.startsWith(`${place}/`))
    const runs = await findRuns(word)
    if ("error" in runs) {
      // The default root, which nobody named.
      if (!isAll || runs.error !== NO_SUCH_FILE) closed.push(`${sanitizeLine(word)}: ${runs.error}`)
    } else closed.push(...runs.closed)
    const own = "error" in runs ? [] : runs.runs
    if (own.length + sessions.length === 0 && flags.since === undefined)
      closed.push(`${sanitizeLine(word)}: no runs found`)
    const recent = own.filter(({ changedAt }) => changedAt >= from)
    found.push(...recent.map(run => ({ name: sanitizeLine(run.name || word), path: run.recording, run })), ...sessions)
  }
  if (found.length === 0 && closed.length > 0) throw new InputError(closed.join("; "))
  return { subjects: withoutRepeats(found), closed, isList }
}

/** A directory and the recording in it are one run, under its first name. */
function withoutRepeats(subjects: readonly Subject[]): readonly Subject[] {
  const first = new Map<string, Subject>()
  for (const one of subjects) {
    const recording = isDirectory(one.path) ? join(one.path, TRANSCRIPT) : one.path
    if (!first.has(resolve(recording))) first.set(resolve(recording), one)
  }
  return [...first.values()]
}

/** The sessions of agent CLIs that changed since then, epoch ms; oldest first, since a fork is younger. */
async function storedSubjects(env: Environment, since: number): Promise<readonly Subject[]> {
  const { listSessions } = await import("../stores/list-sessions.ts")
  const sessions = await listSessions(env, { since })
  return sessions.toReversed().map(({ cli, id, path, directory }) => {
    return { name: sanitizeLine(`${cli} ${id}`), path, cli, directory }
  })
}

/** The path of the session with this id, or that beginning, or of the `latest`; a file of that name comes first. */
export async function sessionPath(word: string, env: Environment): Promise<string> {
  if (existsSync(word)) return word
  const { sessionFile } = await import("../stores/list-sessions.ts")
  return (await sessionFile(word, env)) ?? word
}

function isFolder(path: string): boolean {
  return isDirectory(path) && !existsSync(resolve(path, TRANSCRIPT))
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}
