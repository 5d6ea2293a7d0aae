// Says what the readers of all CLIs have in common. A reader keeps its state to itself, does no I/O and reads no clock.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import type { CliOutcome, Output, Owner } from "./output.ts"
import type { KnownAgent } from "./subagent.ts"

/** Reads the lines of one CLI, in one of its two envelopes: what it prints, or its session file. */
export interface Reader {
  /** Reads a line; its events go to the reader's output. Returns the kind of the line if it is unknown, else null. */
  read(line: JsonObject): string | null
  /** Writes what is still open of a reply, because no more lines come for now. */
  pause(): void
  /** The command has ended: `reason` says how. */
  exit(reason: string, failed: boolean): void
  /** How the run ended by what the CLI said; null if it has said nothing of that since it went on. */
  readonly ending: CliOutcome | null
  /** What the lines have told only after others that are to be read with it, and nobody knew; else null. */
  readonly late: LateContext | null
  /** The session, where the lines tell of one and it has begun. */
  readonly owner?: Owner | null
}

/** What is known of a run before its first line. */
export interface KnownContext {
  /** The session's id, where the CLI's log tells it only at its end. */
  readonly session: string | null
  /** The prompt on the command line, for CLIs that don't print it. */
  readonly prompt: string | null
  /** What the lines are of, where a subagent has a file of its own. */
  readonly agent?: KnownAgent
  /** The lines that a rewind left behind, by their ids, each with the number of its branch. */
  readonly left?: ReadonlyMap<string, number>
}

/** What a log may tell late: its session's id at its end, and what was left behind with each rewind. */
export type LateContext = Partial<Pick<KnownContext, "session" | "left">>

/** Makes the reader of one run. */
export type MakeReader = (out: Output, known: KnownContext) => Reader
