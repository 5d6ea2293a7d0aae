// Plays a script: what is next, what waits at which gate, and what the agent says to a command. Pure.

import type { Outgoing } from "../agent/greeting.ts"
import type { Answer, Command, Op } from "../protocol/command.ts"
import type { Json, JsonObject } from "../protocol/json.ts"
import { branchOf } from "./branch.ts"
import { type Debugger, debugFrame, halt, newDebugger, operate, passed, shut } from "./debugger.ts"
import type { Ask, Cue, Script } from "./read-script.ts"
import { catalog, conversation } from "./replies.ts"

/** Where a play stands. */
export interface ScriptPlayer {
  readonly script: Script
  /** The cue that is next. */
  readonly at: number
  /** Questions that were put and not answered, oldest first. */
  readonly open: readonly Ask[]
  /** Questions that somebody attached has settled, so that the recording's own end of them is left out. */
  readonly settled: ReadonlySet<Ask>
  readonly config: readonly string[]
  /** Null where no debugger is attached: then its ops do nothing, as in the real agent. */
  readonly debugger: Debugger | null
  /** Branches so far. */
  readonly branches: number
  /** Why no branch can start; null where they can. */
  readonly branchError: string | null
  readonly state: "playing" | "finished" | "quit"
}

/** What is next: a cue after its recorded gap in ms, an answer to `asks`, an op that opens a gate, or nothing more. */
export type Next =
  | { readonly type: "cue"; readonly gap: number }
  | { readonly type: "answer"; readonly asks: readonly Ask[] }
  | { readonly type: "gate" }
  | { readonly type: "over" }

export interface ScriptChange {
  readonly player: ScriptPlayer
  /** What goes out, in order; events get their numbers later. */
  readonly out: readonly Outgoing[]
}

/** The player before its first cue. A debugger's first word is its `debug` frame. */
export function open(
  script: Script,
  attached: "none" | "running" | "paused",
  branchError: string | null = null,
): ScriptChange {
  const it = attached === "none" ? null : newDebugger(attached === "paused")
  const player: ScriptPlayer = {
    script,
    at: 0,
    open: [],
    settled: new Set(),
    config: [],
    debugger: it,
    branches: 0,
    branchError,
    state: "playing",
  }
  return { player, out: debugFrames(player) }
}

/** What the play waits for. */
export function next(player: ScriptPlayer): Next {
  if (player.state !== "playing") return { type: "over" }
  const cue = player.script.cues[player.at]
  const asks = player.open.filter(ask => !ask.left)
  if (asks.length > 0 && !(cue && belongsToQuestion(cue))) return { type: "answer", asks }
  if (player.debugger && shut(player.debugger)) return { type: "gate" }
  return { type: "cue", gap: cue && !isLeftOut(player, cue) ? cue.gap : 0 }
}

/** Questions that stand together are open together, each with the event that says it was put. */
function belongsToQuestion(cue: Cue): boolean {
  return cue.asks !== null || (cue.frame.kind === "event" && cue.frame.body.type === "human-input/start")
}

function isLeftOut(player: ScriptPlayer, cue: Cue): boolean {
  return cue.out === null || (cue.settles !== null && player.settled.has(cue.settles))
}

/** Plays the next cue, or shuts the gate that stands before it. Only where `next` says "cue". */
export function advance(player: ScriptPlayer): ScriptChange {
  const cue = player.script.cues[player.at]
  if (cue === undefined) return finish(player)
  if (isLeftOut(player, cue)) return { player: { ...player, at: player.at + 1 }, out: [] }
  const stop = player.debugger && halt(player.debugger, cue, player.at)
  if (stop) return stopAt(player, cue, stop)
  const change = playScript(player, cue)
  return { ...change, player: { ...change.player, at: player.at + 1 } }
}

/** Plays a line that the script does not have, now and whatever waits. */
export function playScript(player: ScriptPlayer, cue: Cue): ScriptChange {
  if (cue.out === null) return { player, out: [] }
  const before = player.debugger
  const isEvent = cue.frame.kind === "event" || cue.frame.kind === "delta"
  const isSettled = (ask: Ask) => ask.promptId === cue.settles?.promptId
  const still = player.open.filter(ask => !isSettled(ask))
  const after: ScriptPlayer = {
    ...player,
    open: cue.asks === null ? still : [...still, cue.asks],
    settled: player.settled.union(new Set(player.open.filter(isSettled))),
    config: cue.config ?? player.config,
    debugger: before && isEvent ? passed(before) : before,
  }
  const isSpent = before?.mode === "stepping" && after.debugger?.mode === "paused"
  return { player: after, out: isSpent ? [cue.out, ...debugFrames(after)] : [cue.out] }
}

/** The recording is over: says so, unless it said so itself, perhaps before its last events (docs/contract.md section 2). */
function finish(player: ScriptPlayer): ScriptChange {
  const finalConfig = `[${player.config.map(state => (state.startsWith(":") ? state : `:${state}`)).join(" ")}]`
  const last = { kind: "control", op: "run-finished", "final-config": finalConfig }
  return { player: { ...player, state: "finished" }, out: player.script.finishes ? [] : [last] }
}

function stopAt(player: ScriptPlayer, cue: Cue, stop: { it: Debugger; gate: "event" | "turn" }): ScriptChange {
  const after = { ...player, debugger: stop.it }
  if (stop.gate === "turn" || cue.frame.kind !== "event") return { player: after, out: debugFrames(after) }
  const { body } = cue.frame
  const name = body.type === "runner/event-processed" ? body.eventName : null
  return {
    player: after,
    out: [event("debug/awaiting-step", { "event-name": name, "external?": true }), ...debugFrames(after)],
  }
}

/** What the agent does on a command, and says. One without effect changes nothing: the agent never acknowledges. */
export function receive(player: ScriptPlayer, command: Command): ScriptChange {
  if (player.state === "quit") return { player, out: [] }
  switch (command.type) {
    case "answer":
    case "cancel":
      return settle(player, command)
    case "ui-interrupt":
      return { player, out: [event("runner/event-processed", unchanged("ui.interrupt", player.config))] }
    case "ui-quit":
      return quit(player)
    case "request-conversation":
      return { player, out: [conversation(player.script, player.at, command)] }
    case "request-model-catalog":
      return { player, out: [catalog(player.script)] }
    case "rerun-from":
      return rerun(player, command)
    default:
      return debug(player, command)
  }
}

/** The first answer counts; a later one, or one to a question that was never put, changes nothing. */
function settle(player: ScriptPlayer, answer: Answer): ScriptChange {
  const ask = player.open.find(open => open.promptId === answer.promptId)
  if (ask === undefined) return { player, out: [] }
  const open = player.open.filter(other => other !== ask)
  const after = { ...player, open, settled: new Set(player.settled).add(ask) }
  if (answer.type === "cancel") return { player: after, out: [event("human-input/cancelled", {})] }
  const value = ask.secret ? {} : { answer: answer.value }
  return {
    player: after,
    out: [event("human-input/answer", { kind: ask.inputKind, invokeid: ask.invokeid, ...value })],
  }
}

function quit(player: ScriptPlayer): ScriptChange {
  const out = player.state === "finished" ? [] : [event("runner/aborted", { reason: "quit by user" })]
  return { player: { ...player, state: "quit" }, out }
}

function debug(player: ScriptPlayer, op: Op): ScriptChange {
  const it = player.debugger && operate(player.debugger, op, player.at)
  if (it === null) return { player, out: [] }
  const after = { ...player, debugger: it }
  return { player: after, out: debugFrames(after) }
}

/** Runs a captured turn again, at once and beside the recording; a `debug` frame says that it started, or why not. */
function rerun(player: ScriptPlayer, op: Extract<Op, { type: "rerun-from" }>): ScriptChange {
  const it = player.debugger
  if (it === null) return { player, out: [] }
  const branch = player.branchError ?? branchOf(player.script, player.at, op, player.branches + 1)
  if (typeof branch === "string") {
    const failed = { ...player, debugger: { ...it, branchError: branch } }
    return { player: failed, out: debugFrames(failed) }
  }
  const started = {
    ...player,
    branches: player.branches + 1,
    debugger: { ...it, branch: branch.frame, branchError: null },
  }
  return { player: started, out: [...debugFrames(started), ...branch.events] }
}

function debugFrames(player: ScriptPlayer): readonly JsonObject[] {
  return player.debugger === null ? [] : [debugFrame(player.debugger, player.config)]
}

function event(name: string, data: JsonObject): JsonObject {
  return { kind: "event", event: name, data }
}

function unchanged(name: string, config: readonly Json[]): JsonObject {
  return {
    "event-name": name,
    "config-before": config,
    "config-after": config,
    entered: [],
    exited: [],
    "event-data": {},
  }
}
