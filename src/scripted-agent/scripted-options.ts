// What a scripted agent is started with.
import type { ChartDefinition } from "../../packages/wire/src/chart-definition.ts"
import type { Clock } from "../transport/clock.ts"
import type { DemoRun } from "./demo.ts"
import type { Fault } from "./faults.ts"

export type AgentKind = "scripted" | "escapement"

export interface ScriptedOptions {
  /** The path of a file or of a session directory, or the lines themselves. */
  readonly recording: string | readonly string[]
  /** 0, the default, selects a free port. */
  readonly port?: number
  /** The file to which inbound messages are appended. By default a temporary file that is removed at the end. */
  readonly logPath?: string | undefined
  /** Divides the recorded gaps; 1 by default, 0 for as fast as possible. */
  readonly speed?: number
  /** Wait at each prompt even if no client is attached. Otherwise the recorded answer is used after `unattendedMs`. */
  readonly hold?: boolean
  /** Ms without a client after which a prompt gets its recorded answer; 3000 by default. */
  readonly unattendedMs?: number
  readonly faults?: readonly Fault[]
  /** Ms for which connections are refused after clients were disconnected; 250 by default. */
  readonly refuseMs?: number | undefined
  /** Whether a debugger is attached, and whether it starts paused; by default as in the recording. */
  readonly debug?: boolean | "paused" | undefined
  /** Start when the first client attaches; true by default. */
  readonly waitForClient?: boolean | undefined
  /** Whether the WebSocket is served from the start; true by default. If not, no client is waited for. */
  readonly socket?: boolean | undefined
  /** The chart that the API returns; by default none. */
  readonly chart?: ChartDefinition
  /** Where to write a session directory like the real agent's; by default none is written. */
  readonly sessionDir?: string | undefined
  /** Whose habits it has: by default its own, which are kinder than those of Escapement. */
  readonly as?: AgentKind | undefined
  /** Tells the recording with the answers that came; by default it is played as it is. */
  readonly demo?: DemoRun
  readonly clock?: Clock
}
