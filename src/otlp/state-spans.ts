// Makes the spans of a chart's states: each from when it is entered until it is left.
import type { Run } from "../run/model/run.ts"
import type { OpenSpan, Trace } from "./open-span.ts"

interface Move {
  readonly exited: readonly string[]
  readonly entered: readonly string[]
  /** The states that are active afterwards; null if the event doesn't say. */
  readonly config: readonly string[] | null
}

export class StateSpans {
  readonly #open = new Map<string, OpenSpan>()
  #config: readonly string[] = []

  constructor(private readonly trace: Trace) {}

  /** The state that was named last among the active ones. */
  innermost(): OpenSpan | null {
    const last = this.#config.findLast(id => this.#open.has(id))
    return this.#open.get(last ?? "") ?? null
  }

  /** Leaves and enters states. One inside another is its child, as far as the agent has told. */
  move({ exited, entered, config }: Move, ts: number, { run, root }: { run: Run; root: OpenSpan }): void {
    const active = config ?? [...this.#config.filter(id => !exited.includes(id)), ...entered]
    for (const id of [...this.#open.keys()].reverse()) {
      if (exited.includes(id) || entered.includes(id) || !active.includes(id)) this.#leave(id, ts, false)
    }
    this.#config = active
    for (const id of active) {
      if (this.#open.has(id)) continue
      const told = run.chart.visits.states.find(state => state.id === id)?.parent
      const parent = this.#open.get(told ?? active[0] ?? "") ?? root
      this.#open.set(
        id,
        this.trace.begin({
          of: ["state", id],
          name: `state ${id}`,
          parent,
          start: ts,
          attributes: { "opentui_sidecar.state": id },
        }),
      )
    }
  }

  close(ts: number, isCut: boolean): void {
    for (const id of [...this.#open.keys()].reverse()) this.#leave(id, ts, isCut)
  }

  #leave(id: string, ts: number, isCut: boolean): void {
    const span = this.#open.get(id)
    this.#open.delete(id)
    if (span !== undefined) this.trace.end(span, ts, isCut)
  }
}
