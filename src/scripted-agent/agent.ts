// Starts the scripted agent: a real server that plays a recording as the real agent's hub would.
import { rmSync } from "node:fs"
import { InboundLog, temporaryLog } from "../agent/inbound-log.ts"
import { systemClock } from "../transport/clock.ts"
import { readLines } from "../transport/file-reader.ts"
import { recordingPath } from "../transport/recording-path.ts"
import { readScript } from "./read-script.ts"
import { type PlayOptions, ScriptServer } from "./script-server.ts"

export interface AgentOptions extends PlayOptions {
  /** The path of a file or of a session directory, or the lines themselves. */
  readonly recording: string | readonly string[]
  /** 0, the default, selects a free port. */
  readonly port?: number
  /** The file to which inbound messages are appended. By default a temporary file that is removed at the end. */
  readonly logPath?: string | undefined
}

export interface Agent {
  readonly url: string
  readonly port: number
  readonly logPath: string
  /** The messages received so far, parsed; text that isn't JSON is a string. Those of the API have `"via":"api"`. */
  inbound(): readonly unknown[]
  /** The first message, past or future, that `matches` accepts. Rejects after `ms`, 2000 by default. */
  waitForInbound(matches: (message: unknown) => boolean, ms?: number): Promise<unknown>
  /** Plays a line now as if it were next in the recording: an event gets a number, a prompt waits for its answer. */
  emit(line: string): void
  /** Drops all connections and refuses new ones for `refuseMs`. The playback continues meanwhile. */
  disconnectAll(): void
  /** Turns the WebSocket on or off. Turning it off drops all connections. The API is always served. */
  serveSocket(serves: boolean): void
  /** Resolves at the end of the recording. The agent keeps running. */
  readonly finished: Promise<void>
  /** Resolves when everything is closed, after `ui-quit` or `stop`. */
  readonly done: Promise<void>
  /** Closes everything. A second call changes nothing. */
  stop(): Promise<void>
}

/** Rejects with a one-line Error if the recording can't be read, the log can't be written, or the port is taken. */
export async function startAgent(options: AgentOptions): Promise<Agent> {
  const script = readScript(await recordedLines(options.recording))
  const temporary = options.logPath === undefined ? temporaryLog() : null
  const log = new InboundLog(options.logPath ?? temporary?.path ?? "")
  const server = new ScriptServer(script, options, text => log.add(text))
  const clock = options.clock ?? systemClock
  const done = Promise.withResolvers<void>()

  let ending: Promise<void> | null = null
  const end = async () => {
    await server.stop()
    log.close()
    if (temporary !== null) rmSync(temporary.directory, { recursive: true, force: true })
    done.resolve()
  }
  const stop = () => {
    ending ??= end()
    return ending
  }
  void server.quit.then(stop)

  try {
    const { url, port } = await server.listen(options.port ?? 0)
    return {
      url,
      port,
      logPath: log.path,
      inbound: () => log.messages(),
      waitForInbound: (matches, ms = 2000) => log.waitFor(matches, ms, clock),
      emit: line => server.emit(line),
      disconnectAll: () => server.disconnectAll(),
      serveSocket: serves => server.serveSocket(serves),
      finished: server.finished,
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
  const recorded: string[] = []
  for await (const { lines, remainder } of readLines(recordingPath(recording))) {
    const all = remainder === null ? lines : [...lines, remainder]
    recorded.push(...all.filter(line => typeof line === "string"))
  }
  return recorded
}
