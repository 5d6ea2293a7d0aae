// Answers the API: the reads and mutations of docs/contract.md section 7 over a play, in transit.

import type { ApiAnswer } from "../agent/api-answer.ts"
import { loadTransit } from "../eql/transit.ts"
import type { ChartDefinition } from "../protocol/chart-definition.ts"
import { isList, isObject, type Json, type JsonObject } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { shut } from "./debugger.ts"
import type { ScriptPlayer } from "./script.ts"

/** What the API reaches of a play. */
export interface EqlStage {
  player(): ScriptPlayer
  /** The chart that was injected; null where none was. */
  readonly chart: ChartDefinition | null
  /** Takes a frame as if it had come by the socket. */
  hear(frame: JsonObject): void
}

type Library = typeof import("transit-js")

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

/** Runs a query. What cannot be read, or asks for what makes no sense, is answered with 500 and `{:error …}`. */
export async function answerApi(body: string, stage: EqlStage): Promise<ApiAnswer> {
  const library = await import("transit-js")
  const transit = await loadTransit()
  const query = transit.read(body)
  try {
    if ("error" in query) throw new Error(`invalid query: ${query.error}`)
    return { status: 200, body: transit.write(new Resolver(library, stage).run(query.value)) }
  } catch (error) {
    const why = sanitizeLine(error instanceof Error ? error.message : String(error))
    return { status: 500, body: transit.write(library.map([library.keyword("error"), why])) }
  }
}

/** Resolves what a query names. Undefined is what nothing is known of: it is left out of the answer, as Pathom does. */
class Resolver {
  readonly #library: Library
  readonly #stage: EqlStage

  constructor(library: Library, stage: EqlStage) {
    this.#library = library
    this.#stage = stage
  }

  /** A query is a list of attributes, of joins, and of calls, which are lists of a symbol and a map. */
  run(query: Json): unknown {
    const { keyword, map, symbol } = this.#library
    const entries = members(query).flatMap((member): unknown[] => {
      if (typeof member === "string") return this.#entry(keyword(member), this.#read(member, []))
      if (!isList(member))
        return joins(member).flatMap(([key, inner]) => this.#entry(keyword(key), this.#read(key, inner)))
      const [name, params] = member
      if (typeof name !== "string") throw new Error("a call has no symbol")
      return this.#entry(symbol(name), this.#call(name, isObject(params) ? params : {}))
    })
    return map(entries)
  }

  #entry(key: unknown, value: unknown): unknown[] {
    return value === undefined ? [] : [key, value]
  }

  #read(attribute: string, inner: readonly string[]): unknown {
    const player = this.#stage.player()
    switch (attribute) {
      case "session/paused?":
        return player.debugger === null ? undefined : player.debugger.mode === "paused"
      case "session/step-budget":
        return player.debugger?.budget
      case "session/live-configuration":
        return player.config.map(state => this.#keyword(state))
      case "session/pending-events":
        return this.#pending(player).map(event => this.#select(event, inner))
      case "escapement/chart":
        return this.#stage.chart === null ? undefined : this.#select(this.#chart(this.#stage.chart), inner)
      default:
        return undefined
    }
  }

  #call(name: string, params: JsonObject): unknown {
    const op = /^escapement\.control\/(pause|step|continue|arm-pause-on-next-external)$/.exec(name)?.[1]
    if (op !== undefined) return this.#operate(op === "arm-pause-on-next-external" ? "arm" : op, params)
    if (name !== "escapement.human/answer") throw new Error(`no such mutation: ${name}`)
    const before = this.#stage.player().open.length
    this.#stage.hear({ ...params, kind: "answer", via: "api" })
    return this.#map({ "human/delivered?": this.#stage.player().open.length < before })
  }

  /** How the gate stands then; nothing where no debugger is attached. */
  #operate(op: string, { n = 1 }: JsonObject): unknown {
    this.#stage.hear({ kind: "control", op, ...(op === "step" ? { n } : {}), via: "api" })
    const { debugger: it } = this.#stage.player()
    return it === null ? null : this.#map({ "debug/paused?": it.mode === "paused", "debug/step-budget": it.budget })
  }

  /** While a gate is shut, the event that waits before it. */
  #pending({ debugger: it, script, at }: ScriptPlayer): Record<string, unknown>[] {
    const cue = it !== null && shut(it) ? script.cues[at] : undefined
    if (cue?.frame.kind !== "event" || cue.frame.body.type !== "runner/event-processed") return []
    const { eventName } = cue.frame.body
    return [
      { "event/name": this.#keyword(eventName ?? ""), "event/data": this.#map({}), "event/external?": cue.external },
    ]
  }

  #chart({ root, elements }: ChartDefinition): Record<string, unknown> {
    const { keyword, map } = this.#library
    const byId = elements.flatMap(({ id, parent, children, type }) => {
      const element = { id: keyword(id), parent: parent === null ? undefined : keyword(parent) }
      const about = { children: children.map(child => keyword(child)), "node-type": keyword(type ?? "state") }
      return [keyword(id), this.#map({ ...element, ...about, expr: keyword("fn") })]
    })
    const whole = { id: keyword(root ?? "ROOT"), "node-type": keyword("statechart") }
    return { "chart/definition": this.#map({ ...whole, [ELEMENTS]: map(byId) }) }
  }

  /** Only what the query asks of it. */
  #select(entity: Record<string, unknown>, inner: readonly string[]): unknown {
    return this.#map(Object.fromEntries(Object.entries(entity).filter(([key]) => inner.includes(key))))
  }

  #map(entity: Record<string, unknown>): unknown {
    const { keyword, map } = this.#library
    return map(Object.entries(entity).flatMap(([key, value]) => this.#entry(keyword(key), value)))
  }

  /** A state or an id that a recording holds in one of its spellings. */
  #keyword(text: string): unknown {
    return this.#library.keyword(text.replace(/^:/, ""))
  }
}

function members(query: Json): readonly Json[] {
  if (isList(query)) return query
  throw new Error("a query is a vector")
}

/** The joins of a query, each with the names that it asks of what it leads to. */
function joins(member: Json): [string, readonly string[]][] {
  if (!isObject(member)) throw new Error("a query holds attributes, joins and calls")
  return Object.entries(member).map(([key, inner]) => [key, members(inner).filter(name => typeof name === "string")])
}
