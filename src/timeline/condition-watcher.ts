import { changesIn } from "../query/condition-changes.ts"
import type { Condition, ConditionChange } from "../query/conditions.ts"
import type { Run } from "../run/model/run.ts"
import type { Clock } from "../transport/clock.ts"
import { presentOf, type StoreState } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { Past } from "./past.ts"
import { SLICE_MS } from "./steps.ts"

const REPORT_MS = 100

export interface ConditionWatcherOptions {
  readonly store: Store
  readonly clock: Clock
  /** The past of the run in the store; null while there is none. */
  readonly past: () => Past | null
  /** The result of `work`, or null after a file system error, which is reported. */
  readonly attempt: <T>(work: () => T) => T | null
}

/** Scans for the changes of open conditions. Each has a position of its own; a new one starts at the first line. */
export class ConditionWatcher {
  /** The position of each condition, and the generation that they belong to. */
  #positions = new Map<number, Run>()
  #generation = 0
  #found = new Map<number, readonly ConditionChange[]>()
  #reportedAt = 0
  #cancel: (() => void) | null = null

  constructor(private readonly options: ConditionWatcherOptions) {}

  /** Schedules the next slice if there are lines left to scan. */
  resume(): void {
    if (this.#cancel !== null || this.#next() === null) return
    this.#cancel = this.options.clock.after(0, () => this.#slice())
  }

  close(): void {
    this.#cancel?.()
  }

  /** The conditions with the earliest position, which they share; null if all are at the end, or none is open. */
  #next(): { readonly list: readonly Condition[]; readonly from: Run | null } | null {
    const state = this.options.store.get()
    const { generation } = state.view.conditions
    const list = openIn(state)
    if (generation !== this.#generation) {
      this.#positions = new Map()
      this.#found = new Map()
      this.#generation = generation
    }
    const lines = ({ key }: Condition): number => this.#positions.get(key)?.frames.lines ?? 0
    const least = Math.min(...list.map(lines))
    if (least >= presentOf(state).frames.lines) return null
    const behind = list.filter(one => lines(one) === least)
    const [first] = behind
    return { list: behind, from: first === undefined ? null : (this.#positions.get(first.key) ?? null) }
  }

  #slice(): void {
    this.#cancel = null
    const { clock, attempt } = this.options
    const until = clock.elapsed() + SLICE_MS
    const hasMore = attempt(() => {
      while (this.#scanNext()) if (clock.elapsed() >= until) return this.#next() !== null
      return false
    })
    if (hasMore !== true || clock.elapsed() >= this.#reportedAt + REPORT_MS) this.#report()
    // Without more lines, or after an error, scanning continues when the run grows.
    if (hasMore === true) this.resume()
  }

  /** Scans the next few lines. Returns false if there are none. */
  #scanNext(): boolean {
    const next = this.#next()
    const past = next === null ? null : this.options.past()
    if (next === null || past === null) return false
    const from = next.from ?? past.snapshotBefore(1)
    const lines = past.linesToSnapshot(from)
    if (lines.length === 0) return false
    const { run, found } = changesIn(from, lines, next.list, this.options.store.get().zone)
    const position = past.snapshotOf(run)
    for (const { key } of next.list) this.#positions.set(key, position)
    for (const [key, changes] of found) this.#found.set(key, [...(this.#found.get(key) ?? []), ...changes])
    return true
  }

  #report(): void {
    const { store, clock } = this.options
    this.#reportedAt = clock.elapsed()
    const found = this.#found
    this.#found = new Map()
    const state = store.get()
    const total = presentOf(state).frames.lines
    const least = Math.min(total, ...openIn(state).map(({ key }) => this.#positions.get(key)?.frames.lines ?? 0))
    const read = total === 0 ? 1 : Math.floor((100 * least) / total) / 100
    if (found.size > 0 || read !== state.view.conditions.read) {
      store.dispatch({ type: "watched", generation: this.#generation, found, read })
    }
  }
}

function openIn({ view }: StoreState): readonly Condition[] {
  return view.conditions.list.filter(({ open }) => open)
}
