// Holds the API's queries and decodes its responses (docs/contract.md section 7): the debugger and the chart.
import type { ChartDefinition, ChartElement } from "../protocol/chart-definition.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import { mismatchText, ObjectReader } from "../protocol/object-reader.ts"
import { sanitize } from "../protocol/sanitize.ts"
import type { Query } from "./transit.ts"

/** The state of the event gate. */
export interface Gate {
  readonly paused: boolean
  readonly stepBudget: number
}

export interface DebuggerState extends Gate {
  /** The active states; null if the run has none yet. */
  readonly liveConfiguration: readonly string[] | null
  readonly pendingEvents: readonly EqlPendingEvent[]
}

/** An event in the agent's queue. */
export interface EqlPendingEvent {
  readonly name: string | null
  /** Raw. */
  readonly data: Json
  readonly target: string | null
  readonly external: boolean
  /** Epoch ms. */
  readonly deliveryTime: number | null
}

const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

export const debuggerQuery: Query = [
  "session/paused?",
  "session/step-budget",
  "session/live-configuration",
  { "session/pending-events": ["event/name", "event/data", "event/target", "event/external?", "event/delivery-time"] },
]
export const chartQuery: Query = [{ "escapement/chart": ["chart/definition"] }]

/** The debugger; null if none is attached, a string with the reason if the response is invalid. */
export function decodeDebuggerState(response: JsonObject): DebuggerState | null | string {
  const gate = decodeGate(response, "session")
  if (gate === null || typeof gate === "string") return gate
  const top = new ObjectReader(response, "", [])
  return {
    ...gate,
    liveConfiguration: top.texts("session/live-configuration"),
    pendingEvents: top.children("session/pending-events").map(event => ({
      name: event.text("event/name"),
      data: event.value("event/data") ?? null,
      target: event.text("event/target"),
      external: event.flag("event/external?"),
      deliveryTime: event.number("event/delivery-time"),
    })),
  }
}

/**
 * The gate in the response to a read (`session`) or to a mutation (`debug`); null if no debugger is attached, a string
 * with the reason if the response is invalid.
 */
export function decodeGate(response: JsonObject, namespace: "session" | "debug"): Gate | null | string {
  const paused = response[`${namespace}/paused?`] ?? null
  if (paused === null) return null
  if (typeof paused !== "boolean") return mismatchText("paused?", "true or false", paused)
  return { paused, stepBudget: new ObjectReader(response, "", []).count(`${namespace}/step-budget`) ?? 0 }
}

/** The chart; null if the agent has none, a string with the reason if the response is invalid. */
export function decodeChart(response: JsonObject): ChartDefinition | null | string {
  const definition = new ObjectReader(response, "", []).child("escapement/chart")?.value("chart/definition")
  if (definition === undefined) return null
  if (!isObject(definition)) return mismatchText("chart", "map", definition)
  const chart = new ObjectReader(definition, "", [])
  const elements = chart.child(ELEMENTS)?.object
  if (elements === undefined) return "the chart has no elements"
  return {
    root: chart.text("id"),
    elements: Object.entries(elements).flatMap(([key, element]) => decodeElement(key, element)),
  }
}

function decodeElement(key: string, element: Json): ChartElement[] {
  if (!isObject(element)) return []
  const one = new ObjectReader(element, "", [])
  return [
    {
      id: one.text("id") ?? sanitize(key),
      parent: one.text("parent"),
      children: one.texts("children") ?? [],
      type: one.text("node-type"),
    },
  ]
}
