// Holds an agent at its gates while a debugger is paused.
import type { Op } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import { afterEvent, applyOp, type Debugger, debugFrame, haltBefore, initialDebugger, isHalted } from "./debugger.ts"
import { processedEvent } from "./run-frames.ts"

/** A place at which an agent can be held. */
export interface GateOptions {
  /** What the screen says that the agent waits before; "step" by default. */
  readonly name?: string
  /** True before a model turn, where a turn breakpoint holds too. */
  readonly turn?: boolean
}

interface GateHost {
  send(frame: JsonObject): void
  /** The active states. */
  config(): readonly string[]
  readonly signal: AbortSignal
}

/** The debugger of an agent. There is none before the first gate, since nothing would obey it. */
export class Gates {
  #debugger: Debugger | null = null
  #passed = 0
  #turns = 0
  readonly #changed = new EventTarget()

  constructor(private readonly host: GateHost) {}

  /** Attaches the debugger and says so. A second call changes nothing. */
  attach(paused: boolean): void {
    if (this.#debugger === null) this.#set(initialDebugger(paused))
  }

  /** Applies an op. Ops of others have no effect. */
  apply(op: Op): void {
    const next = this.#debugger && applyOp(this.#debugger, op, this.#passed)
    if (next !== null) this.#set(next)
  }

  /** Resolves as soon as nothing holds the agent. Rejects with the signal's reason. */
  async pass({ name = "step", turn = false }: GateOptions): Promise<void> {
    const { signal } = this.host
    signal.throwIfAborted()
    this.attach(false)
    const awaits = this.#close(name, turn)
    while (this.#debugger !== null && isHalted(this.#debugger)) await this.#change(signal)
    this.#passed += 1
    if (awaits) this.host.send(processedEvent(name, this.host.config()))
    const before = this.#debugger
    const after = before && afterEvent(before)
    this.#debugger = after
    if (after !== null && before?.mode !== after.mode) this.#set(after)
  }

  /** Closes the gate if the debugger is armed for it. True if an event waits there. */
  #close(name: string, turn: boolean): boolean {
    const input = { external: true, turn: turn ? this.#turns++ : null }
    const halt = this.#debugger && haltBefore(this.#debugger, input, this.#passed)
    if (halt === null) return false
    const awaits = halt.gate === "event"
    if (awaits) this.host.send({ kind: "event", event: "debug/awaiting-step", data: awaited(name) })
    this.#set(halt.state)
    return awaits
  }

  #set(state: Debugger): void {
    this.#debugger = state
    this.host.send(debugFrame(state, this.host.config()))
    this.#changed.dispatchEvent(new Event("change"))
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#changed.removeEventListener("change", settle)
        signal.removeEventListener("abort", settle)
        if (signal.aborted) reject(signal.reason)
        else resolve()
      }
      this.#changed.addEventListener("change", settle)
      signal.addEventListener("abort", settle)
    })
  }
}

function awaited(name: string): JsonObject {
  return { "event-name": name, "external?": true }
}
