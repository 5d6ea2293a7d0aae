import { type CapturePlace, capturePlaceOf, mayBeAt } from "../../packages/wire/src/capture-place.ts"
import type { Op } from "../../packages/wire/src/command.ts"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import type { Script, ScriptLine } from "./read-script.ts"

type Rerun = Extract<Op, { type: "rerun-from" }>

/** Branch number `count` (docs/contract.md section 3), from the lines before `position`, or why there is none. */
export function createBranch(script: Script, position: number, op: Rerun, count: number) {
  const lines = script.lines.slice(0, position).filter(line => isOfSession(line, op))
  const all = turnsOf(lines)
  const places = all.map(turn => turn.map(({ frame }) => placeOf(frame)).find(place => place !== null) ?? null)
  const index = places.findIndex((place, i) => mayBeAt(place, op) && (place?.turn ?? i) === op.turn)
  // Turn 0 of a visit begins a conversation.
  const first = Math.max(
    0,
    places.findLastIndex((place, i) => i <= index && place?.turn === 0),
  )
  const turn = all[index]
  if (turn === undefined) return `turn ${op.turn} of ${op.sessionId} was not captured`
  const id = `${op.sessionId}/branch-${count}`
  const copy = ({ message }: ScriptLine, source: "captured" | "live", changes: JsonObject = {}): JsonObject[] => {
    if (message === null || typeof message === "string" || !isObject(message.data)) return []
    const data = { ...message.data, ...changes, "session-id": id, "replay/source": source }
    return [{ kind: "event", event: message.event ?? null, ts: 0, data }]
  }
  const captured = all.slice(first, index).flatMap(lines => lines.filter(line => line.frame.kind === "event"))
  const rerun = turn.flatMap(line => {
    const type = line.frame.kind === "event" ? line.frame.body.type : "llm/delta"
    if (type === "llm/worker-exit") return []
    return copy(line, type === "llm/tool-result" ? "captured" : "live", changesTo(type, op.overrides))
  })
  const exit = { invokeid: op.invokeid, "session-id": id, reason: "done", "replay/source": "live" }
  const point = { "node-id": op.nodeId, visit: op.visit, turn: op.turn }
  return {
    frame: { "session-id": id, parent: op.sessionId, "branch-point": point },
    events: [
      ...captured.flatMap(line => copy(line, "captured")),
      ...rerun,
      { kind: "event", event: "llm/worker-exit", ts: 0, data: exit },
    ],
  }
}

function isOfSession({ frame }: ScriptLine, op: Rerun): boolean {
  if (frame.kind !== "event" && frame.kind !== "delta") return false
  if (frame.kind === "event" && !frame.name.startsWith("llm/")) return false
  return frame.invokeid === op.invokeid && (frame.sessionId === null || frame.sessionId === op.sessionId)
}

function placeOf(frame: ScriptLine["frame"]): CapturePlace | null {
  return frame.kind === "event" ? capturePlaceOf(frame) : null
}

/** The lines of each turn. Lines before the first start belong to none. */
function turnsOf(lines: readonly ScriptLine[]): readonly (readonly ScriptLine[])[] {
  const turns: ScriptLine[][] = []
  for (const line of lines) {
    if (line.frame.kind === "event" && line.frame.body.type === "llm/start") turns.push([line])
    else turns.at(-1)?.push(line)
  }
  return turns
}

/** The changes that the overrides make to an event of the re-run turn. */
function changesTo(type: string, overrides: JsonObject): JsonObject {
  const override = overrides.model ?? overrides.alias
  const model = typeof override === "string" ? { model: override } : {}
  if (type !== "llm/request") return model
  const { system, messages } = overrides
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  return {
    ...model,
    ...(typeof system === "string" ? { "system-preview": system } : {}),
    ...(isObject(last) && typeof last.text === "string" ? { "user-blocks": [{ type: "text", text: last.text }] } : {}),
  }
}
