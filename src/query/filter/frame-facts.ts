// Answers a filter for frames that make no log row: deltas, prompts, and reports about the run.
import type { Frame } from "../../../packages/wire/src/frame.ts"
import type { FactTable, TextKey, Texts } from "./filter.ts"

/**
 * - `kind`: as on the wire, where a delta is an event; its `event` is llm/delta. `invokeid`, `session`, `model`: as in
 *   the frame.
 * - `state`: of a phase, the active states. `text`: of a delta its few characters, of a prompt its question.
 * - `ts`, `seq`: if the frame has one. `prompt`: prompts and answers. Such a frame has none of the other keys.
 */
export const frameFacts: FactTable<Frame> = {
  knows: () => true,
  texts: (_, frame, key) => textsOfFrame(frame, key),
  number(_, frame, key) {
    if (key === "ts") return "ts" in frame ? frame.ts : null
    return key === "seq" && "seq" in frame ? frame.seq : null
  },
  is: (_, { kind }, word) => word === "prompt" && (kind === "prompt" || kind === "answer"),
}

function textsOfFrame(frame: Frame, key: TextKey): Texts {
  const delta = frame.kind === "delta" ? frame : null
  if (key === "kind") return [delta === null ? frame.kind : "event"]
  if (key === "event") return frame.kind === "event" ? [frame.name] : [delta && "llm/delta"]
  if (key === "invokeid") return "invokeid" in frame ? [frame.invokeid] : []
  if (key === "session") return "sessionId" in frame ? [frame.sessionId] : []
  if (key === "model") return [delta?.model]
  if (key === "state") return frame.kind === "phase" ? frame.config : []
  return key === "text" ? [frame.kind === "prompt" ? frame.question : delta?.text] : []
}
