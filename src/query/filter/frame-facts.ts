// Answers a filter for frames that make no log row: deltas, prompts, and reports about the run.
import type { Frame } from "../../protocol/frame.ts"
import { type FactTable, has, type Passes } from "./facts.ts"
import type { NumberKey, TextKey, Word } from "./filter.ts"

/**
 * - `kind`: as on the wire, where a delta is an event; its `event` is llm/delta. `invokeid`, `session`, `model`: as in
 *   the frame.
 * - `state`: of a phase, the active states. `text`: of a delta its few characters, of a prompt its question.
 * - `ts`, `seq`: if the frame has one. `prompt`: prompts and answers. Such a frame has none of the other keys.
 */
export const frameFacts: FactTable<Frame> = {
  knows: () => true,
  some: (_, frame, key, passes) => someOfFrame(frame, key, passes),
  number: (_, frame, key) => numberOfFrame(frame, key),
  is: (_, frame, word) => isFrame(frame, word),
}

function someOfFrame(frame: Frame, key: TextKey, passes: Passes): boolean {
  switch (key) {
    case "kind":
      return passes(frame.kind === "delta" ? "event" : frame.kind)
    case "event":
      return frame.kind === "delta" ? passes("llm/delta") : frame.kind === "event" && has(frame.name, passes)
    case "invokeid":
      return "invokeid" in frame && has(frame.invokeid, passes)
    case "session":
      return "sessionId" in frame && has(frame.sessionId, passes)
    case "model":
      return frame.kind === "delta" && has(frame.model, passes)
    case "state":
      return frame.kind === "phase" && frame.config.some(state => has(state, passes))
    case "text":
      if (frame.kind === "delta") return has(frame.text, passes)
      return frame.kind === "prompt" && has(frame.question, passes)
    case "tool":
    case "reason":
      return false
  }
}

function numberOfFrame(frame: Frame, key: NumberKey | "ts"): number | null {
  if (key === "ts") return "ts" in frame ? frame.ts : null
  return key === "seq" && "seq" in frame ? frame.seq : null
}

function isFrame(frame: Frame, word: Word): boolean {
  return word === "prompt" && (frame.kind === "prompt" || frame.kind === "answer")
}
