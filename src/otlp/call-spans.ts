// Makes the spans of an invocation's model calls, and adds up what they cost.
import type { Block } from "../protocol/capture.ts"
import type { EventBody } from "../protocol/event-body.ts"
import type { EventFrame } from "../protocol/frame.ts"
import { replyDollars } from "../run/charge.ts"
import { at, firstIndexWhere } from "../run/model/chunked-list.ts"
import type { Row, Run } from "../run/model/run.ts"
import { clipped, messagesJson } from "./contents.ts"
import type { CostAccount } from "./cost-account.ts"
import { fail, type OpenSpan, setAttributes, type Trace } from "./open-span.ts"
import { providerName } from "./provider.ts"

const PROVIDER = "gen_ai.provider.name"

export interface InvocationSpan {
  readonly span: OpenSpan
  /** What its model calls and tools have in common. */
  readonly ids: { readonly "gen_ai.agent.name": string | null; readonly "gen_ai.conversation.id": string | null }
  readonly key: string
  readonly isQuestion: boolean
  readonly cost: CostAccount
  call: OpenSpan | null
  /** The place in the log where it was asked for. */
  asked: number
  /** The last call that was answered, while a response may still go on with its reply. */
  replied: Answered | null
  /** True while replies are served from captures. */
  isCaptured: boolean
  /** A call that failed, until it is known why. */
  failed: { readonly span: OpenSpan; readonly ts: number } | null
  /** Why its latest call failed; null if it did not. */
  error: string | null
  tools: { readonly span: OpenSpan; readonly name: string; readonly callId: string | undefined }[]
}

/** A call whose reply may come in parts, with what was said so far. */
interface Answered {
  readonly span: OpenSpan
  readonly ts: number
  readonly content: readonly Block[]
}

/** Where in the run something is told of a call, and when. */
interface Moment {
  readonly run: Run
  readonly row: Row
  readonly ts: number
}

export class CallSpans {
  constructor(
    private readonly trace: Trace,
    private readonly content: boolean,
  ) {}

  begin(invoked: InvocationSpan, model: string | null, moment: Moment, start = moment.ts): OpenSpan {
    this.cut(invoked, moment.ts, hasWords(invoked, moment))
    const { span, ids, key } = invoked
    invoked.asked = moment.row.order
    invoked.call = this.trace.begin({
      of: ["call", key],
      name: "chat",
      kind: "client",
      parent: span,
      start,
      attributes: { "gen_ai.operation.name": "chat", ...ids },
    })
    named(invoked.call, model)
    return invoked.call
  }

  request(invoked: InvocationSpan, { model, user, system }: EventBody<"llm/request">, moment: Moment): void {
    const call = invoked.call ?? this.begin(invoked, model, moment)
    named(call, model)
    if (!this.content) return
    setAttributes(call, {
      "gen_ai.input.messages": user.length === 0 ? null : messagesJson("user", user),
      "gen_ai.system_instructions":
        system === null ? null : JSON.stringify([{ type: "text", content: clipped(system) }]),
    })
  }

  /** A reply, or a part of one that goes on with the reply before it. */
  respond(invoked: InvocationSpan, body: EventBody<"llm/response">, frame: EventFrame, moment: Moment): void {
    const { model, stopReason, elapsedMs } = body
    const { ts } = moment
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
    if (mayGoOn(frame)) invoked.replied = { span: call, ts, content }
    else this.trace.end(call, ts)
  }

  #used(
    { cost }: InvocationSpan,
    { usage, counts, dollars: reported }: EventBody<"llm/response">,
    { run, row }: Moment,
  ) {
    const dollars = replyDollars(run, row.model, { ...usage, ...counts }, reported)
    cost.add({ ...usage, ...counts }, dollars)
    return {
      "gen_ai.usage.input_tokens": usage.input,
      "gen_ai.usage.output_tokens": usage.output,
      "gen_ai.usage.cache_read.input_tokens": usage.cached,
      "gen_ai.usage.cache_creation.input_tokens": counts.written,
      "gen_ai.usage.reasoning.output_tokens": counts.reasoning,
      "gen_ai.usage.cost": dollars,
    }
  }

  error(invoked: InvocationSpan, { message }: EventBody<"llm/error">, moment: Moment): void {
    invoked.error = message ?? ""
    // An agent CLI that was answered, and then says that its run has failed.
    if (invoked.call === null && invoked.replied !== null) return
    const span = invoked.call ?? this.begin(invoked, null, moment)
    invoked.call = null
    fail(span, message)
    invoked.failed = { span, ts: moment.ts }
    if (!invoked.isCaptured && hasWords(invoked, moment)) invoked.cost.addCut()
  }

  down(invoked: InvocationSpan, { model, message, category }: EventBody<"llm/model-down">): void {
    if (invoked.failed === null) return
    named(invoked.failed.span, model)
    fail(invoked.failed.span, message, category ?? "_OTHER")
    this.settle(invoked)
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

  /** Ends the open call, which nobody answered. `hasWords`: some of the reply had come. */
  cut(invoked: InvocationSpan, ts: number, hasWords: boolean): void {
    if (invoked.call === null) return
    this.trace.end(invoked.call, ts, true)
    invoked.call = null
    if (!invoked.isCaptured && hasWords) invoked.cost.addCut()
  }
}

/** True if the model has said something since its open call was made. */
export function hasWords({ asked }: InvocationSpan, { run, row }: Moment): boolean {
  const entries = run.sessions[row.session ?? -1]?.entries
  if (entries === undefined) return false
  for (let i = firstIndexWhere(entries, entry => entry.order >= asked); i < entries.length; i++) {
    const entry = at(entries, i)
    if (entry === undefined || entry.order > row.order) return false
    if (entry.streamed) return true
  }
  return false
}

/** True if who sent a response counts requests: more of the reply may follow. */
function mayGoOn({ data }: EventFrame): boolean {
  return data.requests !== undefined
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
