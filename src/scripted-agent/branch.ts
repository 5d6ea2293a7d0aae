// Makes a branch: what the agent says when a captured turn is run again with something changed.
import type { Op } from "../protocol/command.ts"
import { isObject, type JsonObject } from "../protocol/json.ts"
import type { Cue, Script } from "./read-script.ts"

type Rerun = Extract<Op, { type: "rerun-from" }>

/** A branch that has started: its own frame for `debug`, and its events. */
export interface ScriptedBranch {
  readonly frame: JsonObject
  readonly events: readonly JsonObject[]
}

/**
 * The branch of a turn that the cues before `at` have played (docs/contract.md section 3), the `count`-th of the play. The
 * turns before it, and the tools' results, are served from the capture; the turn itself runs again, with what was
 * changed, and says what it said before. A text where there is no such turn.
 */
export function branchOf(script: Script, at: number, op: Rerun, count: number): ScriptedBranch | string {
  const own = script.cues.slice(0, at).filter(cue => isOf(cue, op))
  const turns = turnsOf(own)
  const turn = turns[op.turn]
  if (turn === undefined) return `turn ${op.turn} of ${op.sessionId} was not captured`
  const id = `${op.sessionId}/branch-${count}`
  const said = (cue: Cue, source: "captured" | "live", more: JsonObject = {}): JsonObject[] => {
    const { out } = cue
    if (out === null || typeof out === "string" || !isObject(out.data)) return []
    const data = { ...out.data, ...more, "session-id": id, "replay/source": source }
    return [{ kind: "event", event: out.event ?? null, ts: 0, data }]
  }
  const before = turns.slice(0, op.turn).flatMap(cues => cues.filter(cue => cue.frame.kind === "event"))
  const anew = turn.flatMap(cue => {
    const type = cue.frame.kind === "event" ? cue.frame.body.type : "llm/delta"
    if (type === "llm/worker-exit") return []
    return said(cue, type === "llm/tool-result" ? "captured" : "live", changed(type, op.overrides))
  })
  const exit = { invokeid: op.invokeid, "session-id": id, reason: "done", "replay/source": "live" }
  const point = { "node-id": op.nodeId, visit: op.visit, turn: op.turn }
  return {
    frame: { "session-id": id, parent: op.sessionId, "branch-point": point },
    events: [
      ...before.flatMap(cue => said(cue, "captured")),
      ...anew,
      { kind: "event", event: "llm/worker-exit", ts: 0, data: exit },
    ],
  }
}

function isOf({ frame }: Cue, op: Rerun): boolean {
  if (frame.kind !== "event" && frame.kind !== "delta") return false
  if (frame.kind === "event" && !frame.name.startsWith("llm/")) return false
  return frame.invokeid === op.invokeid && (frame.sessionId === null || frame.sessionId === op.sessionId)
}

/** The cues of each turn; those before the first start belong to none. */
function turnsOf(cues: readonly Cue[]): readonly (readonly Cue[])[] {
  const turns: Cue[][] = []
  for (const cue of cues) {
    if (cue.frame.kind === "event" && cue.frame.body.type === "llm/start") turns.push([cue])
    else turns.at(-1)?.push(cue)
  }
  return turns
}

/** What the overrides change in an event of the turn that runs again. */
function changed(type: string, overrides: JsonObject): JsonObject {
  const model = overrides.model ?? overrides.alias
  const named = typeof model === "string" ? { model } : {}
  if (type !== "llm/request") return named
  const { system, messages } = overrides
  const last = Array.isArray(messages) ? messages.at(-1) : undefined
  return {
    ...named,
    ...(typeof system === "string" ? { "system-preview": system } : {}),
    ...(isObject(last) && typeof last.text === "string" ? { "user-blocks": [{ type: "text", text: last.text }] } : {}),
  }
}
