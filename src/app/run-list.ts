// Keeps the runs of the home screen: looks for them, and reads the ends of those that are on the screen or near it.
import type { Environment } from "../cli/option-table.ts"
import type { Clock } from "../transport/clock.ts"
import { Sleeper } from "../transport/clock.ts"
import { type HomeFacts, type HomeView, KEPT } from "../view/home.ts"
import { homeList, homeRow } from "../view/select/home-rows.ts"
import type { Store } from "../view/store.ts"
import type { ToldSessions } from "./handlers/told-sessions.ts"
import { keptFacts } from "./kept-runs.ts"
import { type SizedRun, StoredRuns } from "./stored-runs.ts"

/** Time between two looks at the directory, ms, and how many times longer it is than a look took. */
const LOOK_MS = 2000
const REST = 30
/** How many rows before and behind the cursor are read, and how many of the newest runs. */
const NEAR = 100
const NEWEST = 300
/** What was read is shown this often, ms. */
const SHOW_MS = 60

export interface RunPlaces {
  readonly root: string
  readonly kept: string
  /** What says where agent CLIs keep their sessions; null if those are not listed. */
  readonly env: Environment | null
  readonly told: ToldSessions
}

/** Looks and reads until it is stopped. Nothing throws or rejects. */
export class RunList {
  readonly #sleeper: Sleeper
  readonly #unsubscribe: () => void
  /** The state of each recording when it was read. */
  readonly #read = new Map<string, string>()
  readonly #facts = new Map<string, HomeFacts | null>()
  /** The runs that were found, and those of them that are listed. */
  #found: readonly SizedRun[] = []
  #runs: readonly SizedRun[] = []
  #closed: readonly string[] = []
  readonly #stores: StoredRuns | null
  #queue: SizedRun[] = []
  #wanted: HomeView | null = null
  #isReading = false

  constructor(
    private readonly places: RunPlaces,
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly asked: () => void,
  ) {
    this.#sleeper = new Sleeper(clock)
    this.#unsubscribe = store.subscribe(() => {
      if (store.get().view.home !== this.#wanted) void this.#readOn()
    })
    this.#stores = places.env === null ? null : new StoredRuns(places.env, () => this.show())
    void this.#lookOn()
  }

  stop(): void {
    this.#sleeper.stop()
    this.#unsubscribe()
    this.#stores?.stop()
  }

  async #lookOn(): Promise<void> {
    const { findRuns } = await import("../search/find-runs.ts")
    while (!this.#sleeper.stopped) {
      const began = this.clock.elapsed()
      const [found, kept] = [await findRuns(this.places.root), await findRuns(this.places.kept)]
      const took = this.clock.elapsed() - began
      if (this.#sleeper.stopped) return
      const keptHere = "error" in kept ? [] : kept.runs.map(run => ({ ...run, name: `${KEPT}${run.name}` }))
      if ("error" in found) {
        this.#found = keptHere
        this.#closed = found.error === "no such file" ? [] : [found.error]
      } else {
        this.#found = [...found.runs, ...keptHere]
        this.#closed = found.closed
      }
      this.show()
      await this.#sleeper.sleep(Math.max(LOOK_MS, REST * took), false)
    }
  }

  /** Shows the runs that were found, and the sessions that agents have told of since. */
  show(): void {
    const { home } = this.store.get()
    if (home === null || this.#sleeper.stopped) return
    const closed = this.#closed
    const stores = this.#stores?.roots ?? []
    const runs = [...this.#found, ...this.#sessions()].sort((a, b) => b.changedAt - a.changedAt)
    const changed = this.#stores?.facts(this.store.get().run.options.prices) ?? []
    for (const [name, facts] of changed) this.#keep(name, facts)
    const isSame = home.runs !== null && sameRuns(this.#runs, runs) && home.closed.join() === closed.join()
    if (isSame) {
      if (changed.length > 0) this.#showFacts()
      return
    }
    this.#runs = runs
    this.store.dispatch({ type: "home", home: { ...home, runs, closed, stores, facts: new Map(this.#facts) } })
    this.#wanted = null
    void this.#readOn()
  }

  /** The sessions of stores and those that agents have told of; one of both has what its store knows. */
  #sessions(): readonly SizedRun[] {
    const told = new Map(this.places.told.all.map(one => [one.run.talk.sessionId, one]))
    const stored = (this.#stores?.runs ?? []).map(run => {
      const id = this.#facts.get(run.name)?.session?.id ?? ""
      const known = told.get(id)
      told.delete(id)
      return known === undefined ? run : { ...run, talk: known.run.talk }
    })
    for (const { run, facts } of told.values()) {
      this.#read.set(run.name, stampOf(run))
      this.#facts.set(run.name, facts)
    }
    return [...stored, ...[...told.values()].map(({ run }) => run)]
  }

  /** Reads the wanted runs, which change meanwhile with the cursor and the filter. */
  async #readOn(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const { readTail } = await import("../search/run-tail.ts")
    let shownAt = this.clock.elapsed()
    let isShown = true
    for (let run = this.#next(); run !== undefined && !this.#sleeper.stopped; run = this.#next()) {
      this.#read.set(run.name, stampOf(run))
      const { prices } = this.store.get().run.options
      const facts = run.stored && (await this.#stores?.read(run.stored, prices))
      const tail = facts === undefined ? await readTail(run.directory, prices) : facts
      const isKept = tail !== null && run.name.startsWith(KEPT)
      this.#keep(run.name, isKept ? { ...tail, ...(await keptFacts(run.directory)) } : tail)
      isShown = this.clock.elapsed() - shownAt < SHOW_MS
      if (isShown) continue
      this.#showFacts()
      shownAt = this.clock.elapsed()
      // Keys and drawing get their turn.
      await this.#sleeper.sleep(0)
    }
    this.#isReading = false
    this.show()
    this.#showFacts()
  }

  #keep(name: string, facts: HomeFacts | null): void {
    const before = this.#facts.get(name)
    this.#facts.set(name, facts)
    if (before?.asks === null && facts !== null && facts.asks !== null) this.asked()
  }

  #showFacts(): void {
    const { home } = this.store.get()
    if (home === null || this.#sleeper.stopped) return
    this.store.dispatch({ type: "home", home: { ...home, facts: new Map(this.#facts) } })
  }

  #next(): SizedRun | undefined {
    const { home, view, zone } = this.store.get()
    if (home === null) return undefined
    if (view.home !== this.#wanted) {
      this.#wanted = view.home
      const list = homeList(home, view.home, zone, this.clock.now())
      const at = list.places.get(homeRow(list, view.home)?.key ?? "")?.row ?? 0
      const near = new Set(list.rows.slice(Math.max(0, at - NEAR), at + NEAR).map(({ key }) => key))
      const isNear = ({ name }: SizedRun) => near.has(name)
      // A filter looks into all runs.
      const others = view.home.filter === "" ? this.#runs.slice(0, NEWEST) : this.#runs
      const all = [...this.#runs.filter(isNear), ...others.filter(run => !isNear(run))]
      this.#queue = all.filter(run => this.#read.get(run.name) !== stampOf(run)).reverse()
    }
    return this.#queue.pop()
  }
}

/** Changes with each change of the recording. */
function stampOf({ size, changedAt, stored }: SizedRun): string {
  return `${stored?.inode} ${size} ${changedAt}`
}

function sameRuns(a: readonly SizedRun[], b: readonly SizedRun[]): boolean {
  const isSame = (run: SizedRun, other: SizedRun | undefined): boolean =>
    run.name === other?.name && run.talk === other.talk && stampOf(run) === stampOf(other)
  return a.length === b.length && a.every((run, i) => isSame(run, b[i]))
}
