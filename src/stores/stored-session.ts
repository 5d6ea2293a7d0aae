import { homedir } from "node:os"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { noTokens, sumOf, type Tokens } from "../guest/common/token-usage.ts"

/**
 * `working`, `waiting` and `idle` only where the CLI says so of a process that runs; `ended` and `failed` where its
 * file says so; `killed` where it was at work and its process is gone; `quiet` where nobody tells.
 */
export type ToldState = "working" | "waiting" | "idle" | "quiet" | "ended" | "failed" | "killed"

/** Tokens: `input` with those from the cache. Null where nobody told, or only of a part of the session. */
export interface StoredUsage {
  readonly input: number | null
  readonly cached: number | null
  readonly output: number | null
  readonly costUsd: number | null
}

export const noStoredUsage: StoredUsage = { input: null, cached: null, output: null, costUsd: null }

/** What the lines of a session tell. Texts are raw; times are epoch ms. Null where nobody told. */
export interface StoredFacts {
  readonly id: string | null
  readonly directory: string | null
  readonly branch: string | null
  /** Its title, else its first prompt. */
  readonly title: string | null
  readonly model: string | null
  readonly state: ToldState
  readonly startedAt: number | null
  readonly usage: StoredUsage
  readonly context: number | null
  readonly last: string | null
  /** Of a subagent: the session that started it. */
  readonly parent: string | null
  /** How many subagents it has beside those that are sessions of their own. Its usage has theirs. */
  readonly subagents: number
}

export const noFacts: StoredFacts = {
  id: null,
  directory: null,
  branch: null,
  title: null,
  model: null,
  state: "quiet",
  startedAt: null,
  usage: noStoredUsage,
  context: null,
  last: null,
  parent: null,
  subagents: 0,
}

export interface StoredSession extends StoredFacts {
  readonly id: string
  readonly cli: string
  readonly activeAt: number
  readonly path: string
}

/** A file of a store; `DATABASE/ID` for a session inside a database. */
export interface StoredFile {
  readonly path: string
  readonly inode: number
  readonly size: number
  /** Epoch ms. */
  readonly changedAt: number
  /** What its list has told of it already. */
  readonly told?: StoredFacts
}

/** What the processes of a CLI tell of its sessions that run, by id. */
export type RunningSessions = ReadonlyMap<string, ToldState>

/** The store of one CLI. Its root is what the CLI itself reads of the environment. Nothing is ever written there. */
export interface SessionStore {
  readonly cli: string
  root(env: { readonly [name: string]: string | undefined }, home: string): string
  /** The folder of its session files below the root, and what their paths below that folder look like. */
  readonly folder: string
  readonly files: RegExp
  /** The sessions of a store whose only file has all of them. Never rejects. */
  list?(root: string): Promise<readonly StoredFile[]>
  /** Reads once for all sessions what their processes tell. Never rejects. */
  running?(root: string): Promise<RunningSessions>
  /** The process that holds a session; null if none does. Never rejects. */
  process?(root: string, id: string): Promise<number | null>
  /** Its arguments to go on with a session whose process is gone. */
  readonly resume?: (id: string) => readonly string[]
  /** The folder below the root where its processes tell something. */
  readonly processes?: string
  /** What the file itself tells; a turn that did not end is `working`. Never rejects. */
  read(file: StoredFile): Promise<StoredFacts>
}

/** The sum of what requests used and cost; null for requests that were not all read. */
export function summedUsage(
  requests: Iterable<Tokens> | null | undefined,
  costs: readonly (number | null)[] = [],
): StoredUsage {
  if (requests == null) return noStoredUsage
  const { input, cached, output } = [...requests].reduce(sumOf, noTokens)
  const known = costs.filter(cost => cost !== null)
  return { input, cached, output, costUsd: known.length === 0 ? null : known.reduce((a, b) => a + b) }
}

/** A path with `~` for the home directory, sanitized. */
export function shownPath(path: string, home = homedir()): string {
  return sanitizeLine(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path)
}
