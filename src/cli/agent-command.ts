// Runs the scripted agent from the command line; `agentUsage` says how.
import { join } from "node:path"
import { parseArgs } from "node:util"
import { temporaryLog } from "../agent/inbound.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { startAgent } from "../scripted-agent/agent.ts"
import { FAULT_KINDS, type Fault, readFault } from "../scripted-agent/faults.ts"
import { recordingPath } from "../transport/recording-path.ts"

export const agentUsage = `agent RECORDING [--port N] [--speed N] [--hold] [--debug] [--api-only] [--alone] [--fault KIND@N]...
  Plays a recording to whoever attaches, as the agent would.
  --port N        the port on 127.0.0.1; 0, the default, takes a free one
  --speed N       divides the recorded gaps; 0 or "instant": as fast as possible
  --hold          waits at each prompt also when nobody is attached
  --debug         a debugger is attached: pause, step, continue, arm and turns work
  --branch-error TEXT
                  re-runs cannot start, for this reason
  --api-only      POST /api is served, the socket is not; nobody is waited for
  --alone         begins at once, though nobody is attached
  --session-dir DIR
                  where the run is kept, as a transcript.jsonl with captures; default: a new temporary directory
  --snippets      rows keep 80 characters of what is captured, as the real agent's do
  --refuse MS     how long nobody is let in after a cut, 250 by default
  --log FILE      where the inbound frames go, one a line; default: a new temporary file
  --fault KIND@N  ${FAULT_KINDS.join(", ")}; at the N-th event`

/** Where the command writes, and when it is told to end. */
export interface AgentTerminal {
  out(text: string): void
  err(text: string): void
  /** Aborted by the signals that end the process. */
  readonly ended: AbortSignal
}

/**
 * Runs until a UI quits the run or `ended` is aborted. The first line of output is the URL and the path of the log of
 * inbound frames, the second the session directory. Gives the exit code: 0, 1 where it cannot start, 2 where the arguments make no sense.
 */
export async function runAgent(args: readonly string[], terminal: AgentTerminal): Promise<number> {
  const options = readAgentOptions(args)
  if (typeof options === "string") {
    terminal.err(`opentui-sidecar ${options}; --help says more\n`)
    return 2
  }
  const found = recordingPath(options.recording)
  if ("error" in found) {
    terminal.err(`opentui-sidecar agent: ${found.error}\n`)
    return 2
  }
  try {
    const own = options.logPath === undefined || options.sessionDir === undefined ? temporaryLog() : null
    const logPath = options.logPath ?? own?.path ?? ""
    const sessionDir = options.sessionDir ?? join(own?.directory ?? "", "session")
    const agent = await startAgent({ ...options, logPath, sessionDir })
    terminal.out(`${agent.url} ${agent.logPath}\nsession directory ${sessionDir}\n`)
    const stop = () => void agent.stop()
    terminal.ended.addEventListener("abort", stop, { once: true })
    if (terminal.ended.aborted) stop()
    await agent.done
    terminal.ended.removeEventListener("abort", stop)
    return 0
  } catch (error) {
    terminal.err(`opentui-sidecar agent: ${sanitizeLine(error instanceof Error ? error.message : String(error))}\n`)
    return 1
  }
}

/** Characters that the real agent's rows keep of a long text. */
const SNIPPET = 80

interface Options {
  readonly recording: string
  readonly port: number
  readonly speed: number
  readonly hold: boolean
  readonly debug?: boolean
  readonly socket?: false
  readonly branchError?: string
  readonly refuseMs?: number
  readonly logPath?: string
  readonly sessionDir?: string
  readonly snippets?: number
  readonly waitForClient?: boolean
  readonly faults: readonly Fault[]
}

/** The options, or one line that says which argument is wrong. */
export function readAgentOptions(args: readonly string[]): Options | string {
  const parsed = parse(args)
  if (typeof parsed === "string") return parsed
  const { values, positionals } = parsed
  const [recording, ...more] = positionals
  if (recording === undefined) return "agent: which recording?"
  if (more.length > 0) return "agent: one recording at a time"
  const port = number(values.port ?? "0", 65_535)
  if (port === null || !Number.isInteger(port)) return "agent: --port takes a number from 0 to 65535"
  const speed = values.speed === "instant" ? 0 : number(values.speed ?? "1", 1_000_000)
  if (speed === null) return "agent: --speed takes a number of 0 or more, or instant"
  const faults: Fault[] = []
  for (const text of values.fault ?? []) {
    const fault = readFault(text)
    if (fault === null) return `agent: --fault takes KIND@N, not ${sanitizeLine(text)}`
    faults.push(fault)
  }
  const refuseMs = number(values.refuse ?? "250", 3_600_000)
  if (refuseMs === null) return "agent: --refuse takes a number of ms"
  return {
    recording,
    port,
    speed,
    hold: values.hold ?? false,
    faults,
    ...(values.debug === undefined ? {} : { debug: values.debug }),
    ...(values["api-only"] === true ? { socket: false } : {}),
    ...(values.alone === true ? { waitForClient: false } : {}),
    ...(values["session-dir"] === undefined ? {} : { sessionDir: values["session-dir"] }),
    ...(values.snippets === true ? { snippets: SNIPPET } : {}),
    ...(values["branch-error"] === undefined ? {} : { branchError: values["branch-error"] }),
    ...(values.refuse === undefined ? {} : { refuseMs }),
    ...(values.log === undefined ? {} : { logPath: values.log }),
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        port: { type: "string" },
        speed: { type: "string" },
        hold: { type: "boolean" },
        debug: { type: "boolean" },
        "api-only": { type: "boolean" },
        alone: { type: "boolean" },
        "session-dir": { type: "string" },
        snippets: { type: "boolean" },
        "branch-error": { type: "string" },
        refuse: { type: "string" },
        log: { type: "string" },
        fault: { type: "string", multiple: true },
      },
    })
  } catch (error) {
    return `agent: ${sanitizeLine(error instanceof Error ? error.message : String(error))}`
  }
}

function number(text: string, most: number): number | null {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  return value <= most ? value : null
}
