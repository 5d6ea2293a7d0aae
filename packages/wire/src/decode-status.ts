// Decodes a run's status (phase, debugger, control ops, progress), and the replies to our requests. The types of these
// frames follow from it.
import { printJson } from "./json.ts"
import { expectedText, mismatchText, type ObjectReader } from "./object-reader.ts"

/** A phase (docs/contract.md section 9), or the reason why the row isn't one. */
export function decodePhase(top: ObjectReader) {
  const config = top.texts("config")
  if (config === null) return mismatchText("phase.config", "list", top.object.config)
  return {
    kind: "phase" as const,
    ts: top.time("ts"),
    config,
    breadcrumb: top.texts("breadcrumb"),
    siblings: top.texts("siblings"),
  }
}

/** The debugger's state (docs/contract.md sections 3 and 9), or the reason why the row isn't one. */
export function decodeDebug(top: ObjectReader) {
  const { paused } = top.object
  if (paused != null && typeof paused !== "boolean") return mismatchText("debug.paused", "true or false", paused)
  return {
    kind: "debug" as const,
    paused: paused ?? null,
    stepBudget: top.count("step-budget"),
    mode: debugMode(top.text("mode")),
    turnIndex: top.integer("turn-index") ?? nullAt(top, "turn-index"),
    breakpointArmed: top.boolean("breakpoint-armed"),
    branch: decodeBranch(top.child("branch")) ?? nullAt(top, "branch"),
    branchError: top.text("branch-error"),
    config: top.texts("config"),
    /** The events in the agent's queue; null if the frame doesn't list them. */
    pendingEvents: top.value("pending-events") === undefined ? null : top.children("pending-events").map(decodePending),
  }
}

/** Null if the frame has null there, which says that there is none; undefined if it says nothing. */
function nullAt({ object }: ObjectReader, key: string): null | undefined {
  return object[key] === null ? null : undefined
}

/** An event in the agent's queue. */
export function decodePending(event: ObjectReader) {
  const data = event.value("data")
  return {
    name: event.text("name"),
    data: data === undefined ? "" : printJson(data),
    target: event.text("target"),
    external: event.flag("external?"),
    deliveryTime: event.time("delivery-time"),
  }
}

/**
 * A control op (docs/contract.md section 9), or the reason why the row isn't one. Only `run-finished` comes from the
 * agent; a recording also holds the ops that we sent.
 */
export function decodeControl(top: ObjectReader) {
  const op = top.text("op")
  if (op === null) return expectedText("control.op", top.object.op)
  // The vector as one printed string, or its members if it came as a list.
  return { kind: "control" as const, op, finalConfig: top.textOrTexts("final-config") }
}

/** The progress of an invocation (docs/contract.md section 3), or the reason why the row isn't one. */
export function decodeProgress(top: ObjectReader) {
  const { phase } = top.object
  if (phase !== "start" && phase !== "update" && phase !== "end") {
    return `progress: unknown phase ${printJson(phase ?? null, 80)}`
  }
  return {
    kind: "progress" as const,
    phase,
    invokeid: top.rawText("invokeid"),
    label: top.text("label") ?? top.text("prompt"),
    fraction: fraction(top.number("pct")),
  }
}

function debugMode(mode: string | null) {
  return mode === "paused-at-turn" || mode === "branch-running" || mode === null ? mode : "running"
}

function decodeBranch(branch: ObjectReader | null) {
  if (branch === null) return null
  const point = branch.child("branch-point")
  return {
    sessionId: branch.rawText("session-id"),
    parent: branch.rawText("parent"),
    point: point && { nodeId: point.text("node-id"), visit: point.integer("visit"), turn: point.integer("turn") },
  }
}

/** A fraction from 0 to 1; a `pct` above 1 is percent. */
function fraction(pct: number | null): number | null {
  if (pct === null) return null
  return Math.min(1, Math.max(0, pct > 1 ? pct / 100 : pct))
}

/** The captured turns of a visit (docs/contract.md section 3). Messages stay raw: they may be edited and sent back. */
export function decodeConversation(top: ObjectReader) {
  return {
    kind: "conversation" as const,
    invokeid: top.rawText("invokeid"),
    nodeId: top.rawText("node-id"),
    visit: top.integer("visit"),
    turns: top.children("turns").map(decodeTurn),
  }
}

/** The models that each alias resolves to (docs/contract.md section 3). */
export function decodeCatalog(top: ObjectReader) {
  const aliases = top.children("aliases").map(entry => {
    const targets = entry.children("targets")
    return {
      alias: entry.text("alias") ?? "",
      targets: targets.map(target => ({ provider: target.text("provider"), model: target.text("model") })),
    }
  })
  return { kind: "model-catalog" as const, aliases, preferences: top.texts("preferences") }
}

/** One of these turns. */
export function decodeTurn(turn: ObjectReader) {
  const messages = turn.children("messages").map(message => {
    return { role: message.rawText("role") ?? "", text: message.rawText("text") ?? "" }
  })
  return { turn: turn.integer("turn"), model: turn.text("model"), system: turn.text("system"), messages }
}
