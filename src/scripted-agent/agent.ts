// Starts the scripted agent: a real server that plays a recording as the real hub would.
import { rmSync } from "node:fs"
import { Inbound, temporaryLog } from "../agent/inbound.ts"
import { systemClock } from "../transport/clock.ts"
import { readLines } from "../transport/file-reader.ts"
import { recordingPath } from "../transport/recording-path.ts"
import { type PlayOptions, ScriptPerformance } from "./performance.ts"
import { readScript } from "./read-script.ts"

export interface AgentOptions extends PlayOptions {
  /** A file, a session directory, or the lines themselves. */
  readonly recording: string | readonly string[]
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** Where the inbound frames go, appended. By default a temporary file that goes when the agent does. */
  readonly logPath?: string
}

export interface Agent {
  readonly url: string
  readonly port: number
  readonly logPath: string
  /** The frames that came so far, parsed; what was no JSON is its text. What came by the API has `"via":"api"`. */
  inbound(): readonly unknown[]
  /** The first frame, come or still to come, that `wants` accepts. Rejects after `ms`, 2000 by default. */
  waitForInbound(wants: (frame: unknown) => boolean, ms?: number): Promise<unknown>
  /** Sends a line now, as if it stood next in the recording: an event gets its number, a prompt waits for its answer. */
  emit(line: string): void
  /** Drops the connections and refuses new ones for `refuseMs`. The play goes on meanwhile. */
  cut(): void
  /** Whether the WebSocket is served. Where not, whoever is attached is dropped; the API answers all the same. */
  serveSocket(serves: boolean): void
  /** Resolves when the recording is played to its end. The agent stays. */
  readonly finished: Promise<void>
  /** Resolves when everything is closed: after `ui-quit`, or after `stop`. */
  readonly done: Promise<void>
  /** Closes everything. A second call changes nothing. */
  stop(): Promise<void>
}

/**
 * Starts the agent (docs/contract.md section 2). Rejects with an Error whose message is one line where the recording cannot
 * be read, the log cannot be written, or the port is taken.
 */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const script = readScript(await recordedLines(options.recording))
  const temporary = options.logPath === undefined ? temporaryLog() : null
  const log = new Inbound(options.logPath ?? temporary?.path ?? "")
  const play = new ScriptPerformance(script, options, text => log.add(text))
  const clock = options.clock ?? systemClock
  const done = Promise.withResolvers<void>()

  let ending: Promise<void> | null = null
  const end = async () => {
    await play.stop()
    log.close()
    if (temporary !== null) rmSync(temporary.directory, { recursive: true, force: true })
    done.resolve()
  }
  const stop = () => {
    ending ??= end()
    return ending
  }
  void play.quit.then(stop)

  try {
    const { url, port } = await play.listen(options.port ?? 0)
    return {
      url,
      port,
      logPath: log.path,
      inbound: () => log.frames(),
      waitForInbound: (wants, ms = 2000) => log.wait(wants, ms, clock),
      emit: line => play.emit(line),
      cut: () => play.cut(),
      serveSocket: serves => play.serveSocket(serves),
      finished: play.finished,
      done: done.promise,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function recordedLines(recording: string | readonly string[]): Promise<readonly string[]> {
  if (typeof recording !== "string") return recording
  const found = recordingPath(recording)
  if ("error" in found) throw new Error(found.error)
  const recorded: string[] = []
  for await (const { lines, remainder } of readLines(found.path)) {
    const all = remainder === null ? lines : [...lines, remainder]
    recorded.push(...all.filter(line => typeof line === "string"))
  }
  return recorded
}
