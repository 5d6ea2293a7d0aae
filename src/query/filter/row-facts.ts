// Answers a filter for log rows: from the row itself, and from its session where the row says nothing.
import type { Block, EventBody, EventFrame } from "../../protocol/frame.ts"
import { eventTypeOf } from "../../run/model/event.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type FactTable, has, type Passes } from "./facts.ts"
import type { Key, NumberKey, TextKey, Word } from "./filter.ts"

/**
 * - `kind`: event, gap or refused (an op that was not sent); `event`: its name; `invokeid`: raw, from the row.
 * - `session`: raw, from the row, else from the session it belongs to; `model` likewise.
 * - `state`: only for rows of the chart: the states entered and those active afterwards. The current state says nothing
 *   about an old row.
 * - `text`: what the log shows of the row, and each of its full texts. `tool`: tools called or answering. `reason`: why
 *   something failed or ended.
 * - `turn`: from 1, as on the screen, although the wire counts from 0; `visit`: from 0; both if the row or its `io/ref`
 *   says. `tokens`, `rate`: of a response.
 * - `error`, `warning`: the row's level, or a higher one; `prompt`: human-input events.
 */
export const rowFacts: FactTable<Row> = {
  knows: (key, row) => key === "kind" || key === "seq" || knowsKey(row, key),
  some: someOfRow,
  number: numberOfRow,
  is: isRow,
}

/** True if the key can be answered for an event whose frame has left memory, including that it has no value. */
function knowsKey({ what }: Row, key: Key): boolean {
  if (what.kind !== "evicted" || what.unrecoverable === true) return true
  const { type, name, hasSessionIds: own } = what
  switch (key) {
    case "event":
      return name !== null
    case "invokeid":
    case "session":
      return own
    case "state":
      return !type.startsWith("runner/")
    case "tokens":
    case "rate":
      return type !== "llm/response"
    default:
      return false
  }
}

function isRow(_: Run, row: Row, word: Word): boolean {
  if (word === "prompt") return eventTypeOf(row)?.startsWith("human-input/") === true
  return row.level === "error" || (word === "warning" && row.level === "warning")
}

function someOfRow(run: Run, row: Row, key: TextKey, passes: Passes): boolean {
  const { what } = row
  if (key === "kind") return passes(what.kind === "evicted" ? "event" : what.kind)
  if (key === "text") return (what.kind === "event" && someText(what.body, passes)) || someWord(run, row, passes)
  if (what.kind === "refused" || what.kind === "parser") return key === "reason" && has(what.why, passes)
  if (what.kind === "evicted") {
    const session = sessionOf(run, row)
    if (key === "event") return has(what.name, passes)
    if (key === "session") return has(session?.sessionId, passes)
    return key === "invokeid" && has(run.invocations[session?.invocation ?? -1]?.invokeid, passes)
  }
  if (what.kind !== "event") return false
  switch (key) {
    case "event":
      return has(what.name, passes)
    case "invokeid":
      return has(what.invokeid, passes)
    case "session":
      return has(what.sessionId ?? sessionOf(run, row)?.sessionId, passes)
    case "model":
      return has(modelOf(what.body) ?? run.turnBuffers[row.session ?? -1]?.model, passes)
    case "state":
      return someState(what.body, passes)
    case "tool":
      return someTool(what.body, passes)
    case "reason":
      return someReason(what.body, passes)
  }
}

function numberOfRow(_: Run, row: Row, key: NumberKey | "ts"): number | null {
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
    case "visit":
      return what.place?.visit ?? placeOf(what, 1)
    case "turn": {
      const turn = what.place?.turn ?? placeOf(what, 2)
      return turn === null ? null : turn + 1
    }
  }
}

/** Visit (1) or turn (2) in `nodes/<node-id>/<visit>/turns/<turn>/…` (docs/contract.md section 2). */
function placeOf({ body }: EventFrame, part: 1 | 2): number | null {
  const ref = "ioRef" in body ? body.ioRef : null
  const digits = ref === null ? undefined : /\/(\d{1,9})\/turns\/(\d{1,9})\//.exec(ref)?.[part]
  return digits === undefined ? null : Number(digits)
}

function sessionOf(run: Run, row: Row) {
  return row.session === null ? undefined : run.sessions[row.session]
}

function modelOf(body: EventBody): string | null {
  return "model" in body ? body.model : null
}

function someState(body: EventBody, passes: Passes): boolean {
  const one = (state: string) => has(state, passes)
  switch (body.type) {
    case "runner/start-config":
      return body.config?.some(one) ?? false
    case "runner/event-processed":
      return body.entered.some(one) || (body.after?.some(one) ?? false)
    case "runner/done":
      return body.finalConfig?.some(one) ?? false
    default:
      return false
  }
}

function someTool(body: EventBody, passes: Passes): boolean {
  if (body.type === "llm/tool-result") return has(body.tool, passes)
  return blocksOf(body).some(block => block.type === "tool-call" && has(block.name, passes))
}

function someReason(body: EventBody, passes: Passes): boolean {
  switch (body.type) {
    case "runner/aborted":
    case "llm/worker-exit":
      return has(body.reason, passes)
    case "runner/error":
    case "llm/error":
    case "human-input/error":
      return has(body.message, passes)
    case "llm/model-down":
      return has(body.message, passes) || has(body.category, passes)
    case "llm/retry":
      return has(body.category, passes)
    case "llm/response":
      return has(body.stopReason, passes)
    case "human-input/validation-failed":
      return body.errors.some(error => has(error, passes))
    default:
      return false
  }
}

/** Tests the row as the log shows it, without its source, which has keys of its own. */
function someWord(run: Run, row: Row, passes: Passes): boolean {
  const words = rowWords(run, row)
  return has(words.what, passes) || has(words.text, passes)
}

/** Tests the texts that the row shows truncated or on one line. */
function someText(body: EventBody, passes: Passes): boolean {
  switch (body.type) {
    case "llm/request":
      return someBlock(body.user, passes) || has(body.system, passes)
    case "llm/response":
      return someBlock(body.content ?? [], passes)
    case "llm/tool-result":
      return has(body.preview, passes)
    case "llm/user-message":
    case "adapter/line":
      return has(body.text, passes)
    case "human-input/start":
      return has(body.prompt, passes)
    case "human-input/answer":
      return has(body.shown, passes)
    case "human-input/validation-failed":
      return body.errors.some(error => has(error, passes))
    case "runner/aborted":
      return has(body.reason, passes)
    case "other":
      return has(body.shown, passes)
    default:
      return "message" in body && has(body.message, passes)
  }
}

function blocksOf(body: EventBody): readonly Block[] {
  if (body.type === "llm/request") return body.user
  return body.type === "llm/response" ? (body.content ?? []) : []
}

function someBlock(blocks: readonly Block[], passes: Passes): boolean {
  return blocks.some(block => someOfBlock(block, passes))
}

function someOfBlock(block: Block, passes: Passes): boolean {
  switch (block.type) {
    case "text":
    case "thinking":
    case "tool-result":
      return has(block.text, passes)
    case "tool-call":
      return has(block.name, passes) || has(block.input, passes)
    case "other":
      return has(block.shown, passes)
  }
}
