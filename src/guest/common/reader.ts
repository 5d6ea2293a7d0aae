// Defines the readers of CLIs. A reader keeps its state to itself, does no I/O and reads no clock.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import type { CliOutcome, Output, Owner } from "./output.ts"
import type { AgentStart } from "./subagent.ts"

/** Reads the lines of one CLI: its output, or its session file. */
export interface Reader {
  /** Reads a line; its events go to the reader's output. Returns the kind of the line if it is unknown, else null. */
  read(line: JsonObject): string | null
  /** Writes the open part of a reply, because no more lines come for now. */
  pause(): void
  /** The command has ended: `reason` says how. */
  exit(reason: string, failed: boolean): void
  /** How the CLI says that the run ended; null while the run goes on. */
  readonly ending: CliOutcome | null
  /** What came only after lines that are to be read with it; null if there is nothing. */
  readonly late: LateStart | null
  /** The session, if there is one and it has begun. */
  readonly owner?: Owner | null
}

/** The facts of a run before its first line. */
export interface ReaderStart {
  /** The session's id, where the CLI's log has it only at its end. */
  readonly session: string | null
  /** The prompt on the command line, for CLIs that don't print it. */
  readonly prompt: string | null
  readonly agent?: AgentStart
  /** The lines that a rewind left behind, by their ids, each with the number of its branch. */
  readonly left?: ReadonlyMap<string, number>
}

/** What a log may tell late: its session's id at its end, and what was left behind with each rewind. */
export type LateStart = Partial<Pick<ReaderStart, "session" | "left">>

/** A function that reads the lines of a kind; null for a kind whose facts other kinds tell too. */
export type Kinds = { readonly [kind: string]: ((fields: JsonObject) => void) | null }

/** Kinds whose facts other kinds tell too. */
export function silent(...kinds: readonly string[]): Kinds {
  return Object.fromEntries(kinds.map(kind => [kind, null]))
}

/** Reads a line by its kind. Returns the kind if it is unknown, else null. */
export function readKind(kinds: Kinds, kind: string, fields: JsonObject): string | null {
  if (!Object.hasOwn(kinds, kind)) {
    return kind === "" ? "a line without a type" : kind.replace(/\/$|(?: of)? $/, " without a type")
  }
  kinds[kind]?.(fields)
  return null
}

export type MakeReader = (out: Output, known: ReaderStart) => Reader
