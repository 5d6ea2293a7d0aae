// Says what the conversations with agents have in common: they hear lines, and say some. A conversation keeps its state
// to itself, does no I/O and reads no clock.
import type { Command } from "../../../packages/wire/src/command.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import type { Output } from "./output.ts"

/** The settings of a conversation. */
export interface TalkOptions {
  /** The agent's name until it tells its own. */
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

/** A conversation over a command's stdin and stdout. It writes its events to its output. */
export interface Talk {
  /** The command has started. */
  begin(): void
  /** The agent said this line. */
  heard(line: JsonObject): void
  /** Carries out a person's command. Returns false if the agent can't do it. */
  command(command: Command): boolean
  /** Refuses all open requests, because the person leaves. */
  leave(): void
  /** The command has ended: `reason` says how. */
  exit(reason: string, failed: boolean): void
  /** True once nothing more will be said, so that the command's stdin can be closed. */
  readonly isOver: boolean
  /** The error in words; null if there was none. */
  readonly failure: string | null
}

/** Makes the conversation with one agent. `say` sends it a line. */
export type MakeTalk = (out: Output, say: (line: JsonObject) => void, options: TalkOptions) => Talk
