// Defines the home screen: the runs below a directory, the facts read of them, and the view of their list.
import type { TailFacts } from "../run/select/tail-facts.ts"

/** A run below the directory, or a session that an agent CLI keeps. */
export interface HomeRun {
  /** Raw path below the directory; empty if that itself is a run. Of a session, the path of its file. */
  readonly name: string
  /** The directory of the run, or the file of the session. */
  readonly directory: string
  readonly cli?: string
  /** The last change of its recording, epoch ms. */
  readonly changedAt: number
  /** Of a session that an agent has told of: how to go on with it. */
  readonly talk?: EarlierTalk
}

/** A session of an agent that speaks the Agent Client Protocol, and the directory that it works in. */
export interface EarlierTalk {
  readonly command: readonly string[]
  readonly sessionId: string
  readonly directory: string
}

/** How a session is doing, as its CLI tells; `quiet` where nobody tells. */
export type CliState = "working" | "waiting" | "idle" | "quiet" | "ended" | "failed" | "killed"

/** The facts of a session in its store. Texts are sanitized and on one line. */
export interface CliSession {
  readonly id: string
  readonly state: CliState
  /** The directory that its CLI runs in, and the branch there. */
  readonly place: string
  readonly branch: string
  /** Its title, else its first prompt. */
  readonly title: string
  readonly model: string
  /** How full the context is, 0 to 1; null if nobody told. */
  readonly context: number | null
  readonly subagents: number
}

/** The facts read of a run, or told by a session's store. */
export interface HomeFacts extends TailFacts {
  readonly session?: CliSession
  /** Of a run that was kept, where its command ran and what it was asked; empty where that is unknown. */
  readonly kept?: { readonly place: string; readonly prompt: string }
}

/** The agent at the address that is looked at while home shows. */
export interface HomeAgent {
  readonly url: string
  readonly answers: boolean
  /** Why it refused us, if it did. */
  readonly refusal?: string | null
  /** The facts of its run; null if none was seen. */
  readonly facts: TailFacts | null
}

/** The data of home, replaced as a whole with each change. */
export interface Home {
  /** The directory, sanitized. */
  readonly root: string
  /** Latest change first; null until they were looked for. */
  readonly runs: readonly HomeRun[] | null
  /** Why some could not be looked for, in one line each. */
  readonly closed: readonly string[]
  /** By the names of the runs that were read; null for one that can't be. */
  readonly facts: ReadonlyMap<string, HomeFacts | null>
  /** The directories of agent CLIs whose sessions are listed, as a person writes them. */
  readonly stores?: readonly string[]
  readonly agent: HomeAgent
  readonly clis: readonly string[]
}

export interface HomeView {
  /** Key of the row under the cursor; null for the first. */
  readonly selected: string | null
  readonly filter: string
  /** Key of the row that another press removes; null for none. */
  readonly forgets: string | null
}

export const freshHomeView: HomeView = { selected: null, filter: "", forgets: null }
/** The beginning of the names of kept runs. */
export const KEPT = "kept/"

export type RunTarget =
  /** A recording, a session directory or a log; a run that goes on is followed in its file. */
  | { readonly type: "recording"; readonly path: string }
  /** `directory`: its session directory; null if unknown. */
  | { readonly type: "agent"; readonly url: string; readonly directory: string | null }
  | ({ readonly type: "talk" } & EarlierTalk)
  | { readonly type: "demo" }
