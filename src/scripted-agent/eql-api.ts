// The API of the scripted agent (docs/contract.md section 7). It answers in transit's verbose spelling, which is JSON.
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

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

/** Runs a query. The response to an invalid one has status 500 and `{:error …}`. */
export async function answerApi(body: string, context: ApiContext): Promise<ApiResponse> {
  const query = (await loadTransit()).read(body)
  try {
    if ("error" in query) throw new Error(`invalid query: ${query.error}`)
    const resolved = members(query.value).flatMap(member => resolve(member, context))
    return { status: 200, body: JSON.stringify(Object.fromEntries(resolved)) }
  } catch (error) {
    const why = sanitizeLine(error instanceof Error ? error.message : String(error))
    return { status: 500, body: JSON.stringify(map({ error: why.replace(/^[~^`]/, "~$&") })) }
  }
}

/** The entries of an attribute, a join or a call, which is a list of a symbol and a map. */
function resolve(member: Json, context: ApiContext): (readonly [string, Json])[] {
  if (typeof member === "string") return attribute(member, [], context)
  if (isObject(member)) {
    const joins = Object.entries(member)
    return joins.flatMap(([key, inner]) => {
      return attribute(
        key,
        members(inner).filter(name => typeof name === "string"),
        context,
      )
    })
  }
  if (!isList(member)) throw new Error("a query holds attributes, joins and calls")
  const [name, params] = member
  if (typeof name !== "string") throw new Error("a call has no symbol")
  return [[`~$${name}`, call(name, isObject(params) ? params : {}, context)]]
}

/** An unknown attribute is left out of the response, as Pathom does. */
function attribute(name: string, inner: readonly string[], { playback, chart }: ApiContext): [string, Json][] {
  const { debugger: state, config } = playback()
  const gate = state === null ? {} : { "session/paused?": state.mode === "paused", "session/step-budget": state.budget }
  const known: JsonObject = {
    ...gate,
    "session/live-configuration": config.map(keyword),
    "session/pending-events": pendingEvents(playback()).map(event => map(event, inner)),
    ...(chart !== null && { "escapement/chart": map({ "chart/definition": definition(chart) }, inner) }),
  }
  return Object.entries(map(known, [name]))
}

function call(name: string, params: JsonObject, context: ApiContext): Json {
  const op = /^escapement\.control\/(pause|step|continue|arm-pause-on-next-external)$/.exec(name)?.[1]
  if (op !== undefined) return operate(op === "arm-pause-on-next-external" ? "arm" : op, params, context)
  if (name !== "escapement.human/answer") throw new Error(`no such mutation: ${name}`)
  const before = context.playback().openQuestions.length
  context.receive({ ...params, kind: "answer", via: "api" })
  return map({ "human/delivered?": context.playback().openQuestions.length < before })
}

/** Returns the new state of the gate; null if no debugger is attached. */
function operate(op: string, { n = 1 }: JsonObject, { receive, ignoresCount, playback }: ApiContext): Json {
  receive({ kind: "control", op, ...(op === "step" && !ignoresCount ? { n } : {}), via: "api" })
  const { debugger: state } = playback()
  return state && map({ "debug/paused?": state.mode === "paused", "debug/step-budget": state.budget })
}

function pendingEvents({ debugger: state, script, position }: Playback): readonly JsonObject[] {
  const line = state !== null && isHalted(state) ? script.lines[position] : undefined
  if (line?.frame.kind !== "event" || line.frame.body.type !== "runner/event-processed") return []
  const { eventName } = line.frame.body
  return [{ "event/name": keyword(eventName ?? ""), "event/data": {}, "event/external?": line.external }]
}

function definition({ root, elements }: ChartDefinition): JsonObject {
  const byId = elements.map(({ id, parent, children, type }) => {
    const place = { id: keyword(id), ...(parent !== null && { parent: keyword(parent) }) }
    const about = { children: children.map(keyword), "node-type": keyword(type ?? "state"), expr: "~:fn" }
    return [keyword(id), map({ ...place, ...about })]
  })
  const whole = { id: keyword(root ?? "ROOT"), "node-type": "~:statechart" }
  return map({ ...whole, [ELEMENTS]: Object.fromEntries(byId) })
}

/** The object with keywords as keys; of those of its keys that are `asked` for, if any are. */
function map(object: JsonObject, asked = Object.keys(object) as readonly string[]): JsonObject {
  const entries = Object.entries(object).filter(([key]) => asked.includes(key))
  return Object.fromEntries(entries.map(([key, value]) => [keyword(key), value]))
}

/** The keyword for a state or an id, whose spelling in a recording may have a colon. */
function keyword(text: string): string {
  return `~:${text.replace(/^:/, "")}`
}

function members(query: Json): readonly Json[] {
  if (isList(query)) return query
  throw new Error("a query is a vector")
}
