// Says what the conversations with agents have in common: they hear lines, and say some. A conversation keeps its state
// to itself, does no I/O and reads no clock.
import type { Command } from "../../protocol/command.ts"
import type { JsonObject } from "../../protocol/json.ts"
import type { Output } from "./output.ts"

/** What is known of a conversation before its first line. */
export interface TalkOptions {
  /** What the agent is called until it says its name. */
  readonly name: string
  /** The working directory. */
  readonly cwd: string
  /** The first prompt; null to ask for one. */
  readonly prompt: string | null
  /** True to end after the first prompt's result. */
  readonly once: boolean
  /** False if nobody can answer: then nothing is asked, and nothing is allowed. */
  readonly asks: boolean
}

/** A conversation over a command's stdin and stdout. What it tells goes to its output. */
export interface Talk {
  /** The command has started. */
  begin(): void
  /** The agent said this line. */
  heard(line: JsonObject): void
  /** A person wants this. Returns false for what the agent can't do. */
  command(command: Command): boolean
  /** Refuses what is open: nobody is left who could answer. */
  leave(): void
  /** The command has ended: `reason` says how. */
  exit(reason: string, failed: boolean): void
  /** True once nothing more will be said, so that the command's stdin can be closed. */
  readonly isOver: boolean
  /** What went wrong, in words; null if nothing did. */
  readonly failure: string | null
}

/** Makes the conversation with one agent. `say` sends it a line. */
export type MakeTalk = (out: Output, say: (line: JsonObject) => void, options: TalkOptions) => Talk
