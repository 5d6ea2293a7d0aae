// Answers a filter for log rows: from the row itself, and from its session where the row says nothing.
import type { Block } from "../../../packages/wire/src/capture.ts"
import type { EventBody } from "../../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { replyDollars } from "../../run/charge.ts"
import { eventTypeOf } from "../../run/model/row.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { wholeResponse } from "../../run/model-facts.ts"
import { eventTexts } from "../../run/select/event-texts.ts"
import { rowWords } from "../../run/select/row-words.ts"
import type { FactTable, Key, NumberKey, TextKey, Texts, Word } from "./filter.ts"

/**
 * - `kind`: event, gap or refused (an op that was not sent); `event`: its name; `invokeid`: raw, from the row.
 * - `session`: raw, from the row, else from the session it belongs to. `model`: the row's, else its session's at that
 *   row.
 * - `state`: only for rows of the chart: the states entered and those active afterwards. The current state says nothing
 *   about an old row.
 * - `text`: what the log shows of the row, and each of its full texts. `tool`: tools called or answering. `reason`: why
 *   something failed or ended.
 * - `turn`: from 1, as on the screen, although the wire counts from 0; `visit`: from 0; both if the row or its `io/ref`
 *   says. `tokens`, `rate`, `input`, `cached`, `cost`: of a response. `duration`: of a response or a tool's call.
 *   `failed`: of a tool's result, 1 or 0.
 * - `error`, `warning`: the row's level, or a higher one; `prompt`: human-input events.
 */
export const rowFacts: FactTable<Row> = {
  knows: (key, row) => ALWAYS.has(key) || knowsKey(row, key),
  texts: textsOfRow,
  number: numberOfRow,
  is: isRow,
}

/** Keys that each row has. */
const ALWAYS: ReadonlySet<Key> = new Set(["kind", "seq", "ts", "model"])

/** Keys that replies alone have. */
const OF_REPLIES: ReadonlySet<Key> = new Set(["tokens", "rate", "input", "cached", "cost"])

/** True if the key can be answered for an event whose frame has left memory, including that it has no value. */
function knowsKey({ what }: Row, key: Key): boolean {
  if (what.kind !== "evicted" || what.unrecoverable === true) return true
  const { type, name, hasSessionIds } = what
  if (key === "event") return name !== null
  if (key === "invokeid" || key === "session") return hasSessionIds
  if (key === "state") return !type.startsWith("runner/")
  if (key === "duration") return type !== "llm/response" && type !== "llm/tool-result"
  return key === "failed" ? type !== "llm/tool-result" : OF_REPLIES.has(key) && type !== "llm/response"
}

function isRow(_: Run, row: Row, word: Word): boolean {
  if (word === "prompt") return eventTypeOf(row)?.startsWith("human-input/") === true
  return row.level === "error" || (word === "warning" && row.level === "warning")
}

function textsOfRow(run: Run, row: Row, key: TextKey): Texts {
  const { what } = row
  if (key === "kind") return [what.kind === "evicted" ? "event" : what.kind]
  if (key === "model") return [row.model]
  if (key === "text") return fullTexts(run, row)
  if ("why" in what) return key === "reason" ? [what.why] : []
  const session = run.sessions[row.session ?? -1]
  if (what.kind === "evicted") {
    if (key === "event") return [what.name]
    if (key === "session") return [session?.sessionId]
    return key === "invokeid" ? [run.invocations[session?.invocation ?? -1]?.invokeid] : []
  }
  if (what.kind !== "event") return []
  const { body } = what
  switch (key) {
    case "event":
      return [what.name]
    case "invokeid":
      return [what.invokeid]
    case "session":
      return [what.sessionId ?? session?.sessionId]
    case "state":
      return statesOf(body)
    case "tool":
      return toolsOf(body)
    case "reason":
      return reasonsOf(body)
  }
}

function numberOfRow(run: Run, row: Row, key: NumberKey | "ts"): number | null {
  if (key === "ts") return row.ts
  if (key === "seq") return row.seq
  const { what } = row
  if (what.kind !== "event") return null
  const { body } = what
  switch (key) {
    case "tokens":
      return body.type === "llm/response" ? body.usage.output : null
    case "rate":
      return body.type === "llm/response" ? body.outputTps : null
    case "input":
    case "cached":
      return body.type === "llm/response" ? wholeResponse(run, body, row.model).usage[key] : null
    case "cost":
      return body.type === "llm/response" ? costOf(run, body, row.model) : null
    case "duration": {
      const took = "elapsedMs" in body ? body.elapsedMs : null
      return took === null ? null : took / 1000
    }
    case "failed":
      return body.type === "llm/tool-result" ? Number(body.isError) : null
    case "visit":
      return what.place?.visit ?? placeOf(what, 1)
    case "turn": {
      const turn = what.place?.turn ?? placeOf(what, 2)
      return turn === null ? null : turn + 1
    }
  }
}

function costOf(run: Run, told: EventBody<"llm/response">, model: string | null): number | null {
  const { usage, counts, dollars } = wholeResponse(run, told, model)
  return replyDollars(run, model, { ...usage, ...counts }, dollars)
}

/** Visit (1) or turn (2) in `nodes/<node-id>/<visit>/turns/<turn>/…` (docs/contract.md section 2). */
function placeOf({ body }: EventFrame, part: 1 | 2): number | null {
  const ref = "ioRef" in body ? body.ioRef : null
  const digits = ref === null ? undefined : /\/(\d{1,9})\/turns\/(\d{1,9})\//.exec(ref)?.[part]
  return digits === undefined ? null : Number(digits)
}

function statesOf(body: EventBody): Texts {
  switch (body.type) {
    case "runner/start-config":
      return body.config ?? []
    case "runner/event-processed":
      return [...body.entered, ...(body.after ?? [])]
    case "runner/done":
      return body.finalConfig ?? []
    default:
      return []
  }
}

function toolsOf(body: EventBody): Texts {
  if (body.type === "llm/tool-result") return [body.tool]
  return blocksOf(body).map(block => (block.type === "tool-call" ? block.name : null))
}

function reasonsOf(body: EventBody): Texts {
  switch (body.type) {
    case "runner/aborted":
    case "llm/worker-exit":
      return [body.reason]
    case "runner/error":
    case "llm/error":
    case "human-input/error":
    case "debug/branch-error":
      return [body.message]
    case "llm/model-down":
      return [body.message, body.category]
    case "llm/retry":
      return [body.category]
    case "llm/response":
      return [body.stopReason]
    case "human-input/validation-failed":
      return body.errors
    default:
      return []
  }
}

/** The texts that the row shows truncated or on one line, then the row without its source, which has its own keys. */
function* fullTexts(run: Run, row: Row): Texts {
  if (row.what.kind === "event") {
    for (const { text } of eventTexts(row.what)) yield text
    for (const block of blocksOf(row.what.body)) if (block.type === "tool-call") yield* [block.name, block.input]
  }
  const { what, text } = rowWords(run, row)
  yield what
  yield text
}

function blocksOf(body: EventBody): readonly Block[] {
  if (body.type === "llm/request") return body.user
  return body.type === "llm/response" ? (body.content ?? []) : []
}
