// Defines the home screen: the runs below a directory, what was read of them, and how a person looks at them.
import type { TailFacts } from "../run/select/tail-facts.ts"

/** A run below the directory. */
export interface HomeRun {
  /** Raw path below the directory; empty if that itself is a run. */
  readonly name: string
  readonly directory: string
  /** The last change of its recording, epoch ms. */
  readonly changedAt: number
}

/** The agent at the address that is looked at while home shows. */
export interface HomeAgent {
  readonly url: string
  readonly answers: boolean
  /** Why it refused us, if it did. */
  readonly refusal?: string | null
  /** What was seen of its run; null if nothing was. */
  readonly facts: TailFacts | null
}

/** What home knows. It is replaced as a whole with each change. */
export interface Home {
  /** The directory, sanitized. */
  readonly root: string
  /** Latest change first; null until they were looked for. */
  readonly runs: readonly HomeRun[] | null
  /** Why some could not be looked for, in one line each. */
  readonly closed: readonly string[]
  /** By the names of the runs that were read; null for one that can't be. */
  readonly facts: ReadonlyMap<string, TailFacts | null>
  readonly agent: HomeAgent
  /** The agent CLIs that are installed here. */
  readonly clis: readonly string[]
}

/** The orders of home, each in words. */
export const HOME_ORDERS = {
  newest: "what needs you, what runs, then the newest",
  name: "by name",
} as const

export type HomeOrder = keyof typeof HOME_ORDERS

/** How a person looks at the runs. */
export interface HomeView {
  /** Key of the row under the cursor; null for the first. */
  readonly selected: string | null
  readonly filter: string
  readonly sort: HomeOrder
  /** Key of the row that another press removes; null for none. */
  readonly forgets: string | null
}

export const freshHomeView: HomeView = { selected: null, filter: "", sort: "newest", forgets: null }
/** What the names of runs that were kept begin with. */
export const KEPT = "kept/"

/** What can be opened from home. */
export type RunTarget =
  /** A recording, a session directory or a log; a run that goes on is followed in its file. */
  | { readonly type: "recording"; readonly path: string }
  /** `directory`: its session directory; null if unknown. */
  | { readonly type: "agent"; readonly url: string; readonly directory: string | null }
  | { readonly type: "demo" }
