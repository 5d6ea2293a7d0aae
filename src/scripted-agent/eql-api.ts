import type { ChartDefinition } from "../../packages/wire/src/chart-definition.ts"
import { isList, isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { isHalted } from "../agent/debugger.ts"
import type { ApiResponse } from "../agent/hub.ts"
import { loadTransit } from "../eql/transit.ts"
import type { Playback } from "./playback.ts"

interface ApiContext {
  playback(): Playback
  readonly chart: ChartDefinition | null
  /** `step` ignores its parameters: one call is one step. */
  readonly ignoresCount: boolean
  /** Handles a message as if it had come through the socket. */
  receive(frame: JsonObject): void
}

type Library = typeof import("transit-js")

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

/** Runs a query. The response to an invalid one has status 500 and `{:error …}`. */
export async function answerApi(body: string, context: ApiContext): Promise<ApiResponse> {
  const library = await import("transit-js")
  const transit = await loadTransit()
  const query = transit.read(body)
  try {
    if ("error" in query) throw new Error(`invalid query: ${query.error}`)
    return { status: 200, body: transit.write(new Resolver(library, context).run(query.value)) }
  } catch (error) {
    const why = sanitizeLine(error instanceof Error ? error.message : String(error))
    return { status: 500, body: transit.write(library.map([library.keyword("error"), why])) }
  }
}

/** Resolves the attributes of a query. Unknown ones are undefined, and left out of the response as Pathom does. */
class Resolver {
  constructor(
    private readonly library: Library,
    private readonly context: ApiContext,
  ) {}

  /** A query is a list of attributes, joins and calls. A call is a list of a symbol and a map. */
  run(query: Json): unknown {
    const { keyword, map, symbol } = this.library
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
    const playback = this.context.playback()
    switch (attribute) {
      case "session/paused?":
        return playback.debugger === null ? undefined : playback.debugger.mode === "paused"
      case "session/step-budget":
        return playback.debugger?.budget
      case "session/live-configuration":
        return playback.config.map(state => this.#keyword(state))
      case "session/pending-events":
        return this.#pending(playback).map(event => this.#select(event, inner))
      case "escapement/chart":
        return this.context.chart === null ? undefined : this.#select(this.#chart(this.context.chart), inner)
      default:
        return undefined
    }
  }

  #call(name: string, params: JsonObject): unknown {
    const op = /^escapement\.control\/(pause|step|continue|arm-pause-on-next-external)$/.exec(name)?.[1]
    if (op !== undefined) return this.#operate(op === "arm-pause-on-next-external" ? "arm" : op, params)
    if (name !== "escapement.human/answer") throw new Error(`no such mutation: ${name}`)
    const before = this.context.playback().openQuestions.length
    this.context.receive({ ...params, kind: "answer", via: "api" })
    return this.#map({ "human/delivered?": this.context.playback().openQuestions.length < before })
  }

  /** Returns the new state of the gate; null if no debugger is attached. */
  #operate(op: string, { n = 1 }: JsonObject): unknown {
    this.context.receive({
      kind: "control",
      op,
      ...(op === "step" && !this.context.ignoresCount ? { n } : {}),
      via: "api",
    })
    const { debugger: state } = this.context.playback()
    if (state === null) return null
    return this.#map({ "debug/paused?": state.mode === "paused", "debug/step-budget": state.budget })
  }

  #pending({ debugger: state, script, position }: Playback): Record<string, unknown>[] {
    const line = state !== null && isHalted(state) ? script.lines[position] : undefined
    if (line?.frame.kind !== "event" || line.frame.body.type !== "runner/event-processed") return []
    const { eventName } = line.frame.body
    return [
      { "event/name": this.#keyword(eventName ?? ""), "event/data": this.#map({}), "event/external?": line.external },
    ]
  }

  #chart({ root, elements }: ChartDefinition): Record<string, unknown> {
    const { keyword, map } = this.library
    const byId = elements.flatMap(({ id, parent, children, type }) => {
      const element = { id: keyword(id), parent: parent === null ? undefined : keyword(parent) }
      const about = { children: children.map(child => keyword(child)), "node-type": keyword(type ?? "state") }
      return [keyword(id), this.#map({ ...element, ...about, expr: keyword("fn") })]
    })
    const whole = { id: keyword(root ?? "ROOT"), "node-type": keyword("statechart") }
    return { "chart/definition": this.#map({ ...whole, [ELEMENTS]: map(byId) }) }
  }

  #select(entity: Record<string, unknown>, inner: readonly string[]): unknown {
    return this.#map(Object.fromEntries(Object.entries(entity).filter(([key]) => inner.includes(key))))
  }

  #map(entity: Record<string, unknown>): unknown {
    const { keyword, map } = this.library
    return map(Object.entries(entity).flatMap(([key, value]) => this.#entry(keyword(key), value)))
  }

  /** The keyword for a state or an id, whose spelling in a recording may have a colon. */
  #keyword(text: string): unknown {
    return this.library.keyword(text.replace(/^:/, ""))
  }
}

function members(query: Json): readonly Json[] {
  if (isList(query)) return query
  throw new Error("a query is a vector")
}

/** The joins of a query, each with the attributes that it asks for. */
function joins(member: Json): [string, readonly string[]][] {
  if (!isObject(member)) throw new Error("a query holds attributes, joins and calls")
  return Object.entries(member).map(([key, inner]) => [key, members(inner).filter(name => typeof name === "string")])
}
