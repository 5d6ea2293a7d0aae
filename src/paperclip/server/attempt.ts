// One start of the agent: the process, its transcript followed into the host's log, and both told.
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import { LineSplitter, type SourceLine } from "../../transport/line-splitter.ts"
import { Tally } from "../run-totals.ts"
import { type AgentOutput, outputOf, readRow } from "./agent-output.ts"
import type { ChildEnvironment } from "./environment.ts"
import { followTranscript, markOf } from "./follow.ts"
import { type ProcessOutcome, runProcess } from "./process.ts"
import type { Settings } from "./settings.ts"
import { slimRow, slimText } from "./shorten-rows.ts"

/** What one start came to. */
export interface Attempt {
  readonly outcome: ProcessOutcome
  readonly output: AgentOutput
  /** The last of what the agent itself printed. */
  readonly stdout: string
  readonly stderr: string
  readonly sessionId: string
  readonly resumed: boolean
  /** Absolute path, whether it came to be or not. */
  readonly transcript: string
}

export interface AttemptStart {
  readonly args: readonly string[]
  readonly env: ChildEnvironment
  readonly sessionId: string
  readonly resumed: boolean
  readonly transcript: string
}

/** UTF-16 units kept of each of the agent's own streams, the last ones. */
const TAIL_LIMIT = 32 * 1024

type Stream = "stdout" | "stderr"

/** Rejects where the process cannot be started. What `onLog` rejects with is dropped: a run outlives its log. */
export async function attempt(ctx: AdapterExecutionContext, settings: Settings, start: AttemptStart): Promise<Attempt> {
  const { args, env, sessionId, resumed, transcript } = start
  const { command, cwd, workDir, timeoutSec, graceSec } = settings
  // One line a call, and one call at a time: the host joins what it gets and splits it at line ends.
  let last = Promise.resolve()
  const log = (stream: Stream, line: string): Promise<void> => {
    last = last.then(() => ctx.onLog(stream, `${line}\n`)).catch(() => undefined)
    return last
  }
  const tally = new Tally()
  const said = { stdout: new Printed(), stderr: new Printed() }
  // A resumed session's rows up to here belong to runs before this one.
  const from = await markOf(transcript)
  const running = runProcess(command, args, {
    ...{ cwd, env, timeoutSec, graceSec, signal: ctx.signal },
    onSpawn: async pid => ctx.onSpawn?.({ pid, processGroupId: pid, startedAt: new Date().toISOString() }),
    onOutput: async (stream, chunk) => {
      for (const line of said[stream].take(chunk)) await log(stream, slimText(line))
    },
  })
  const followed = followTranscript(transcript, {
    from,
    home: workDir,
    over: running.catch(() => undefined),
    onLine: async line => {
      const row = readRow(line)
      await log("stdout", row === null ? slimText(line) : slimRow(tally.annotate(row)))
    },
  })
  const [outcome] = await Promise.all([running, followed])
  for (const stream of ["stdout", "stderr"] as const) {
    const rest = said[stream].rest()
    if (rest !== "") await log(stream, slimText(rest))
  }
  await last
  const [stdout, stderr] = [said.stdout.tail, said.stderr.tail]
  return { outcome, output: outputOf(tally), stdout, stderr, sessionId, resumed, transcript }
}

/** A stream of the agent's own: its lines, and the last of its text. */
class Printed {
  tail = ""
  readonly #splitter = new LineSplitter()

  take(chunk: Uint8Array): string[] {
    return this.#splitter.push(chunk).map(line => this.#keep(line))
  }

  rest(): string {
    const rest = this.#splitter.takeRemainder()
    return rest === "" ? "" : this.#keep(rest)
  }

  #keep(line: SourceLine): string {
    const text = typeof line === "string" ? line : line.head
    this.tail = `${this.tail}${text}\n`.slice(-TAIL_LIMIT)
    return text
  }
}
