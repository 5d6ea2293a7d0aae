// Runs the scripted agent from the command line, and starts it for the demo.
import { rmSync } from "node:fs"
import { join } from "node:path"
import { InputError, recordingAt } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { DemoRun } from "../scripted-agent/demo.ts"
import { FAULT_KINDS, type Fault, parseFault } from "../scripted-agent/faults.ts"
import { temporaryLog } from "../scripted-agent/inbound-log.ts"
import { startAgent } from "../scripted-agent/scripted-agent.ts"
import type { AgentKind, ScriptedOptions } from "../scripted-agent/scripted-options.ts"
import { root } from "../transport/package-files.ts"
import { printOut } from "../ui/standard-streams.ts"
import { complain, errorLine, parseSubjects } from "./command-arguments.ts"
import { flag, located, type OptionTable, valued, whole } from "./option.ts"
import { number } from "./option-value.ts"

export const AGENT_OPTIONS = {
  port: whole("port on 127.0.0.1; default 0: any free port", [0, 65_535], "0"),
  speed: valued('divides the recorded pauses; 0 or "instant": as fast as possible', { takes: "N" }),
  hold: flag("waits at each question even when no client is attached"),
  debug: flag("attaches a debugger, so that its ops work"),
  "session-dir": located("where to write transcript.jsonl and captures; default a new temporary directory", "DIR"),
  as: valued("escapement: with the habits of that agent, which are less kind", { takes: "KIND" }),
  log: located("where to write inbound frames, one per line; default a new temporary file", "FILE"),
  fault: valued(`injects a fault at the Nth event: ${FAULT_KINDS.join(", ")}`, { multiple: true, takes: "KIND@N" }),
} satisfies OptionTable

/** Prints the URL, the log's path and the session directory, then runs until quit or a signal. Returns 0 or 1. */
export async function agentCommand(args: readonly string[]): Promise<number> {
  const options = readAgentOptions(args)
  recordingAt(options.recording)
  try {
    const own = options.logPath === undefined || options.sessionDir === undefined ? temporaryLog() : null
    const logPath = options.logPath ?? own?.path ?? ""
    const sessionDir = options.sessionDir ?? join(own?.directory ?? "", "session")
    const agent = await startAgent({ ...options, logPath, sessionDir })
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void agent.stop())
    printOut(sanitize(`${agent.url} ${agent.logPath}\nsession directory ${sessionDir}\n`))
    await agent.done
    return 0
  } catch (error) {
    return complain("agent", errorLine(error), 1)
  }
}

/** An agent with a debugger that plays the demo once a client attaches. `speed` divides its pauses; 0 leaves none. */
export async function demoAgent(speed = 1) {
  const { directory, path } = temporaryLog()
  const remove = (): void => rmSync(directory, { recursive: true, force: true })
  process.on("exit", remove)
  // A file inside the compiled executable can be read, but not opened by path.
  const recording = join(directory, "demo.jsonl")
  await Bun.write(recording, await Bun.file(`${root}fixtures/frames/demo.jsonl`).text())
  const sessionDir = join(directory, "session")
  const demo = new DemoRun(sessionDir)
  const agent = await startAgent({ recording, logPath: path, sessionDir, debug: true, hold: true, speed, demo })
  /** Ends it and removes its files, as the end of the process does. */
  const close = async (): Promise<void> => {
    await agent.stop()
    process.off("exit", remove)
    remove()
  }
  return { agent, sessionDir, close }
}

/** Throws an InputError that names the wrong argument. */
export function readAgentOptions(args: readonly string[]): ScriptedOptions & { readonly recording: string } {
  const { values, subjects } = parseSubjects(args, AGENT_OPTIONS, "a recording")
  const [recording = "", extra] = subjects ?? []
  if (extra !== undefined) throw new InputError(`unexpected argument: ${sanitizeLine(extra)}`)
  const { port = "0", speed = "1" } = values
  return {
    recording,
    port: Number(port),
    speed: speed === "instant" ? 0 : number("--speed", speed, 0, 1_000_000, "instant or a number"),
    hold: values.hold ?? false,
    faults: (values.fault ?? []).map(readFault),
    debug: values.debug,
    sessionDir: values["session-dir"],
    as: readKind(values.as),
    logPath: values.log,
  }
}

function readKind(text: string | undefined): AgentKind | undefined {
  if (text === undefined || text === "scripted" || text === "escapement") return text
  throw new InputError(`--as: expected scripted or escapement, got ${sanitizeLine(text)}`)
}

function readFault(text: string): Fault {
  const fault = parseFault(text)
  if (fault === null) throw new InputError(`--fault: expected KIND@N, got ${sanitizeLine(text)}`)
  return fault
}
