// Keeps a guest's parser in a worker and watches how long it takes: what hangs or dies costs that parser, no more.

import { isObject } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { programPath } from "../transport/package-files.ts"
import type { WorkerReply, WorkerRequest } from "./worker.ts"

/** What one line may take (docs/decisions.md 8.8), and what loading may take, as in Paperclip's own host; ms. */
const LIMITS = { lineMs: 50, loadMs: 5000 }
/** A thread that waits burns no time of the processor, and is given up so long after its limit, ms. */
const WAIT_MS = 2000
const LOOK_MS = 10

interface Pending {
  readonly limitMs: number
  readonly resolve: (answer: WorkerReply | null) => void
}

/** The worker of one parser, from its start until it is out. */
export class WorkerHost {
  readonly #worker: Worker
  readonly #counters = new Int32Array(new SharedArrayBuffer(8))
  readonly #lineMs: number
  /** Asked and not yet answered, oldest first. */
  readonly #pending: Pending[] = []
  #watch: Timer | null = null
  #seen = { begun: -1, at: 0, burnt: 0 }
  #out: string | null = null

  private constructor(lineMs: number) {
    this.#lineMs = lineMs
    // Nothing of our environment is for somebody else's code.
    this.#worker = new Worker(programPath("src/guest/worker"), { env: {}, smol: true })
    this.#worker.onmessage = ({ data }: MessageEvent<unknown>) => this.#pending.shift()?.resolve(answerIn(data))
    this.#worker.onerror = ({ message }) => this.#end(`it crashed: ${sanitizeLine(message.split("\n", 1)[0] ?? "")}`)
    this.#worker.addEventListener("close", () => this.#end("its thread ended"))
    this.#worker.unref()
  }

  /** Starts a parser of this text (CommonJS). Rejects with an Error of a few words where it cannot be started. */
  static async open(source: string, limits: Partial<typeof LIMITS> = {}): Promise<WorkerHost> {
    const { lineMs, loadMs } = { ...LIMITS, ...limits }
    const cell = new WorkerHost(lineMs)
    const loaded = await cell.#ask({ type: "load", source, counters: cell.#shared() }, loadMs)
    const why = loaded === null ? (cell.#out ?? "it ended") : "fault" in loaded ? loaded.fault : null
    if (why === null) return cell
    cell.close()
    throw new Error(sanitizeLine(why))
  }

  /** Why it is out, in a few words; null while it is not. */
  get out(): string | null {
    return this.#out
  }

  /** What the parser makes of a line; null where it is out, now or from an earlier line on. Questions are answered in order. */
  parse(line: string, ts: string): Promise<WorkerReply | null> {
    return this.#ask({ type: "parse", line, ts }, this.#lineMs)
  }

  reset(): Promise<WorkerReply | null> {
    return this.#ask({ type: "reset" }, this.#lineMs)
  }

  close(): void {
    this.#end("it was closed")
  }

  #ask(question: WorkerRequest, limitMs: number): Promise<WorkerReply | null> {
    if (this.#out !== null) return Promise.resolve(null)
    return new Promise(resolve => {
      this.#pending.push({ limitMs, resolve })
      this.#worker.postMessage(question)
      this.#watch ??= setInterval(() => this.#look(), LOOK_MS)
    })
  }

  #shared(): SharedArrayBuffer {
    const { buffer } = this.#counters
    if (buffer instanceof SharedArrayBuffer) return buffer
    throw new Error("the counters are not shared")
  }

  /**
   * Measures the line that the worker has begun and not ended. A machine that is slow stops the clock of the processor
   * as well, so that only a parser at work, or one that never comes back, is given up.
   */
  #look(): void {
    const asked = this.#pending[0]
    if (asked === undefined) {
      if (this.#watch !== null) clearInterval(this.#watch)
      this.#watch = null
      return
    }
    const begun = Atomics.load(this.#counters, 0)
    const busy = begun > Atomics.load(this.#counters, 1)
    const now = performance.now()
    const burnt = burntMs()
    if (!busy || begun !== this.#seen.begun) {
      this.#seen = { begun: busy ? begun : -1, at: now, burnt }
      return
    }
    const took = now - this.#seen.at
    const worked = burnt - this.#seen.burnt
    const over = took >= asked.limitMs && worked >= asked.limitMs
    if (over || took >= asked.limitMs + WAIT_MS) this.#end(`it took longer than ${asked.limitMs} ms`)
  }

  #end(why: string): void {
    if (this.#out !== null) return
    this.#out = why
    if (this.#watch !== null) clearInterval(this.#watch)
    this.#watch = null
    this.#worker.terminate()
    for (const { resolve } of this.#pending.splice(0)) resolve(null)
  }
}

/** Code in the worker may have found a way to answer by itself, so that an answer is taken for what it is. */
function answerIn(data: unknown): WorkerReply {
  if (!isObject(data)) return {}
  const { fault, json } = data
  if (typeof fault === "string") return { fault }
  return typeof json === "string" ? { json } : {}
}

/** Ms that the processor has worked for this process. */
function burntMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
