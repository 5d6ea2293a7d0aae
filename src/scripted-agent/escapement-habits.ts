// Gives the scripted agent the habits of Escapement, which is less kind than the wire allows (docs/contract.md).

import type { Command } from "../../packages/wire/src/command.ts"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import type { Outgoing } from "../agent/greeting.ts"

/** Events of a question that Escapement sends without a name. */
const NAMELESS = new Set(["cancelled", "interrupted", "error", "validation-failed"].map(name => `human-input/${name}`))
const IO_REF = /^nodes\/([^/]+)\/(\d+)\//

/** Rewrites messages in both directions. It remembers the debugger's last frame, of which Escapement tells a part. */
export class EscapementHabits {
  #debug: JsonObject = {}
  /** Whose start was sent and whose prompt is to come, and whose start is ours while the recording's is to come. */
  readonly #begun = new Set<unknown>()
  readonly #early = new Set<unknown>()

  /** What Escapement sends in the place of this message, in order. */
  outgoing(message: Outgoing): readonly Outgoing[] {
    if (typeof message === "string") return [message]
    if (message.kind === "prompt") return this.#question(message)
    // A frame without the pause is Escapement's own.
    if (message.kind === "debug") return message.paused === undefined ? [message] : this.#debugFrames(message)
    if (message.event === "human-input/start" && !this.#begins(message)) return []
    return [message.kind === "event" ? withHabits(message) : message]
  }

  /** A node's id is read from its second character on, since it should begin with a colon. */
  incoming(command: Command): Command {
    if (command.type === "rerun-from") return { ...command, nodeId: command.nodeId.slice(1) }
    if (command.type !== "request-conversation" || command.nodeId === undefined) return command
    return { ...command, nodeId: command.nodeId.slice(1) }
  }

  /** False for the start of a prompt that was sent before it, with a start of ours. */
  #begins({ data }: JsonObject): boolean {
    const asker = isObject(data) ? data.invokeid : null
    if (this.#early.delete(asker)) return false
    this.#begun.add(asker)
    return true
  }

  /** A prompt without the asker, whom its start names, which comes before. */
  #question({ invokeid = null, ...prompt }: JsonObject): readonly JsonObject[] {
    const { type, opts } = prompt
    const unnamed = { ...prompt, invokeid: null }
    if (this.#begun.delete(invokeid)) return [unnamed]
    this.#early.add(invokeid)
    const kind = type === "multi" ? "multi-select" : (type ?? null)
    const data = { kind, invokeid, ...(isObject(opts) && opts.prompt !== undefined && { prompt: opts.prompt }) }
    return [{ kind: "event", event: "human-input/start", data }, unnamed]
  }

  /** The event gate and the turn gate have frames of their own, and a re-run that failed a third. */
  #debugFrames(frame: JsonObject): readonly JsonObject[] {
    const before = this.#debug
    this.#debug = frame
    const { paused, config } = frame
    if (frame["branch-error"] !== undefined)
      return [{ kind: "debug", mode: "running", "branch-error": frame["branch-error"] }]
    const armed = frame["breakpoint-armed"] === true || frame.mode === "paused-at-turn"
    const mode = isObject(frame.branch) ? "branch-running" : armed ? "paused-at-turn" : "running"
    const turn = {
      mode,
      "turn-index": frame["turn-index"] ?? 0,
      "breakpoint-armed": armed,
      branch: frame.branch ?? null,
    }
    const events = {
      kind: "debug",
      paused: paused ?? false,
      "step-budget": frame["step-budget"] ?? 0,
      config: config ?? [],
    }
    const differs = (keys: readonly string[]) => keys.some(key => String(before[key]) !== String(frame[key]))
    const isOfTurn = differs(["mode", "turn-index", "breakpoint-armed", "branch", "branch-error"])
    const isOfEvents = before.kind === undefined || differs(["paused", "step-budget"]) || !isOfTurn
    return [
      ...(isOfEvents ? [events] : []),
      ...(isOfTurn && before.kind !== undefined ? [{ kind: "debug", ...turn }] : []),
    ]
  }
}

/** An event with Escapement's node ids, and without the names that it leaves out. */
function withHabits(message: JsonObject): JsonObject {
  const { event, data } = message
  if (!isObject(data)) return message
  if (typeof event === "string" && NAMELESS.has(event)) {
    const { invokeid: _, ...others } = data
    return { ...message, data: others }
  }
  const ref = data["io/ref"]
  const [, node, visit] = (event === "llm/request" && typeof ref === "string" ? IO_REF.exec(ref) : null) ?? []
  if (node === undefined) return message
  return { ...message, data: { "node-id": `:${node}`, visit: Number(visit), ...data } }
}
