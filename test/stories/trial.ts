// Tries what a key or a click does in a story: tells what was meant, what changes and what goes out, and undoes it.
import type { Link } from "../../packages/wire/src/link.ts"
import { features } from "../../src/panels/plan.ts"
import type { Action } from "../../src/view/action.ts"
import type { Effect } from "../../src/view/effect.ts"
import type { Intent } from "../../src/view/intent.ts"
import type { ViewContext } from "../../src/view/plan-result.ts"
import { reduce } from "../../src/view/reduce.ts"
import { presentOf, type State, type StoreState } from "../../src/view/state.ts"
import { createStore, type Store, shownState } from "../../src/view/store.ts"

interface Tried {
  state: StoreState
  now: number
  readonly intents: Intent[]
  readonly effects: Effect[]
}

/** A store that can try what is asked of it: nobody is told, and it is as before afterwards. */
export class TrialStore implements Store {
  readonly #store: Store
  #tried: Tried | null = null

  constructor(link: Link) {
    this.#store = createStore({ ...features, link })
  }

  get(): StoreState {
    return this.#tried?.state ?? this.#store.get()
  }

  shown(): State {
    return this.#tried === null ? this.#store.shown() : shownState(this.#tried.state)
  }

  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener)
  }

  dispatch(action: Action): void {
    if (this.#tried === null) this.#store.dispatch(action)
    else this.#tried.state = reduce(this.#tried.state, action)
  }

  ask(intent: Intent, facts: ViewContext): readonly Effect[] {
    const tried = this.#tried
    if (tried === null) return this.#store.ask(intent, facts)
    // Every key does it first.
    if (intent.type === "notice/dismiss") return []
    const { actions, effects } = features.plan(this.shown(), intent, facts)
    for (const action of actions) tried.state = reduce(tried.state, action)
    tried.now = facts.now
    tried.intents.push(intent)
    tried.effects.push(...effects)
    return []
  }

  /** The state once an intent is carried out. */
  after(intent: Intent): StoreState {
    const { actions } = features.plan(this.shown(), intent, { now: 0, page: 0, lines: 0 })
    return actions.reduce(reduce, this.get())
  }

  /** What `act` asks for, and what comes of it, from this state on. */
  async try(act: () => unknown, before = this.#store.get()): Promise<{ asked: readonly string[]; done: string }> {
    const tried: Tried = { state: before, now: 0, intents: [], effects: [] }
    this.#tried = tried
    await act()
    this.#tried = null
    const { now, intents, effects, state } = tried
    const own = presentOf(state).frames.lines - presentOf(before).frames.lines
    const done = [
      ...changes(before, state, now),
      ...(own > 0 ? [`${own} of ours in the run`] : []),
      ...effects.map(one => `! ${typed(one, now)}`),
    ]
    return { asked: intents.map(one => typed(one, now)), done: done.join(" · ") || "nothing" }
  }
}

/** The run is told by what is sent; the others follow where a person goes. */
const PASSED_OVER = ["run", "view.below", "view.palette", "view.jumps", "view.log.seenTo"]

/** The paths whose values differ, each with its new value. */
function* changes(before: object, after: object, now: number, path = ""): Generator<string> {
  for (const key of new Set([...Reflect.ownKeys(before), ...Reflect.ownKeys(after)])) {
    const [was, is]: unknown[] = [Reflect.get(before, key), Reflect.get(after, key)]
    const name =
      key === "slices" ? path : `${path}.${typeof key === "symbol" ? key.description : key}`.replace(/^\./, "")
    if (was === is || PASSED_OVER.includes(name)) continue
    const told = name.replace(/^view\./, "")
    if (isRecord(was) && isRecord(is) && !isPlace(is) && name !== "view.notice") yield* changes(was, is, now, name)
    else if (worded(was, now, ALL) === worded(is, now, ALL)) continue
    else if (told === "overlays") yield `${told} ${opening(was as [], is as [], now)}`
    else yield `${told} ${worded(is, now)}`
  }
}

/** What opens over what stays open; else all that is open. */
function opening(was: readonly object[], is: readonly object[], now: number): string {
  const same = was.findIndex((one, index) => one !== is[index])
  if (same < 0) return `+ ${is.slice(was.length).map(one => worded(one, now))}`
  return is.length === same ? `- ${was.length - same}` : `= ${worded(is, now)}`
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** An intent or effect as its type and what belongs to it. */
function typed({ type, ...rest }: Intent | Effect, now: number): string {
  if ("command" in rest && "text" in rest) return `${type} ${worded(rest.text, now)}`
  return Object.keys(rest).length === 0 ? type : `${type} ${worded(rest, now)}`
}

/** A row of the log, or a line of a text. */
const isPlace = (value: object): boolean => "nth" in value || "block" in value

const ALL = Number.POSITIVE_INFINITY
const SHORT = 150
/** Numbers from here on are times of the day. */
const TIMES = 1_600_000_000_000

/** A value as text, with times from now; long ones are cut, of long lists the first are told. */
function worded(value: unknown, now: number, most = SHORT): string {
  const text =
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part === "number" && part > TIMES) return `now${part < now ? "" : "+"}${part - now}`
      if (typeof part === "function") return "ƒ"
      if (part instanceof Map) return [...part]
      if (isRecord(part) && isPlace(part)) return Object.values(part).join("/")
      if (Array.isArray(part) && part.length > 3 && most === SHORT) return [...part.slice(0, 2), `… ${part.length}`]
      return isRecord(part) && "frames" in part && "sessions" in part ? "a run" : part
    }) ?? "nothing"
  const plain = text.replaceAll('\\"', "'").replace(/"(\w+)":/g, "$1: ")
  return plain.length > most ? `${plain.slice(0, most)}…` : plain
}
