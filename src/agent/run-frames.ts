// Builds frames that say what became of a run.
import type { JsonObject } from "../../packages/wire/src/json.ts"

/** An event that the chart has processed without changing its states. */
export function processedEvent(name: string, config: readonly string[]): JsonObject {
  const states = { "config-before": config, "config-after": config, entered: [], exited: [] }
  return { kind: "event", event: "runner/event-processed", data: { "event-name": name, ...states, "event-data": {} } }
}

/** Says that the run is over, though the agent stays. */
export function finishedFrame(config: readonly string[]): JsonObject {
  const states = config.map(state => (state.startsWith(":") ? state : `:${state}`))
  return { kind: "control", op: "run-finished", "final-config": `[${states.join(" ")}]` }
}
