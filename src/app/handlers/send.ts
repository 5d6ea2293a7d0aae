// Sends commands to the agent.
import { encode } from "../../protocol/encode.ts"
import type { Source } from "../../transport/source.ts"
import type { HandlersOf } from "./effect-handlers.ts"

export function sendHandler(source: Source): HandlersOf<"send"> {
  return { send: ({ command }) => void source.send(encode(command)) }
}
