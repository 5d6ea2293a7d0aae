// Makes the spans of an invocation's model calls.
import { type Block, textOfBlock } from "../../packages/wire/src/capture.ts"
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { replyDollars } from "../run/charge.ts"
import { at, firstIndexWhere, itemAt } from "../run/model/chunked-list.ts"
import type { Account } from "../run/model/ledger.ts"
import type { Row, Run } from "../run/model/run.ts"
import { wholeResponse } from "../run/model-facts.ts"
import { fail, type OpenSpan, setAttributes, type Trace } from "./trace-span.ts"

const PROVIDER = "gen_ai.provider.name"

export interface InvocationSpan {
  readonly span: OpenSpan
  /** The attributes that its model calls and tools share. */
  readonly ids: { readonly "gen_ai.agent.name": string | null; readonly "gen_ai.conversation.id": string | null }
  readonly key: string
  readonly isQuestion: boolean
  /** Its index in the run; null if it has no session. */
  readonly session: number | null
  /** Its session's account when this span began: an earlier span has that usage. */
  readonly before: Account
  /** Its account when the span ended. */
  after: Account
  call: OpenSpan | null
  /** The `seq` of the latest `llm/start`, and the output tokens that replies reported since. */
  startSeq: number | null
  told: number
  /** The last call that was answered, with its text so far, while a response may still go on with its reply. */
  replied: { readonly span: OpenSpan; readonly ts: number; readonly content: readonly Block[] } | null
  /** True while replies are served from captures. */
  isCaptured: boolean
  /** A call that failed, until it is known why. */
  failed: { readonly span: OpenSpan; readonly ts: number } | null
  /** Why its latest call failed; null if it did not. */
  error: string | null
  tools: { readonly span: OpenSpan; readonly name: string; readonly callId: string | undefined }[]
}

/** An event of an invocation, with the run after it. */
export interface SpanMoment {
  readonly run: Run
  readonly row: Row
  readonly frame: EventFrame
  readonly ts: number
  /** The parent of a new invocation: a state, or the run. */
  readonly parent: OpenSpan
}

export class CallSpans {
  constructor(
    private readonly trace: Trace,
    private readonly content: boolean,
  ) {}

  begin(invoked: InvocationSpan, model: string | null, moment: SpanMoment, start = moment.ts): OpenSpan {
    this.cut(invoked, moment.ts, moment.run)
    const { span: parent, ids, key } = invoked
    const attributes = { "gen_ai.operation.name": "chat", ...ids }
    invoked.call = this.trace.begin({ of: ["call", key], name: "chat", kind: "client", parent, start, attributes })
    named(invoked.call, model)
    return invoked.call
  }

  request(invoked: InvocationSpan, { model, user, system }: EventBody<"llm/request">, moment: SpanMoment): void {
    const call = invoked.call ?? this.begin(invoked, model, moment)
    named(call, model)
    if (!this.content) return
    const told = system === null ? null : JSON.stringify([{ type: "text", content: clipped(system) }])
    const asked = user.length === 0 ? null : messagesJson("user", user)
    setAttributes(call, { "gen_ai.input.messages": asked, "gen_ai.system_instructions": told })
  }

  /** A reply, or a part of one that goes on with the reply before it. */
  respond(invoked: InvocationSpan, body: EventBody<"llm/response">, moment: SpanMoment): void {
    const { model, stopReason, elapsedMs } = body
    const { ts, frame } = moment
    const { span: known, content: before } = invoked.replied ?? { span: invoked.call, content: [] }
    const call = known ?? this.begin(invoked, model, moment, ts - (elapsedMs ?? 0))
    const content = this.content ? [...before, ...(body.content ?? [])] : []
    named(call, model)
    provided(invoked, frame, model)
    setAttributes(call, {
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": stopReason === null ? null : [stopReason],
      ...(invoked.isCaptured ? { "opentui_sidecar.captured": true } : this.#used(invoked, body, moment)),
      "gen_ai.output.messages": this.content ? messagesJson("assistant", content, stopReason) : null,
    })
    invoked.call = null
    invoked.error = null
    invoked.replied = null
    // A sender that counts requests may go on with the reply.
    if (frame.data.requests !== undefined) invoked.replied = { span: call, ts, content }
    else this.trace.end(call, ts)
  }

  #used(invoked: InvocationSpan, body: EventBody<"llm/response">, { run, row }: SpanMoment) {
    const { usage, counts, dollars: reported } = wholeResponse(run, body, row.model)
    const dollars = replyDollars(run, row.model, { ...usage, ...counts }, reported)
    const output = usage.output ?? unreportedOutput(run, invoked)
    invoked.told += output ?? 0
    return {
      "gen_ai.usage.input_tokens": usage.input,
      "gen_ai.usage.output_tokens": output,
      "gen_ai.usage.cache_read.input_tokens": usage.cached,
      "gen_ai.usage.cache_creation.input_tokens": counts.written,
      "gen_ai.usage.reasoning.output_tokens": counts.reasoning,
      "gen_ai.usage.cost": dollars,
    }
  }

  error(invoked: InvocationSpan, { message }: EventBody<"llm/error">, moment: SpanMoment): void {
    invoked.error = message ?? ""
    // An agent CLI that was answered, and then says that its run has failed.
    if (invoked.replied !== null) return
    this.#fail(invoked, invoked.call ?? this.begin(invoked, null, moment), message, moment)
  }

  /** A model that went down fails the call that is open, whether or not an error said so before. */
  down(invoked: InvocationSpan, { model, message, category }: EventBody<"llm/model-down">, moment: SpanMoment): void {
    if (invoked.failed === null && invoked.call !== null) {
      invoked.error = message ?? ""
      this.#fail(invoked, invoked.call, message, moment)
    }
    if (invoked.failed === null) return
    named(invoked.failed.span, model)
    fail(invoked.failed.span, message, category ?? "_OTHER")
    this.settle(invoked)
  }

  #fail(invoked: InvocationSpan, span: OpenSpan, message: string | null, moment: SpanMoment): void {
    invoked.call = null
    fail(span, message)
    invoked.failed = { span, ts: moment.ts }
    if (!invoked.isCaptured) this.#tellCut(invoked, span, moment.run)
  }

  /** The usage of a reply that reports none: the tokens that came. */
  #tellCut(invoked: InvocationSpan, span: OpenSpan, run: Run): void {
    const output = unreportedOutput(run, invoked)
    invoked.told += output ?? 0
    setAttributes(span, { "gen_ai.usage.output_tokens": output })
  }

  /** Ends a call that failed, because no more will be said about it. */
  settle(invoked: InvocationSpan): void {
    if (invoked.failed !== null) this.trace.end(invoked.failed.span, invoked.failed.ts)
    invoked.failed = null
  }

  /** Ends a call whose reply no response goes on with any more. */
  endReply(invoked: InvocationSpan): void {
    if (invoked.replied !== null) this.trace.end(invoked.replied.span, invoked.replied.ts)
    invoked.replied = null
  }

  /** Ends the open call, which nobody answered. */
  cut(invoked: InvocationSpan, ts: number, run: Run): void {
    const { call } = invoked
    if (call === null) return
    if (!invoked.isCaptured) this.#tellCut(invoked, call, run)
    this.trace.end(call, ts, true)
    invoked.call = null
  }
}

const MOST_UNITS = 65_536

/** The JSON of one message (`gen_ai.input.messages`, `gen_ai.output.messages`), its texts clipped. */
export function messagesJson(role: "user" | "assistant", blocks: readonly Block[], stopReason?: string | null): string {
  let left = MOST_UNITS
  const parts = blocks.map(block => {
    const text = textOfBlock(block)
    const kept = clipped(text, left)
    left = Math.max(0, left - text.length)
    return partOf(block, kept)
  })
  return JSON.stringify([{ role, parts, ...(stopReason === undefined ? {} : { finish_reason: stopReason ?? "" }) }])
}

/** The beginning of a text. */
export function clipped(text: string, most = MOST_UNITS): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`
}

function partOf(block: Block, text: string): object {
  switch (block.type) {
    case "text":
      return { type: "text", content: text }
    case "thinking":
      return { type: "reasoning", content: text }
    case "tool-call":
      return { type: "tool_call", id: block.callId ?? null, name: block.name, arguments: text }
    case "tool-result":
      return { type: "tool_call_response", id: block.callId ?? null, response: text }
    case "other":
      return { type: block.name, content: text }
  }
}

/** The output tokens of the latest turn that no reply reports: those of deltas. Null for none. */
function unreportedOutput({ sessions, turnBuffers }: Run, { session, startSeq, told }: InvocationSpan): number | null {
  const [known, buffer] = [itemAt(sessions, session), itemAt(turnBuffers, session)]
  if (known === undefined || buffer === undefined || startSeq === null) return null
  const { replies } = known
  const latest = firstIndexWhere(replies, one => one.startSeq >= startSeq)
  const reply = at(replies, latest)
  const kept = reply?.startSeq === startSeq ? (reply.usage.output ?? 0) : 0
  const streamed = buffer.turn.startSeq === startSeq && !buffer.turn.replied ? buffer.tokens : 0
  const unreported = kept + streamed - told
  return unreported > 0 ? unreported : null
}

function named(call: OpenSpan, model: string | null): void {
  if (model === null || call.attributes["gen_ai.request.model"] !== undefined) return
  call.name = `chat ${model}`
  setAttributes(call, { "gen_ai.request.model": model })
}

/** Names the provider of a call, and of the invocation by its first call. */
export function provided({ span, call }: InvocationSpan, { data }: EventFrame, model: string | null): void {
  const name = providerName(data.provider, model)
  for (const one of [call, span]) {
    if (one !== null && one.attributes[PROVIDER] === undefined) setAttributes(one, { [PROVIDER]: name })
  }
}

/** The names that the conventions prescribe, by those that agents and libraries use. */
const PRESCRIBED: { readonly [name: string]: readonly string[] } = {
  "aws.bedrock": ["bedrock", "amazon-bedrock"],
  "azure.ai.openai": ["azure"],
  "gcp.gen_ai": ["google"],
  "gcp.gemini": ["google.generative-ai", "gemini"],
  "gcp.vertex_ai": ["google.vertex", "vertex", "vertex_ai", "google-vertex"],
  mistral_ai: ["mistral"],
  "ibm.watsonx.ai": ["watsonx"],
  x_ai: ["xai"],
}

/** The interface of a provider, which the AI SDK adds to its name. */
const INTERFACE = /\.(?:chat|completion|messages|responses)$/

/** Models whose makers publish no weights. Open ones say nothing: anybody may serve them. */
const CLOSED: readonly (readonly [RegExp, string])[] = [
  [/^claude-[^@/]+$/, "anthropic"],
  [/^(?:(?:us|eu|apac|global)\.)?anthropic\.claude-/, "aws.bedrock"],
  [/^(?:chatgpt-|gpt-[3-9]|o[1-9](?:-|$))[^/]*$/, "openai"],
  [/^gemini-[^/]+$/, "gcp.gen_ai"],
  [/^grok-(?![12](?:[.-]|$))[^/]+$/, "x_ai"],
]

/** The reported provider, else the maker that the model's name implies; null if neither is known. */
function providerName(reported: unknown, model: string | null): string | null {
  if (typeof reported === "string" && reported !== "") {
    const name = reported.replace(INTERFACE, "")
    return Object.keys(PRESCRIBED).find(one => PRESCRIBED[one]?.includes(name.toLowerCase())) ?? name
  }
  return CLOSED.find(([name]) => name.test(model ?? ""))?.[1] ?? null
}
