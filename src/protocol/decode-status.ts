// Reads how the run stands: phase, debugger, control ops and progress.
import type { Branch, ControlFrame, DebugFrame, DebugMode, PendingEvent, PhaseFrame, ProgressFrame } from "./frame.ts"
import type { JsonObject } from "./json.ts"
import { ObjectReader } from "./object-reader.ts"
import { printJson } from "./print-json.ts"

/** A phase snapshot (docs/contract.md section 9), or why it is none. */
export function decodePhase(row: JsonObject): PhaseFrame | string {
  const top = new ObjectReader(row, "", [])
  const config = top.texts("config")
  if (config === null) return "phase: no list config"
  return {
    kind: "phase",
    ts: top.time("ts"),
    config,
    breadcrumb: top.texts("breadcrumb"),
    siblings: top.texts("siblings"),
  }
}

/** A debug snapshot (docs/contract.md sections 3 and 9), or why it is none. */
export function decodeDebug(row: JsonObject): DebugFrame | string {
  const top = new ObjectReader(row, "", [])
  if (row.paused != null && typeof row.paused !== "boolean") return "debug: paused is neither true nor false"
  return {
    kind: "debug",
    paused: top.flag("paused"),
    stepBudget: top.count("step-budget") ?? 0,
    mode: debugMode(top.text("mode")),
    turnIndex: top.whole("turn-index"),
    breakpointArmed: top.flag("breakpoint-armed"),
    branch: decodeBranch(top.inner("branch")),
    branchError: top.text("branch-error"),
    config: top.texts("config"),
    pendingEvents: row["pending-events"] == null ? null : top.inners("pending-events").map(decodePending),
  }
}

function decodePending(event: ObjectReader): PendingEvent {
  const data = event.value("data")
  return {
    name: event.text("name"),
    data: data === undefined ? "" : printJson(data),
    target: event.text("target"),
    external: event.flag("external?"),
    deliveryTime: event.time("delivery-time"),
  }
}

/** A control op (docs/contract.md section 9), or why it is none. */
export function decodeControl(row: JsonObject): ControlFrame | string {
  const top = new ObjectReader(row, "", [])
  const op = top.text("op")
  if (op === null) return "control: no text op"
  return { kind: "control", op, finalConfig: top.textOrTexts("final-config") }
}

/** Progress of an invocation (docs/contract.md section 3), or why it is none. */
export function decodeProgress(row: JsonObject): ProgressFrame | string {
  const { phase } = row
  if (phase !== "start" && phase !== "update" && phase !== "end") {
    return `progress: unknown phase ${printJson(phase ?? null, 80)}`
  }
  const top = new ObjectReader(row, "", [])
  return {
    kind: "progress",
    phase,
    invokeid: top.id("invokeid"),
    label: top.text("label") ?? top.text("prompt"),
    fraction: fraction(top.number("pct")),
  }
}

function debugMode(mode: string | null): DebugMode {
  return mode === "paused-at-turn" || mode === "branch-running" ? mode : "running"
}

function decodeBranch(branch: ObjectReader | null): Branch | null {
  if (branch === null) return null
  const point = branch.inner("branch-point")
  return {
    sessionId: branch.id("session-id"),
    parent: branch.id("parent"),
    point: point && { nodeId: point.text("node-id"), visit: point.whole("visit"), turn: point.whole("turn") },
  }
}

/** `pct` is a fraction, and above 1 percent. */
function fraction(pct: number | null): number | null {
  if (pct === null) return null
  return Math.min(1, Math.max(0, pct > 1 ? pct / 100 : pct))
}
