// Starts the agent once, follows its transcript into the host's log, and returns the outcome.
import { stat } from "node:fs/promises"
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import { LineSplitter, type SourceLine } from "../../../wire/src/files/line-splitter.ts"
import type { JsonObject } from "../../../wire/src/json.ts"
import { RunTotals } from "../run-totals.ts"
import { readRow } from "./agent-output.ts"
import { DeltaBuffer } from "./delta-buffer.ts"
import type { ChildEnvironment } from "./environment.ts"
import { followTranscript, transcriptFrom } from "./follow-transcript.ts"
import { chunksOf, ownLine, shortenText } from "./print-lines.ts"
import { runProcess } from "./process.ts"
import type { Settings } from "./settings.ts"

export type Attempt = Readonly<Awaited<ReturnType<typeof attempt>>>

interface AttemptStart {
  readonly args: readonly string[]
  readonly env: ChildEnvironment
  readonly sessionId: string
  readonly resumed: boolean
  /** The absolute path, even if the file is never written. */
  readonly transcript: string
}

/** The last UTF-16 units kept of each of the agent's streams. */
const TAIL_LIMIT = 32 * 1024

/** Behind these words the host may redact all that is left of a chunk, with its line end. */
const MAY_LOSE_END = /authorization|bearer/i

type Stream = "stdout" | "stderr"

/** Rejects if the process cannot start. Errors of `onLog` are ignored: a run continues without its log. */
export async function attempt(ctx: AdapterExecutionContext, settings: Settings, start: AttemptStart) {
  const { args, env, sessionId, resumed, transcript } = start
  const { command, cwd, workDir, timeoutSec, graceSec } = settings
  // Whole lines, one call at a time: the host joins the chunks and splits them at line ends.
  let last = Promise.resolve()
  const hasLostEnd = { stdout: false, stderr: false }
  const log = (stream: Stream, chunk: string): Promise<void> => {
    const whole = hasLostEnd[stream] ? `\n${chunk}` : chunk
    hasLostEnd[stream] = MAY_LOSE_END.test(chunk)
    last = last.then(() => ctx.onLog(stream, whole)).catch(() => undefined)
    return last
  }
  // Only stdout is parsed.
  const logText = (stream: Stream, line: string): Promise<void> =>
    log(stream, `${stream === "stdout" ? ownLine(line) : shortenText(line)}\n`)
  const output = new RunTotals(settings.model)
  const buffer = new DeltaBuffer()
  const logRows = async (rows: readonly JsonObject[]) => {
    for (const chunk of rows.flatMap(chunksOf)) await log("stdout", chunk)
  }
  const tails = { stdout: new StreamTail(), stderr: new StreamTail() }
  // Rows before this position belong to earlier runs of a resumed session.
  const file = await transcriptFrom(transcript, workDir)
  const before = await sizeOf(transcript)
  const running = runProcess(command, args, {
    cwd,
    env,
    timeoutSec,
    graceSec,
    signal: ctx.signal,
    onSpawn: async pid => ctx.onSpawn?.({ pid, processGroupId: pid, startedAt: new Date().toISOString() }),
    onOutput: async (stream, chunk) => {
      for (const line of tails[stream].push(chunk)) await logText(stream, line)
    },
  })
  const followed = followTranscript(file, {
    ended: running.catch(() => undefined),
    onLine: async line => {
      const row = readRow(line)
      if (row === null) await logText("stdout", line)
      else await logRows(buffer.push(output.annotate(row), Date.now()))
    },
    onLook: async () => logRows(buffer.due(Date.now())),
  })
  const [outcome] = await Promise.all([running, followed])
  await logRows(buffer.rest(Date.now()))
  for (const stream of ["stdout", "stderr"] as const) {
    const rest = tails[stream].rest()
    if (rest !== "") await logText(stream, rest)
  }
  await last
  /** The last part of the agent's own output. */
  const [stdout, stderr] = [tails.stdout.tail, tails.stderr.tail]
  /** True if this attempt wrote to its transcript, readable or not. */
  const hasWritten = output.rows > 0 || (await sizeOf(transcript)) !== before
  return { outcome, output, stdout, stderr, sessionId, resumed, hasWritten, transcript }
}

/** In bytes; 0 if there is no such file. */
function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}

/** Splits one of the agent's streams into lines, and keeps its last text. */
class StreamTail {
  tail = ""
  readonly #splitter = new LineSplitter()

  push(chunk: Uint8Array): string[] {
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
