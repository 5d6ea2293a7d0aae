// Makes the spans of invocations, and of the model calls and tools in them.
import { replaySourceOf } from "../protocol/capture-place.ts"
import type { EventBody } from "../protocol/event-body.ts"
import type { EventFrame } from "../protocol/frame.ts"
import { replyDollars } from "../run/charge.ts"
import type { Row, Run } from "../run/model/run.ts"
import { clipped, messagesJson } from "./contents.ts"
import { CostAccount } from "./cost-account.ts"
import { addEvent, fail, type OpenSpan, setAttributes, type Trace } from "./open-span.ts"
import { providerName } from "./provider.ts"

const PROVIDER = "gen_ai.provider.name"

/** What an event says about an invocation. */
interface Happening {
  readonly body: EventBody
  readonly frame: EventFrame
  readonly ts: number
  /** What a new invocation is in: a state, or the run. */
  readonly parent: OpenSpan
}

interface Invoked {
  readonly span: OpenSpan
  /** What its model calls and tools have in common. */
  readonly ids: { readonly "gen_ai.agent.name": string | null; readonly "gen_ai.conversation.id": string | null }
  readonly key: string
  readonly isQuestion: boolean
  readonly cost: CostAccount
  call: OpenSpan | null
  /** True while replies are served from captures. */
  isCaptured: boolean
  /** A call that failed, until it is known why. */
  failed: { readonly span: OpenSpan; readonly ts: number } | null
  /** Why its latest call failed; null if it did not. */
  error: string | null
  tools: { readonly span: OpenSpan; readonly name: string; readonly callId: string | undefined }[]
}

interface Replied {
  readonly invoked: Invoked
  readonly body: EventBody<"llm/response">
  readonly happening: Happening
}

export class SessionSpans {
  readonly #open = new Map<string, Invoked>()
  /** Those that have ended: a result may come after its session's end. */
  readonly #over = new Map<string, Invoked>()
  /** Of all replies. */
  readonly cost = new CostAccount()

  constructor(
    private readonly trace: Trace,
    private readonly content: boolean,
  ) {}

  add(run: Run, row: Row, happening: Happening): void {
    const { body, frame, ts } = happening
    if (!body.type.startsWith("llm/") && !body.type.startsWith("human-input/")) return
    const invoked = this.#invoked(run, row, happening)
    if (body.type !== "llm/model-down") this.#settle(invoked)
    const source = replaySourceOf(frame)
    if (source !== null) invoked.isCaptured = source === "captured"
    switch (body.type) {
      case "llm/start":
        invoked.isCaptured = source === "captured"
        this.#begin(invoked, body.model, ts)
        provided(invoked, frame, body.model)
        break
      case "llm/request":
        this.#request(invoked, body, ts)
        provided(invoked, frame, body.model)
        break
      case "llm/response":
        this.#response(run, row, { invoked, body, happening })
        break
      case "llm/error":
        this.#error(invoked, body, ts)
        break
      case "llm/model-down":
        this.#down(invoked, body)
        break
      case "llm/retry":
        addEvent(invoked.call ?? invoked.span, "opentui_sidecar.retry", ts, {
          "error.type": body.category ?? "_OTHER",
          "gen_ai.request.model": body.model,
          "opentui_sidecar.retry.attempt": body.attempt,
          "opentui_sidecar.retry.limit": body.maxRetries,
        })
        break
      case "llm/tool-result":
        this.#result(invoked, body, ts)
        break
      case "llm/worker-exit":
        if (body.isError || body.reason === "error") invoked.error ??= ""
        this.#end(invoked, ts, false)
        break
      case "human-input/error":
        invoked.error = body.message ?? ""
        this.#end(invoked, ts, false)
        break
      case "human-input/answer":
      case "human-input/cancelled":
      case "human-input/interrupted":
        this.#end(invoked, ts, false)
        break
    }
  }

  /** Puts invocations that began before their state was known into it. */
  adopt(root: OpenSpan, state: OpenSpan): void {
    for (const { span } of this.#open.values()) if (span.parent === root) span.parent = state
  }

  /** Ends what is open. Where the run has ended, only an open question is cut, and who is in the middle of a call. */
  close(ts: number, isOver: boolean): void {
    for (const invoked of this.#open.values()) {
      const { isQuestion, call, tools } = invoked
      this.#end(invoked, ts, !isOver || isQuestion || call !== null || tools.length > 0)
    }
  }

  #invoked(run: Run, row: Row, { body, frame, ts, parent }: Happening): Invoked {
    const session = row.session === null ? undefined : run.sessions[row.session]
    const invokeid = run.invocations[session?.invocation ?? -1]?.title ?? frame.invokeid
    const sessionId = session?.sessionId ?? frame.sessionId
    const key = JSON.stringify([invokeid, sessionId])
    const begins = ["llm/start", "llm/request", "human-input/start"].includes(body.type)
    const known = this.#open.get(key) ?? (begins ? undefined : this.#over.get(key))
    if (known !== undefined) return known
    const isPerson = body.type.startsWith("human-input/")
    const ids = { "gen_ai.agent.name": invokeid, "gen_ai.conversation.id": sessionId }
    const operation = isPerson ? {} : { "gen_ai.operation.name": "invoke_agent", ...ids }
    const name = `${isPerson ? "ask" : "invoke_agent"} ${invokeid ?? ""}`.trim()
    const of = ["invocation", invokeid, sessionId]
    const span = this.trace.begin({ of, name, parent, start: ts, attributes: operation })
    const fresh = { cost: new CostAccount(), call: null, isCaptured: false, failed: null, error: null, tools: [] }
    const invoked: Invoked = { span, ids, key, isQuestion: isPerson, ...fresh }
    this.#open.set(key, invoked)
    return invoked
  }

  #begin(invoked: Invoked, model: string | null, start: number): OpenSpan {
    if (invoked.call !== null) this.trace.end(invoked.call, start, true)
    const { span, ids, key } = invoked
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

  #request(invoked: Invoked, { model, user, system }: EventBody<"llm/request">, ts: number): void {
    const call = invoked.call ?? this.#begin(invoked, model, ts)
    named(call, model)
    if (!this.content) return
    setAttributes(call, {
      "gen_ai.input.messages": user.length === 0 ? null : messagesJson("user", user),
      "gen_ai.system_instructions":
        system === null ? null : JSON.stringify([{ type: "text", content: clipped(system) }]),
    })
  }

  #response(run: Run, row: Row, { invoked, body, happening }: Replied): void {
    const { model, stopReason } = body
    const { frame, ts } = happening
    const call = invoked.call ?? this.#begin(invoked, model, ts - (body.elapsedMs ?? 0))
    const content = body.content ?? []
    named(call, model)
    provided(invoked, frame, model)
    setAttributes(call, {
      "gen_ai.response.model": model,
      "gen_ai.response.finish_reasons": stopReason === null ? null : [stopReason],
      ...(invoked.isCaptured ? { "opentui_sidecar.captured": true } : this.#used(run, row, invoked, body)),
      "gen_ai.output.messages": this.content ? messagesJson("assistant", content, stopReason) : null,
    })
    this.trace.end(call, ts)
    invoked.call = null
    invoked.error = null
    for (const block of content) {
      if (block.type !== "tool-call") continue
      const span = this.#tool(invoked, block.name, block.callId ?? null, ts)
      if (this.content) setAttributes(span, { "gen_ai.tool.call.arguments": clipped(block.input) })
      invoked.tools.push({ span, name: block.name, callId: block.callId })
    }
  }

  #used(run: Run, { model }: Row, { cost }: Invoked, { usage, counts, dollars: reported }: EventBody<"llm/response">) {
    const dollars = replyDollars(run, model, { ...usage, ...counts }, reported)
    // A reply that tells no tokens is told of by another: an agent CLI sums them up at the end of its run.
    if (dollars !== null || usage.input !== null || (usage.output ?? 0) > 0) {
      cost.add(dollars)
      this.cost.add(dollars)
    }
    return {
      "gen_ai.usage.input_tokens": usage.input,
      "gen_ai.usage.output_tokens": usage.output,
      "gen_ai.usage.cache_read.input_tokens": usage.cached,
      "gen_ai.usage.cache_creation.input_tokens": counts.written,
      "gen_ai.usage.reasoning.output_tokens": counts.reasoning,
      "gen_ai.usage.cost": dollars,
    }
  }

  #error(invoked: Invoked, { message }: EventBody<"llm/error">, ts: number): void {
    const span = invoked.call ?? this.#begin(invoked, null, ts)
    invoked.call = null
    fail(span, message)
    invoked.error = message ?? ""
    invoked.failed = { span, ts }
  }

  #down(invoked: Invoked, { model, message, category }: EventBody<"llm/model-down">): void {
    if (invoked.failed === null) return
    named(invoked.failed.span, model)
    fail(invoked.failed.span, message, category ?? "_OTHER")
    this.#settle(invoked)
  }

  /** Ends a call that failed, because no more will be said about it. */
  #settle(invoked: Invoked): void {
    if (invoked.failed !== null) this.trace.end(invoked.failed.span, invoked.failed.ts)
    invoked.failed = null
  }

  #tool(invoked: Invoked, name: string, callId: string | null, start: number): OpenSpan {
    return this.trace.begin({
      of: ["tool", invoked.key, callId],
      name: `execute_tool ${name}`.trim(),
      parent: invoked.span,
      start,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": callId,
        ...invoked.ids,
      },
    })
  }

  #result(invoked: Invoked, body: EventBody<"llm/tool-result">, ts: number): void {
    const { tool, callId, isError, preview, elapsedMs } = body
    const index = invoked.tools.findIndex(one => (callId === undefined ? one.name === tool : one.callId === callId))
    const [known] = index === -1 ? [] : invoked.tools.splice(index, 1)
    const span = known?.span ?? this.#tool(invoked, tool ?? "", callId ?? null, ts - (elapsedMs ?? 0))
    if (isError) fail(span, this.content ? preview : null)
    if (this.content) setAttributes(span, { "gen_ai.tool.call.result": preview === null ? null : clipped(preview) })
    this.trace.end(span, ts)
  }

  #end(invoked: Invoked, ts: number, isCut: boolean): void {
    this.#settle(invoked)
    if (!this.#open.delete(invoked.key)) return
    this.#over.set(invoked.key, invoked)
    for (const { span } of invoked.tools) this.trace.end(span, ts, true)
    if (invoked.call !== null) this.trace.end(invoked.call, ts, true)
    if (invoked.error !== null) fail(invoked.span, invoked.error)
    invoked.cost.tell(invoked.span)
    this.trace.end(invoked.span, ts, isCut)
  }
}

function named(call: OpenSpan, model: string | null): void {
  if (model === null || call.attributes["gen_ai.request.model"] !== undefined) return
  call.name = `chat ${model}`
  setAttributes(call, { "gen_ai.request.model": model })
}

/** Names the provider of a call, and of the invocation by its first call. */
function provided({ span, call }: Invoked, { data }: EventFrame, model: string | null): void {
  const name = providerName(data.provider, model)
  for (const one of [call, span]) {
    if (one !== null && one.attributes[PROVIDER] === undefined) setAttributes(one, { [PROVIDER]: name })
  }
}
