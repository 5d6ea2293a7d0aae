// A session of an agent CLI as its store tells of it.

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
  /** What was said last. */
  readonly last: string | null
  /** Of a subagent: the session that started it. */
  readonly parent: string | null
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
  last: null,
  parent: null,
}

export interface StoredSession extends StoredFacts {
  readonly id: string
  /** The name of its CLI. */
  readonly cli: string
  /** The last change of its file, epoch ms. */
  readonly activeAt: number
  readonly subagents: number
  readonly path: string
}

/** A file of a store. */
export interface StoredFile {
  readonly path: string
  readonly size: number
  /** Epoch ms. */
  readonly changedAt: number
}

/** The store of one CLI. Its roots are what the CLI itself reads of the environment. Nothing is ever written there. */
export interface SessionStore {
  readonly cli: string
  root(env: { readonly [name: string]: string | undefined }, home: string): string
  /** The session files below the root, in no order. */
  files(root: string): Promise<readonly StoredFile[]>
  /** Never rejects. */
  read(file: StoredFile, root: string): Promise<StoredFacts>
  /** How many subagents a session has beside those that are sessions of their own. */
  subagents?(file: StoredFile): Promise<number>
}
