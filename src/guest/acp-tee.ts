// Stands between an editor and its agent: passes every byte on, both ways, and then writes what they say to each other
// over the Agent Client Protocol as frames of the wire.
import { type ChildProcess, spawn } from "node:child_process"
import { LineSplitter } from "../../packages/wire/src/files/line-splitter.ts"
import { isObject, parseJson } from "../../packages/wire/src/json.ts"
import { childEnvironment } from "../transport/child-environment.ts"
import { AcpTraffic } from "./acp/acp-traffic.ts"
import { readMessage } from "./acp/rpc.ts"
import { Output } from "./common/output.ts"
import { GuestEvents } from "./guest-events.ts"
import { guestName } from "./guest-source.ts"
import { exitCode } from "./launch.ts"

/**
 * Runs the agent's command; resolves with its exit code, and rejects if it can't be started. `write` puts lines of the
 * recording behind those before; it may throw, which doesn't concern the two.
 */
export function acpTee(command: readonly string[], write: (lines: readonly string[]) => void): Promise<number> {
  const [program = "", ...words] = command
  const child = spawn(program, words, { env: childEnvironment(), stdio: ["pipe", "pipe", "inherit"] })
  // A fault of ours must not end the traffic.
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.removeAllListeners(event).on(event, () => undefined)
  return passOn(child, new TeeRecorder(guestName(command), write))
}

/** The sender. */
type Side = "editor" | "agent"

/** The most bytes that may wait to be recorded. With more the recording ends there. */
const MAX_BACKLOG = 64 * 1024 * 1024

class TeeRecorder {
  readonly #events: GuestEvents
  readonly #out = new Output()
  readonly #traffic: AcpTraffic
  readonly #splitters = { editor: new LineSplitter(), agent: new LineSplitter() }
  readonly #write: (lines: readonly string[]) => void
  #backlog: { readonly side: Side; readonly bytes: Uint8Array; readonly ts: number }[] = []
  #waiting = 0
  /** True once nothing more can be recorded. */
  #hasFailed = false

  /** `write` puts lines behind those before; it may throw, which ends the recording. */
  constructor(name: string, write: (lines: readonly string[]) => void) {
    this.#events = new GuestEvents(name)
    this.#traffic = new AcpTraffic(this.#out, name)
    this.#write = write
    this.#attempt(() => write([this.#events.begin(Date.now())]))
  }

  /** Takes bytes that were already passed on. Returns at once, and never throws. */
  take(side: Side, bytes: Uint8Array): void {
    if (this.#hasFailed) return
    this.#waiting += bytes.length
    if (this.#waiting > MAX_BACKLOG) {
      this.#endEarly("more was said at once than could be recorded")
      return
    }
    this.#backlog.push({ side, bytes, ts: Date.now() })
    if (this.#backlog.length === 1) setImmediate(() => this.#next())
  }

  /** The agent has ended: records the rest, and how it ended. */
  end(reason: string, failed: boolean): void {
    while (this.#backlog.length > 0 && !this.#hasFailed) this.#record()
    this.#attempt(() => {
      this.#out.begin(Date.now(), null)
      this.#traffic.exit(reason, failed)
      const event = failed ? "runner/error" : "runner/done"
      const ending = this.#events.ofRun(event, Date.now(), failed ? { message: reason } : { status: "done" })
      this.#write([...this.#taken(), ending])
    })
  }

  #next(): void {
    this.#record()
    if (this.#backlog.length > 0) setImmediate(() => this.#next())
  }

  #record(): void {
    const piece = this.#backlog.shift()
    if (piece === undefined) return
    this.#waiting -= piece.bytes.length
    this.#attempt(() => {
      this.#out.begin(piece.ts, null)
      for (const line of this.#splitters[piece.side].push(piece.bytes))
        this.#read(piece.side, typeof line === "string" ? line : line.head)
      const lines = this.#taken()
      if (lines.length > 0) this.#write(lines)
    })
  }

  #read(side: Side, line: string): void {
    const value = line.trim().startsWith("{") ? parseJson(line) : undefined
    const message = isObject(value) ? readMessage(value) : null
    if (message === null) {
      if (line.trim() !== "") this.#out.ofRun(`adapter/${side}`, { text: line })
    } else if (side === "agent") this.#traffic.fromAgent(message)
    else this.#traffic.toAgent(message)
  }

  #taken(): readonly string[] {
    return this.#out.take().map(event => this.#events.ofReader(event))
  }

  /** Nothing more is recorded, which the recording says if it can. */
  #endEarly(reason: string): void {
    this.#backlog = []
    this.#attempt(() => this.#write([...this.#taken(), this.#events.ofRun("runner/aborted", Date.now(), { reason })]))
    this.#hasFailed = true
  }

  #attempt(work: () => void): void {
    if (this.#hasFailed) return
    try {
      work()
    } catch {
      // The editor and its agent go on.
      this.#hasFailed = true
      this.#backlog = []
    }
  }
}

/** Passes each side's bytes to the other first and then to the recorder, until the agent ends. */
function passOn(child: ChildProcess, recorder: Pick<TeeRecorder, "take" | "end">): Promise<number> {
  const { stdin, stdout } = child
  const ended = Promise.withResolvers<number>()
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))
  // Whoever is gone reads nothing; the other's end follows from that.
  for (const stream of [stdin, process.stdout]) stream?.on("error", () => child.kill("SIGTERM"))
  if (stdin !== null) process.stdin.pipe(stdin)
  process.stdin.on("data", (bytes: Buffer) => recorder.take("editor", bytes))
  stdout?.pipe(process.stdout, { end: false })
  stdout?.on("data", (bytes: Buffer) => recorder.take("agent", bytes))
  child.on("error", ended.reject)
  child.on("close", (code, signal) => {
    const reason = signal === null ? `exit code ${code ?? 1}` : `ended by ${signal}`
    recorder.end(reason, code !== 0)
    process.stdin.destroy()
    ended.resolve(exitCode({ code, signal }))
  })
  return ended.promise
}
