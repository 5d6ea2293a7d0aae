// Puts log rows into words: their subject, their event, and the details; also answers.
import { callEssence } from "../../../packages/wire/src/call-arguments.ts"
import type { Block } from "../../../packages/wire/src/capture.ts"
import { replaySourceOf } from "../../../packages/wire/src/capture-place.ts"
import type { EventFrame, PromptFrame } from "../../../packages/wire/src/frame.ts"
import { type Json, stringifySafe } from "../../../packages/wire/src/json.ts"
import { sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { isTruncatedReply } from "../log.ts"
import { itemAt } from "../model/chunked-list.ts"
import type { Prompt } from "../model/prompts.ts"
import type { DiskFill } from "../model/row.ts"
import type { Row, Run } from "../model/run.ts"
import { sessionName } from "./figures.ts"

/** Maximum UTF-16 units of a row that are looked at: no screen is wider. */
const ROW_UNITS = 1000

/** A log row in words. All fields may be shown. */
export interface RowWords {
  readonly source: string
  /** Index of the invocation that gives the source its color; null for the chart, a person, or the program itself. */
  readonly invocation: number | null
  readonly what: string
  readonly text: string
}

type ReportedAnswer = Extract<EventFrame["body"], { type: "human-input/answer" }>

/** The words of a row. All of them may be shown. */
export function rowWords(run: Run, row: Row): RowWords {
  const { what } = row
  switch (what.kind) {
    case "event": {
      const [short, text] = eventWords(run, what)
      const faults = what.faults.length === 0 ? "" : `  [${what.faults.join("; ")}]`
      const shown = oneLine(join(replaySourceOf(what), text) + faults)
      return { ...sourceOf(run, row, what.body.type, what.invokeid), what: short, text: shown }
    }
    case "evicted": {
      const text = what.unrecoverable === true ? "this line can no longer be read" : ""
      return { ...sourceOf(run, row, what.type, null), what: what.name ?? what.type, text }
    }
    case "gap": {
      const span = what.from === what.to ? `${what.from}` : `${what.from} to ${what.to}`
      return ownWords("gap", `${counted(what.missing, "row")} missing (seq ${span})`)
    }
    case "refused":
      return ownWords("not sent", `${what.op}: ${what.why}`)
    case "timed-out":
      return ownWords("no effect", `${what.op}: ${what.why}`)
    case "breakpoint":
      return ownWords("breakpoint", join(what.condition, what.outcome, what.who))
    case "disk":
      return ownWords("disk", diskFillWords(what))
    case "parser":
    case "prompt":
    case "connection":
      return ownWords(what.kind, what.why)
  }
}

function diskFillWords({ restarted, rows, absent, approximate }: DiskFill): string {
  if (restarted) return "History restarted: the transcript file was rewritten"
  const filled = rows === 0 ? "" : `${counted(rows, "row")} from disk`
  const lost = rows === 0 ? `${absent} ${absent === 1 ? "row is" : "rows are"} not on disk` : `${absent} not on disk`
  return [filled, absent > 0 && lost, approximate && "position approximate"].filter(Boolean).join(", ")
}

function ownWords(what: string, text: string): RowWords {
  return { source: "sidecar", invocation: null, what, text }
}

type RowSource = Pick<RowWords, "source" | "invocation">

function sourceOf(run: Run, row: Row, type: EventFrame["body"]["type"], invokeid: string | null): RowSource {
  const name = sessionName(run, row.session ?? -1)
  if (name !== null) return { source: name, invocation: itemAt(run.sessions, row.session)?.invocation ?? null }
  if (invokeid !== null) return { source: sanitizeLine(invokeid.slice(0, ROW_UNITS)), invocation: null }
  if (type.startsWith("human-input/")) return { source: "human", invocation: null }
  if (type.startsWith("runner/")) return { source: "chart", invocation: null }
  return { source: type.startsWith("debug/") ? "debugger" : "agent", invocation: null }
}

function eventWords(run: Run, frame: EventFrame): readonly [what: string, text: string] {
  const body = frame.body
  switch (body.type) {
    case "runner/started":
      return ["started", join(body.resume && "resumed", body.chartId)]
    case "runner/start-config":
      return ["config", statePath(body.config)]
    case "runner/event-processed": {
      const entered = body.entered.length > 0 ? body.entered.join(", ") : statePath(body.after)
      return [
        `→ ${entered}`,
        join(body.exited.length > 0 && `from ${body.exited.join(", ")}`, body.eventName && `(${body.eventName})`),
      ]
    }
    case "runner/done":
      return ["done", join(statePath(body.finalConfig), ![null, "done"].includes(body.status) && `(${body.status})`)]
    case "runner/aborted":
      return ["aborted", body.reason ?? ""]
    case "runner/error":
      return ["error", body.message ?? ""]
    case "llm/start":
      return ["start", body.model ?? ""]
    case "llm/request":
      return ["asked", dotted(body.model, oneLine(body.user.map(blockHead).join(" ")).trim())]
    case "llm/response":
      return [replyWords(body.stopReason), responseText(body)]
    case "llm/error":
      return ["model error", body.message ?? ""]
    case "llm/model-down": {
      const left = body.remaining !== null && `${counted(body.remaining, "model")} left to try`
      return ["model unavailable", join(body.model, body.category, body.message, left)]
    }
    case "llm/tool-result":
      return [body.isError ? "tool error" : "tool", join(body.tool, seconds(body.elapsedMs), body.preview)]
    case "llm/worker-exit":
      return ["session ended", body.reason === "done" ? "" : (body.reason ?? "")]
    case "llm/user-message":
      return ["user", body.text ?? ""]
    case "llm/context-warning":
      return ["context", body.usedFrac === null ? "nearly full" : `${Math.round(body.usedFrac * 100)}% used`]
    case "llm/model-policy-empty":
      return ["no model", join(body.policy, body.strict && "(strict)")]
    case "llm/retry":
      return [
        "retry",
        join(body.attempt !== null && `${body.attempt} of ${body.maxRetries ?? "?"}`, body.category, body.model),
      ]
    case "human-input/start":
      return [
        "asks",
        join(withoutMarks((body.prompt ?? "").slice(0, ROW_UNITS)), body.inputKind !== null && `(${body.inputKind})`),
      ]
    case "human-input/answer":
      return ["answer", answerText(run, frame, body)]
    case "human-input/cancelled":
      return ["cancelled", promptAskedBy(run, frame)?.frame.question ?? ""]
    case "human-input/error":
      return ["input error", body.message ?? ""]
    case "human-input/validation-failed":
      return ["invalid answer", body.errors.join("; ")]
    case "human-input/interrupted":
      return ["interrupted", "the agent withdrew the question"]
    case "debug/awaiting-quit":
      return ["waiting", join("for you to quit", body.message)]
    case "debug/awaiting-step":
      return ["waiting", join("for a step", body.eventName, body.external && "(external)")]
    case "debug/branch-error":
      return ["branch failed", body.message ?? ""]
    case "transcript/serialize-error":
      return ["unwritten row", "the agent couldn't write a value here"]
    case "runner/tick":
    case "checkpoint/written":
    case "llm/usage":
      return [frame.name, ""]
    case "adapter/line":
      return [body.name, body.text]
    case "other":
      return [frame.name, body.shown]
  }
}

/** The question that an event answers or cancels. Its asker may have asked another one since. */
function promptAskedBy(run: Run, { invokeid, ts: till }: EventFrame): Prompt | undefined {
  const isAsked = (ts: number | null) => ts === null || till === null || ts <= till
  return run.prompts.findLast(({ asker, ts }) => asker === invokeid && isAsked(ts))
}

/** In the words of the options, if the question is known. */
function answerText(run: Run, frame: EventFrame, { answer, shown }: ReportedAnswer): string {
  const prompt = promptAskedBy(run, frame)
  if (shown === null || prompt?.frame.secret) return "(kept private)"
  return prompt === undefined || answer === undefined ? shown : valueWords(prompt.frame, answer)
}

function seconds(ms: number | null): string | null {
  return ms === null ? null : `${(ms / 1000).toFixed(1)}s`
}

function replyWords(stopReason: string | null): string {
  if (!isTruncatedReply(stopReason)) return "said"
  return stopReason === "refusal" ? "refused" : "reply truncated"
}

function responseText(body: Extract<EventFrame["body"], { type: "llm/response" }>): string {
  const heads = (body.content ?? []).map(block => (block.type === "thinking" ? "" : blockHead(block)))
  return join(stopWords(body.stopReason), heads.filter(Boolean).join(" ").trim())
}

function stopWords(stopReason: string | null): string | null {
  if (stopReason === "max_tokens") return "token limit"
  return stopReason === "end_turn" || stopReason === "tool_use" ? null : stopReason
}

function blockHead(block: Block): string {
  if (block.type === "text") return withoutMarks(block.text.slice(0, ROW_UNITS))
  return block.type === "tool-call" ? `${block.name}(${callEssence(block.input)})` : `[${block.type}]`
}

/** A count with its noun, such as "2 rows". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`
}

function statePath(config: readonly string[] | null): string {
  return config === null ? "" : config.join(" › ")
}

function join(...parts: readonly (string | null | false | undefined)[]): string {
  return parts.filter(part => typeof part === "string" && part !== "").join("  ")
}

/** The known ones of these, with a dot between. */
function dotted(...parts: readonly (string | null)[]): string {
  return parts.filter(part => part !== null && part !== "").join(" · ")
}

function oneLine(text: string): string {
  return text.slice(0, ROW_UNITS).replace(/[\n\t]+/g, " ")
}

/** The name of a row: its event's name, or our own word. May be shown. */
export function rowName({ what }: Row): string {
  if (what.kind === "evicted") return what.name ?? what.type
  return what.kind === "event" ? what.name : what.kind
}

/** The data of a row; empty if it was evicted. */
export function rowData({ what }: Row): Json {
  if (what.kind === "evicted") return {}
  return what.kind === "event" ? what.data : { ...what }
}

/** A piece of code, or a text that stands out. */
const EMPHASIS = /(`[^`\n]*`)|(?<![\w*])\*(?=\S)([^*\n]*[^*\s])\*(?![\w*])/g

const MARKED = /[`~#>|*]|---/

/** The text without headings' marks, fences, the frames of tables, quotes' marks and emphasis. Code keeps its own. */
export function withoutMarks(text: string): string {
  if (!MARKED.test(text)) return text
  return text
    .replace(/^[ \t]*(?:```|~~~).*$|^(?=.*---)[ \t|:-]+$/gm, "")
    .replace(/^[ \t]*(?:#{1,6} |> |\| ?)| ?\|$|\*\*/gm, "")
    .replace(EMPHASIS, (_, code: string | undefined, said: string) => code ?? said)
}

const BEGIN_UNITS = 400

/** How a text begins, on one line and without marks. May be shown. */
export function beginOf(text: string): string {
  return sanitizeLine(withoutMarks(text.slice(0, BEGIN_UNITS)).replace(/\s+/g, " ").trim())
}

/** The answer in words, with labels for options; null where it is kept private. */
export function answerWords({ frame, answer, reportedAnswer }: Prompt): string | null {
  if (frame.secret) return null
  const value = answer?.value ?? reportedAnswer
  return value === null ? null : valueWords(frame, value)
}

/** The words for a value that answers a question. May hold line breaks. */
export function valueWords(frame: PromptFrame, value: Json): string {
  const labels = new Map(frame.options.map(option => [stringifySafe(option.value), option.label]))
  const worded = (one: Json): string => {
    if (typeof one === "boolean" && frame.type === "confirm") return one ? "yes" : "no"
    return labels.get(stringifySafe(one)) ?? (typeof one === "string" ? sanitize(one) : stringifySafe(one))
  }
  if (frame.type === "multi" && Array.isArray(value)) return value.length === 0 ? "none" : value.map(worded).join(", ")
  return worded(value)
}
