// Reads the API's answers (docs/contract.md section 7): what the debugger, the chart and the sessions are.
import type { ChartDefinition, ChartElement } from "../protocol/chart-definition.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"
import { ObjectReader } from "../protocol/object-reader.ts"
import { sanitize } from "../protocol/sanitize.ts"
import type { Query } from "./transit.ts"

/** What the event gate lets through. */
export interface Gate {
  readonly paused: boolean
  readonly stepBudget: number
}

export interface DebuggerState extends Gate {
  /** The active states; null where the run has none yet. */
  readonly liveConfiguration: readonly string[] | null
  readonly pendingEvents: readonly EqlPendingEvent[]
}

/** An event that waits in the agent's queue. */
export interface EqlPendingEvent {
  readonly name: string | null
  /** Raw. */
  readonly data: Json
  readonly target: string | null
  readonly external: boolean
  /** Epoch ms. */
  readonly deliveryTime: number | null
}

export interface SessionSummary {
  /** Raw: opaque, for equality (docs/contract.md section 2). */
  readonly id: string
  readonly status: string | null
  /** Epoch ms. */
  readonly startedAt: number | null
  /** Epoch ms. */
  readonly endedAt: number | null
  readonly eventCount: number | null
}

const SESSION_ID = "com.fulcrologic.statecharts/session-id"
const ELEMENTS = "com.fulcrologic.statecharts/elements-by-id"

export const debuggerQuery: Query = [
  "session/paused?",
  "session/step-budget",
  "session/live-configuration",
  {
    "session/pending-events": ["event/name", "event/data", "event/target", "event/external?", "event/delivery-time"],
  },
]
export const chartQuery: Query = [{ "escapement/chart": ["chart/definition"] }]
export const activeSessionQuery: Query = ["escapement/active-session-id"]
export const sessionsQuery: Query = [
  {
    "escapement/all-sessions": [
      SESSION_ID,
      "session/status",
      "session/started-at",
      "session/ended-at",
      "session/event-count",
    ],
  },
]

/** The debugger; null where none is attached. A text says why the answer is none. */
export function readDebuggerState(answer: JsonObject): DebuggerState | null | string {
  const gate = readGate(answer, "session")
  if (gate === null || typeof gate === "string") return gate
  const top = new ObjectReader(answer, "", [])
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

/** The gate as a read (`session`) or a mutation (`debug`) tells it; null where no debugger is attached. */
export function readGate(answer: JsonObject, namespace: "session" | "debug"): Gate | null | string {
  const paused = answer[`${namespace}/paused?`] ?? null
  if (paused === null) return null
  if (typeof paused !== "boolean") return "paused? is neither true nor false"
  return { paused, stepBudget: new ObjectReader(answer, "", []).count(`${namespace}/step-budget`) ?? 0 }
}

/** The chart; null where the agent has none to show. A text says why the answer is none. */
export function readChartDefinition(answer: JsonObject): ChartDefinition | null | string {
  const definition = new ObjectReader(answer, "", []).child("escapement/chart")?.value("chart/definition")
  if (definition === undefined) return null
  if (!isObject(definition)) return "the chart is no map"
  const chart = new ObjectReader(definition, "", [])
  const elements = chart.child(ELEMENTS)?.object
  if (elements === undefined) return "the chart has no elements"
  return {
    root: chart.text("id"),
    elements: Object.entries(elements).flatMap(([key, element]) => readElement(key, element)),
  }
}

function readElement(key: string, element: Json): ChartElement[] {
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

/** Every session that has an id. */
export function readSessionList(answer: JsonObject): readonly SessionSummary[] {
  return new ObjectReader(answer, "", []).children("escapement/all-sessions").flatMap(session => {
    const id = session.rawText(SESSION_ID)
    if (id === null) return []
    return [
      {
        id,
        status: session.text("session/status"),
        startedAt: session.number("session/started-at"),
        endedAt: session.number("session/ended-at"),
        eventCount: session.count("session/event-count"),
      },
    ]
  })
}
