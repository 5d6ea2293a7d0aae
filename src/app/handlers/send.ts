// Sends commands to the agent.
import type { Source } from "../../transport/source.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function sendHandler(source: Source): HandlersOf<"agent/send"> {
  return { "agent/send": effect => void source.send(effect) }
}
