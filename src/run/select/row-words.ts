import type { Block, EventFrame } from "../../protocol/frame.ts"
import type { Json } from "../../protocol/json.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { isTruncatedReply } from "../log.ts"
import { replaySourceOf } from "../model/capture-place.ts"
import type { DiskFill } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import { shortTitle } from "./figures.ts"

/** What lies behind this many UTF-16 units of a row is never looked at: no screen is so wide. */
const ROW_UNITS = 1000

/** A log row in words: who it is about, what happened, and the particulars. All of it may be shown. */
export interface RowWords {
  readonly source: string
  /** Index of the invocation whose colour the source has, null for the chart, a person, or the program itself. */
  readonly invocation: number | null
  readonly what: string
  readonly text: string
}

export function rowWords(run: Run, row: Row): RowWords {
  const { what } = row
  if (what.kind === "gap") {
    const span = what.from === what.to ? `${what.from}` : `${what.from} to ${what.to}`
    return program("gap", `${what.missing} ${what.missing === 1 ? "row" : "rows"} missing (seq ${span})`)
  }
  if (what.kind === "breakpoint") return program("breakpoint", join(what.condition, what.outcome, what.who))
  if (what.kind === "disk") return program("disk", diskFillWords(what))
  if (what.kind === "parser") return program("parser", what.why)
  if (what.kind === "evicted") {
    const text = what.unrecoverable === true ? "its line cannot be read any more" : ""
    return { ...sourceOf(run, row, what.type, null), what: what.name ?? what.type, text }
  }
  if (what.kind !== "event")
    return program(what.kind === "refused" ? "not sent" : "no effect", `${what.op}: ${what.why}`)
  const [short, text] = eventWords(what)
  const faults = what.faults.length === 0 ? "" : `  [${what.faults.join("; ")}]`
  return {
    ...sourceOf(run, row, what.body.type, what.invokeid),
    what: short,
    text: oneLine(join(replaySourceOf(what), text) + faults),
  }
}

/** What was filled in from the disk, what is not there, and whether its place is a guess. */
export function diskFillWords({ restarted, rows, absent, approximate }: DiskFill): string {
  if (restarted) return "history restarted: the transcript on disk has begun anew"
  const told = rows === 0 ? "" : `${rows} ${rows === 1 ? "row" : "rows"} from disk`
  const lost = rows === 0 ? `${absent} ${absent === 1 ? "row is" : "rows are"} not on disk` : `${absent} not on disk`
  return [told, absent > 0 && lost, approximate && "where they belong is a guess"].filter(Boolean).join(", ")
}

function program(what: string, text: string): RowWords {
  return { source: "sidecar", invocation: null, what, text }
}

function sourceOf(
  run: Run,
  row: Row,
  type: EventFrame["body"]["type"],
  invokeid: string | null,
): { source: string; invocation: number | null } {
  const session = row.session === null ? undefined : run.sessions[row.session]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session !== undefined && group !== undefined) {
    const source = group.sessions.length === 1 ? group.title : `${group.title} ${shortTitle(run, group, session)}`
    return { source, invocation: session.invocation }
  }
  if (invokeid !== null) return { source: sanitizeLine(invokeid.slice(0, ROW_UNITS)), invocation: null }
  if (type.startsWith("human-input/")) return { source: "human", invocation: null }
  if (type.startsWith("runner/")) return { source: "chart", invocation: null }
  return { source: type.startsWith("debug/") ? "debugger" : "agent", invocation: null }
}

/** What an event says: a word or two, and the particulars. */
function eventWords(frame: EventFrame): readonly [what: string, text: string] {
  const body = frame.body
  switch (body.type) {
    case "runner/started":
      return ["started", join(body.resume && "resumed", body.chartId)]
    case "runner/start-config":
      return ["config", path(body.config)]
    case "runner/event-processed": {
      const entered = body.entered.length > 0 ? body.entered.join(", ") : path(body.after)
      return [
        `→ ${entered}`,
        join(body.exited.length > 0 && `from ${body.exited.join(", ")}`, body.eventName && `(${body.eventName})`),
      ]
    }
    case "runner/done":
      return ["done", join(path(body.finalConfig), body.status !== null && `(${body.status})`)]
    case "runner/aborted":
      return ["aborted", body.reason ?? ""]
    case "runner/error":
      return ["error", body.message ?? ""]
    case "llm/start":
      return ["start", body.model ?? ""]
    case "llm/request":
      return ["request", join(messages(body.messages), body.model, body.user.map(blockHead).join(" "))]
    case "llm/response":
      return [replyWord(body.stopReason), responseText(body)]
    case "llm/error":
      return ["llm error", body.message ?? ""]
    case "llm/model-down":
      return [
        "model down",
        join(body.model, body.category, body.message, body.remaining !== null && `${body.remaining} left`),
      ]
    case "llm/tool-result":
      return [body.isError ? "tool error" : "tool", join(body.tool, took(body.elapsedMs), body.preview)]
    case "llm/worker-exit":
      return ["exit", body.reason ?? ""]
    case "llm/user-message":
      return ["user", body.text ?? ""]
    case "llm/context-warning":
      return ["context", body.usedFrac === null ? "nearly full" : `${Math.round(body.usedFrac * 100)} % used`]
    case "llm/model-policy-empty":
      return ["no model", join(body.policy, body.strict && "(strict)")]
    case "llm/retry":
      return [
        "retry",
        join(body.attempt !== null && `${body.attempt} of ${body.maxRetries ?? "?"}`, body.category, body.model),
      ]
    case "human-input/start":
      return ["asks", join(body.prompt, body.inputKind !== null && `(${body.inputKind})`)]
    case "human-input/answer":
      return ["answer", body.shown ?? "(kept private)"]
    case "human-input/cancelled":
      return ["cancelled", ""]
    case "human-input/error":
      return ["input error", body.message ?? ""]
    case "human-input/validation-failed":
      return ["not valid", body.errors.join("; ")]
    case "human-input/interrupted":
      return ["interrupted", "the question need not be answered any more"]
    case "debug/awaiting-quit":
      return ["waits to quit", body.message ?? ""]
    case "debug/awaiting-step":
      return ["waits for step", join(body.eventName, body.external && "(external)")]
    case "transcript/serialize-error":
      return ["unwritten row", "the agent could not write a value here"]
    case "runner/tick":
    case "checkpoint/written":
      return [frame.name, ""]
    case "adapter/line":
      return [body.name, body.text]
    case "other":
      return [frame.name, body.shown]
  }
}

/** A duration as seconds; null where it is not known. */
function took(ms: number | null): string | null {
  return ms === null ? null : `${(ms / 1000).toFixed(1)} s`
}

function replyWord(stopReason: string | null): string {
  if (!isTruncatedReply(stopReason)) return "reply"
  return stopReason === "refusal" ? "refused" : "reply cut"
}

function responseText(body: Extract<EventFrame["body"], { type: "llm/response" }>): string {
  const said = (body.content ?? []).map(block => (block.type === "thinking" ? "" : blockHead(block)))
  const tokens = body.usage.output === null ? null : `${body.usage.output} tok`
  const stop = body.stopReason !== "end_turn" && body.stopReason
  return join(tokens, stop, said.filter(Boolean).join(" "))
}

/** As much of a block as a row could show. */
function blockHead(block: Block): string {
  if (block.type === "text") return block.text.slice(0, ROW_UNITS)
  return block.type === "tool-call" ? `${block.name}(…)` : `[${block.type}]`
}

function messages(n: number | null): string | null {
  return n === null ? null : `${n} ${n === 1 ? "message" : "messages"}`
}

function path(config: readonly string[] | null): string {
  return config === null ? "" : config.join(" › ")
}

function join(...parts: readonly (string | null | false | undefined)[]): string {
  return parts.filter(part => typeof part === "string" && part !== "").join("  ")
}

/** Rows are one line each and short: what lies far behind their end is never looked at. */
function oneLine(text: string): string {
  return text.slice(0, ROW_UNITS).replace(/[\n\t]+/g, " ")
}

/** What a row is called: the name of its event, or our own word. It may be shown. */
export function rowName({ what }: Row): string {
  if (what.kind === "evicted") return what.name ?? what.type
  return what.kind === "event" ? what.name : what.kind
}

/** The data of a row, raw. */
export function rowData({ what }: Row): Json {
  if (what.kind === "evicted") return {}
  return what.kind === "event" ? what.data : { ...what }
}
