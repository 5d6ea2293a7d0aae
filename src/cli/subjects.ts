// Finds what a command is about: recordings, runs below a directory, and the sessions of agent CLIs.
import { existsSync, statSync } from "node:fs"
import { resolve } from "node:path"
import { InputError, TRANSCRIPT } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { findRuns } from "../search/find-runs.ts"
import type { Environment } from "./option-table.ts"

/** Where runs are looked for when nobody names a place. */
export const DEFAULT_ROOT = ".escapement"

export interface Subject {
  /** May be shown. */
  readonly name: string
  readonly path: string
  /** Of the session of an agent CLI: the CLI, and where it worked. */
  readonly cli?: string
  readonly directory?: string | null
}

/** The sessions of agent CLIs that changed since then, epoch ms; oldest first, since a fork is younger. */
export async function storedSubjects(env: Environment, since: number): Promise<readonly Subject[]> {
  const { listSessions } = await import("../stores/list-sessions.ts")
  const sessions = await listSessions(env, { since })
  return sessions.toReversed().map(({ cli, id, path, directory }) => {
    return { name: sanitizeLine(`${cli} ${id}`), path, cli, directory }
  })
}

/**
 * The runs at or below a directory that changed since then, epoch ms, or the one recording or log. Throws an InputError
 * if there are none at any time.
 */
export async function subjectsIn(
  root: string,
  since = Number.NEGATIVE_INFINITY,
): Promise<{ subjects: readonly Subject[]; closed: readonly string[] }> {
  if (await Bun.file(root).exists()) return { subjects: [{ name: sanitizeLine(root), path: root }], closed: [] }
  const found = await findRuns(root)
  if ("error" in found) throw new InputError(`${sanitizeLine(root)}: ${found.error}`)
  if (found.runs.length === 0) throw new InputError(`${sanitizeLine(root)}: no runs found`)
  const recent = found.runs.filter(({ changedAt }) => changedAt >= since)
  const subjects = recent.map(({ name, recording }) => ({ name: sanitizeLine(name || root), path: recording }))
  return { subjects, closed: found.closed }
}

/**
 * What these words name: of a directory all runs and sessions of agent CLIs at or below it that changed since then,
 * epoch ms; of `DEFAULT_ROOT` alone all of this machine. Without `since`, a directory that is a run names that run.
 * Throws an InputError for a directory without any.
 */
export async function subjectsOf(
  words: readonly string[],
  since: number | null,
  env: Environment,
  lists: boolean,
): Promise<readonly Subject[]> {
  const stored = lists ? storedSubjects(env, since ?? Number.NEGATIVE_INFINITY) : []
  const below = async (root: string | null): Promise<readonly Subject[]> => {
    const place = resolve(root ?? "/")
    const isBelow = (directory: string | null = null): boolean =>
      root === null || directory === place || directory?.startsWith(`${place}/`) === true
    const sessions = (await stored).filter(({ directory }) => isBelow(directory))
    const runs = subjectsIn(root ?? DEFAULT_ROOT, since ?? undefined).catch((error: unknown) => {
      // Nobody named the root, or there are sessions in it alone.
      if (sessions.length > 0 || root === null) return { subjects: [] }
      throw error
    })
    return [...(await runs).subjects, ...sessions]
  }
  if (since !== null && words.length === 1 && words[0] === DEFAULT_ROOT) return below(null)
  const found = await Promise.all(words.map(word => (isFolder(word) ? below(word) : [{ name: word, path: word }])))
  return found.flat()
}

/** A directory that is no run itself. */
function isFolder(path: string): boolean {
  const isDirectory = existsSync(path) && statSync(path).isDirectory()
  return isDirectory && !existsSync(resolve(path, TRANSCRIPT))
}

/** The first argument of each command that may be a recording. */
const FIRST: ReadonlyMap<string | undefined, number> = new Map([
  ...["replay", "fold", "export", "compare", "check", "ledger"].map(name => [name, 1] as const),
  ["search", 2],
])

/** The arguments with the path of a session in the place of its id, or of `latest`. A file of that name comes first. */
export async function withSessionPaths(args: readonly string[], env: Environment): Promise<readonly string[]> {
  const first = FIRST.get(args[0])
  if (first === undefined) return args
  // Loaded only for a word that names no file.
  const stores = () => import("../stores/list-sessions.ts")
  const named = args.map(async (word, place) => {
    if (place < first || word.startsWith("-") || existsSync(word)) return word
    return (await (await stores()).sessionFile(word, env)) ?? word
  })
  return Promise.all(named)
}
