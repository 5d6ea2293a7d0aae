// Fills the watch list: goes through the run from its first line, a slice at a time, and goes on while the run does.
import { changesIn } from "../query/watch-changes.ts"
import type { Watch, WatchChange } from "../query/watches.ts"
import type { Run } from "../run/model/run.ts"
import type { Clock } from "../transport/clock.ts"
import type { Store } from "../view/store.ts"
import { presentOf } from "../view/time.ts"
import type { Past } from "./past.ts"

/** Ms that a slice may take before keys and frames have their turn, and after which what was found is told. */
const SLICE_MS = 12
const TELL_MS = 100

export interface WatcherOptions {
  readonly store: Store
  readonly clock: Clock
  /** The past of the run that the store holds, null while there is none. */
  readonly past: () => Past | null
  /** Does work that the file system may fail; gives null where it did, and that is told. */
  readonly reading: <T>(work: () => T) => T | null
}

/** Looks for the changes of all that is watched. Each watch has a place of its own: one that is new begins at the start. */
export class Watcher {
  readonly #options: WatcherOptions
  /** How far each watch has come, and in which telling of the run. */
  #places = new Map<number, Run>()
  #telling = 0
  #found = new Map<number, readonly WatchChange[]>()
  #toldAt = 0
  #cancel: (() => void) | null = null

  constructor(options: WatcherOptions) {
    this.#options = options
  }

  /** Goes on, where there is something to look through. */
  look(): void {
    const { store, clock } = this.#options
    if (this.#cancel !== null || store.get().view.watches.list.length === 0) return
    if (this.#next() !== null) this.#cancel = clock.after(0, () => this.#slice())
  }

  close(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  /** The watches that have come least far, all of them to one place; null where all have seen everything. */
  #next(): { readonly list: readonly Watch[]; readonly from: Run | null } | null {
    const state = this.#options.store.get()
    const { list, generation: telling } = state.view.watches
    if (telling !== this.#telling) {
      this.#places = new Map()
      this.#found = new Map()
      this.#telling = telling
    }
    const lines = ({ key }: Watch): number => this.#places.get(key)?.frames.lines ?? 0
    const least = Math.min(...list.map(lines))
    if (list.length === 0 || least >= presentOf(state).frames.lines) return null
    const behind = list.filter(one => lines(one) === least)
    const [first] = behind
    return { list: behind, from: first === undefined ? null : (this.#places.get(first.key) ?? null) }
  }

  #slice(): void {
    this.#cancel = null
    const { clock, reading } = this.#options
    const until = clock.elapsed() + SLICE_MS
    const more = reading(() => {
      while (this.#onward()) if (clock.elapsed() >= until) return this.#next() !== null
      return false
    })
    if (more !== true || clock.elapsed() >= this.#toldAt + TELL_MS) this.#tell()
    // The file failed, or has no more of the run: what is there is all there is until the run grows.
    if (more === true) this.look()
  }

  /** Looks through the next few lines; false where there are none. */
  #onward(): boolean {
    const { store, past: open } = this.#options
    const next = this.#next()
    const past = next === null ? null : open()
    if (next === null || past === null) return false
    const from = next.from ?? past.before(1)
    const lines = past.onward(from)
    if (lines.length === 0) return false
    const { run, found } = changesIn(from, lines, next.list, store.get().zone)
    const place = past.shared(run)
    for (const { key } of next.list) this.#places.set(key, place)
    for (const [key, changes] of found) this.#found.set(key, [...(this.#found.get(key) ?? []), ...changes])
    return true
  }

  #tell(): void {
    const { store, clock } = this.#options
    this.#toldAt = clock.elapsed()
    const found = this.#found
    this.#found = new Map()
    const state = store.get()
    const { list } = state.view.watches
    const total = presentOf(state).frames.lines
    const least = Math.min(total, ...list.map(({ key }) => this.#places.get(key)?.frames.lines ?? 0))
    const read = total === 0 ? 1 : Math.floor((100 * least) / total) / 100
    if (found.size > 0 || read !== state.view.watches.read) {
      store.dispatch({ type: "watched", telling: this.#telling, found, read })
    }
  }
}
