// Lists the sessions of agent CLIs as runs of the home screen, with the facts that their stores have of each.
import { homedir } from "node:os"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { noAccount } from "../run/model/ledger.ts"
import { costOf, type Prices, priceOf } from "../run/model/prices.ts"
import { noCounts } from "../run/model/session.ts"
import type { TailFacts } from "../run/select/tail-facts.ts"
import { moneyWords } from "../run/select/usage.ts"
import { type FoundFile, readSession, rootsOf, type StoreEnvironment, stateNow } from "../stores/list-sessions.ts"
import { StoreWatch } from "../stores/store-watch.ts"
import { type StoredSession, shownPath } from "../stores/stored-session.ts"
import type { CliSession, CliState, HomeFacts, HomeRun } from "../view/home.ts"

const WORDS_UNITS = 400

/** A run with the size and file by which a change of its recording shows. */
export interface SizedRun extends HomeRun {
  readonly size: number
  /** Of a session in the store of a CLI. */
  readonly stored?: FoundFile
}

/** Keeps the facts of each session until its file changes. Nothing throws or rejects. */
export class StoredRuns {
  readonly #watch: StoreWatch
  readonly #sessions = new Map<string, StoredSession | null>()
  readonly #states = new Map<string, CliState>()

  /** `changed` is called when a session has come, changed, begun to wait, or gone. */
  constructor(
    private readonly env: StoreEnvironment,
    changed: () => void,
    private readonly home = homedir(),
  ) {
    this.#watch = new StoreWatch(env, home, changed)
  }

  /** The sessions' directories, as a person writes them. */
  get roots(): readonly string[] {
    return rootsOf(this.#watch.files, this.env, this.home).map(root => shownPath(root, this.home))
  }

  /** In no order; without those of subagents, and an id once. */
  get runs(): readonly SizedRun[] {
    const ids = new Set(this.#watch.files.map(({ path }) => this.#sessions.get(path)?.id))
    const told = new Set<string>()
    return this.#watch.files.flatMap((file): SizedRun[] => {
      const session = this.#sessions.get(file.path)
      const { path, size, changedAt, store } = file
      const run = { name: path, directory: path, cli: store.cli, size, changedAt, stored: file }
      if (session === undefined) return [run]
      if (session === null || told.has(session.id)) return []
      told.add(session.id)
      return session.parent !== null && ids.has(session.parent) ? [] : [run]
    })
  }

  async read(file: FoundFile, prices: Prices): Promise<HomeFacts | null> {
    const session = await readSession(file)
    this.#sessions.set(file.path, session)
    return this.#factsOf(file, session, prices)
  }

  /** The facts of the sessions whose state has changed without a change of their file. */
  facts(prices: Prices): readonly (readonly [name: string, facts: HomeFacts | null])[] {
    return this.#watch.files.flatMap(file => {
      const session = this.#sessions.get(file.path)
      const isSame = session == null || this.#stateOf(file, session) === this.#states.get(file.path)
      return isSame ? [] : [[file.path, this.#factsOf(file, session, prices)] as const]
    })
  }

  stop(): void {
    this.#watch.stop()
  }

  #stateOf({ store }: FoundFile, session: StoredSession): CliState {
    return stateNow(session, this.#watch.running.get(store))
  }

  #factsOf(file: FoundFile, session: StoredSession | null, prices: Prices): HomeFacts | null {
    if (session === null) return null
    const state = this.#stateOf(file, session)
    this.#states.set(file.path, state)
    return sessionFacts({ ...session, state }, prices)
  }
}

/** The facts of a session that a list of runs shows. */
export function sessionFacts(session: StoredSession, prices: Prices): HomeFacts {
  const { state, usage, startedAt, activeAt, model } = session
  const { input, cached, output } = usage
  const known: CliSession = {
    id: sanitizeLine(session.id),
    state,
    context: session.context,
    subagents: session.subagents,
    place: words(shownPath(session.directory ?? "")),
    branch: words(session.branch),
    title: words(session.title),
    model: words(model),
  }
  const isCounted = input !== null && output !== null
  const counts = { ...noCounts, input, cached, output }
  const costUsd = usage.costUsd ?? (isCounted ? costOf(priceOf(prices, model), counts) : null)
  const last = words(session.last)
  const facts: TailFacts = {
    chart: null,
    state,
    end: null,
    error: null,
    errors: 0,
    states: [],
    bars: [],
    isWhole: true,
    asks: state === "waiting" ? last || "something" : null,
    last,
    firstTs: startedAt,
    lastTs: activeAt,
    tokens: (input ?? 0) + (output ?? 0),
    output: output ?? 0,
    cost: costUsd === null ? null : moneyWords({ ...noAccount, nanos: costUsd * 1e9, priced: 1 }),
  }
  return { ...facts, session: known }
}

/** A text on one line, as much of it as a list shows. */
export function words(text: string | null): string {
  return sanitizeLine((text ?? "").slice(0, WORDS_UNITS)).trim()
}
