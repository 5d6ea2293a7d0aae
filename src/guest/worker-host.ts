// Runs a guest's parser in a worker with time limits, so that a parser that hangs or crashes affects nothing else.
import { isObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { programPath } from "../transport/package-files.ts"
import type { WorkerReply, WorkerRequest } from "./worker.ts"

/** Time limits for one line (docs/decisions.md 8.8) and for loading, as in Paperclip's own host, ms. */
const LIMITS = { lineMs: 50, loadMs: 5000 }
/** How long after the limit a thread is stopped that uses no CPU time or begins no request, ms. */
const GRACE_MS = 2000
const CHECK_MS = 10

/** The worker of one parser, from its start until it fails or is closed. */
export class WorkerHost {
  readonly #worker: Worker
  /** The numbers of requests begun and finished by the worker. */
  readonly #counters = new Int32Array(new SharedArrayBuffer(8))
  readonly #pending: { readonly limitMs: number; readonly resolve: (reply: WorkerReply | null) => void }[] = []
  #timer: Timer | null = null
  /** The counters, and the time and the CPU time at which they were first seen, ms. */
  #last = { begun: -1, finished: -1, since: 0, cpu: 0 }
  #failure: string | null = null

  private constructor(private readonly lineMs: number) {
    // Third-party code gets no environment variables.
    this.#worker = new Worker(programPath("src/guest/worker"), { env: {}, smol: true })
    this.#worker.onmessage = ({ data }: MessageEvent<unknown>) => this.#pending.shift()?.resolve(decodeReply(data))
    this.#worker.onerror = ({ message }) => this.#end(`it crashed: ${sanitizeLine(message.split("\n", 1)[0] ?? "")}`)
    this.#worker.addEventListener("close", () => this.#end("its thread ended"))
    this.#worker.unref()
  }

  /** Starts a parser from its CommonJS source. Rejects with an Error with a short message if it can't be started. */
  static async open(source: string, limits: Partial<typeof LIMITS> = {}): Promise<WorkerHost> {
    const { lineMs, loadMs } = { ...LIMITS, ...limits }
    const host = new WorkerHost(lineMs)
    const reply = await host.#request({ type: "load", source, counters: host.#counters.buffer }, loadMs)
    const why = reply === null ? (host.#failure ?? "it ended") : "error" in reply ? reply.error : null
    if (why === null) return host
    host.close()
    throw new Error(sanitizeLine(why))
  }

  /** Why the parser was stopped, in a few words; null while it runs. */
  get failure(): string | null {
    return this.#failure
  }

  /** The parser's reply to a line; null if it was stopped, at this line or earlier. Replies come in order. */
  parse(line: string, ts: string): Promise<WorkerReply | null> {
    return this.#request({ type: "parse", line, ts }, this.lineMs)
  }

  reset(): Promise<WorkerReply | null> {
    return this.#request({ type: "reset" }, this.lineMs)
  }

  close(): void {
    this.#end("it was closed")
  }

  #request(request: WorkerRequest, limitMs: number): Promise<WorkerReply | null> {
    if (this.#failure !== null) return Promise.resolve(null)
    return new Promise(resolve => {
      this.#pending.push({ limitMs, resolve })
      this.#worker.postMessage(request)
      this.#timer ??= setInterval(() => this.#checkTime(), CHECK_MS)
    })
  }

  /** Stops a parser whose oldest request exceeds the limit in time and in CPU time, as a slow machine may not. */
  #checkTime(): void {
    const oldest = this.#pending[0]
    if (oldest === undefined) {
      if (this.#timer !== null) clearInterval(this.#timer)
      this.#timer = null
      this.#last.begun = -1
      return
    }
    const begun = Atomics.load(this.#counters, 0)
    const finished = Atomics.load(this.#counters, 1)
    const [now, cpu] = [performance.now(), cpuMs()]
    if (begun !== this.#last.begun || finished !== this.#last.finished) {
      this.#last = { begun, finished, since: now, cpu }
      return
    }
    const took = now - this.#last.since
    const worked = cpu - this.#last.cpu
    const late = oldest.limitMs + GRACE_MS
    const isOver =
      begun > finished
        ? (took >= oldest.limitMs && worked >= oldest.limitMs) || took >= late
        : took >= late && worked >= late
    if (isOver) this.#end(`it took longer than ${oldest.limitMs} ms`)
  }

  #end(why: string): void {
    if (this.#failure !== null) return
    this.#failure = why
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#worker.terminate()
    for (const { resolve } of this.#pending.splice(0)) resolve(null)
  }
}

/** Decodes a message of the worker. The parser may have found a way to send messages itself, so it is untrusted. */
function decodeReply(data: unknown): WorkerReply {
  if (!isObject(data)) return {}
  const { error, json } = data
  if (typeof error === "string") return { error }
  return typeof json === "string" ? { json } : {}
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
