// Makes the spans of invocations and of their tools, and hands on the events of their model calls.
import { replaySourceOf } from "../../packages/wire/src/capture-place.ts"
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import { itemAt } from "../run/model/chunked-list.ts"
import { type Account, addAmount, noAccount } from "../run/model/ledger.ts"
import type { Run } from "../run/model/run.ts"
import { dollarsOf } from "../run/select/usage.ts"
import { CallSpans, clipped, type InvocationSpan, provided, type SpanMoment } from "./call-spans.ts"
import { addEvent, fail, type OpenSpan, setAttributes, type Trace } from "./trace-span.ts"

export class SessionSpans {
  readonly #open = new Map<string, InvocationSpan>()
  /** Those that have ended: a result may come after its session's end. */
  readonly #over = new Map<string, InvocationSpan>()
  readonly #calls: CallSpans

  constructor(
    private readonly trace: Trace,
    private readonly content: boolean,
  ) {
    this.#calls = new CallSpans(trace, content)
  }

  add(moment: SpanMoment): void {
    const { run, frame, ts } = moment
    const { body } = frame
    // The usage that a whole run or session reports is in its account.
    if (body.type === "llm/usage") return
    if (!body.type.startsWith("llm/") && !body.type.startsWith("human-input/")) return
    const invoked = this.#invoked(moment, body)
    if (body.type !== "llm/model-down") this.#calls.settle(invoked)
    if (!goesOn(body)) this.#calls.endReply(invoked)
    // An open call was captured or not as its own start says.
    if (body.type === "llm/start") this.#calls.cut(invoked, ts, run)
    const source = replaySourceOf(frame)
    if (source !== null) invoked.isCaptured = source === "captured"
    switch (body.type) {
      case "llm/start":
        invoked.isCaptured = source === "captured"
        Object.assign(invoked, { startSeq: frame.seq, told: 0, error: null })
        this.#calls.begin(invoked, body.model, moment)
        provided(invoked, frame, body.model)
        break
      case "llm/request":
        this.#calls.request(invoked, body, moment)
        provided(invoked, frame, body.model)
        break
      case "llm/response":
        this.#calls.respond(invoked, body, moment)
        this.#call(invoked, body, ts)
        break
      case "llm/error":
        this.#calls.error(invoked, body, moment)
        break
      case "llm/model-down":
        this.#calls.down(invoked, body, moment)
        break
      case "llm/model-policy-empty":
        invoked.error = `no model left in policy ${body.policy ?? "?"}`
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
        if (body.isError) invoked.error ??= body.reason ?? ""
        else if (body.reason === "error") invoked.error ??= ""
        this.#calls.cut(invoked, ts, run)
        this.#end(invoked, ts, run, false)
        break
      case "human-input/error":
        invoked.error = body.message ?? ""
        this.#end(invoked, ts, run, false)
        break
      case "human-input/answer":
      case "human-input/cancelled":
      case "human-input/interrupted":
        this.#end(invoked, ts, run, false)
        break
    }
  }

  /** Puts invocations that began before their state was known into it. */
  adopt(root: OpenSpan, state: OpenSpan): void {
    for (const { span } of this.#open.values()) if (span.parent === root) span.parent = state
  }

  /** Ends the open spans. At the end of a run only questions, and sessions with an open call or tool, are cut. */
  close(ts: number, run: Run, isOver: boolean): void {
    for (const invoked of this.#open.values()) {
      const { isQuestion, call, tools } = invoked
      this.#end(invoked, ts, run, !isOver || isQuestion || call !== null || tools.length > 0)
    }
  }

  #invoked({ run, row, frame, ts, parent }: SpanMoment, body: EventBody): InvocationSpan {
    const session = row.session === null ? undefined : run.sessions[row.session]
    const invokeid = itemAt(run.invocations, session?.invocation)?.title ?? frame.invokeid
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
    const fresh = { call: null, startSeq: null, told: 0, replied: null, isCaptured: false, failed: null, error: null }
    const accounts = { before: this.#over.get(key)?.after ?? noAccount, after: noAccount }
    const own = { span, ids, key, isQuestion: isPerson, session: row.session, tools: [] }
    const invoked: InvocationSpan = { ...own, ...accounts, ...fresh }
    this.#open.set(key, invoked)
    return invoked
  }

  /** Begins the spans of the tools that a reply asks for. */
  #call(invoked: InvocationSpan, { content }: EventBody<"llm/response">, ts: number): void {
    for (const block of content ?? []) {
      if (block.type !== "tool-call") continue
      const span = this.#tool(invoked, block.name, block.callId ?? null, ts)
      if (this.content) setAttributes(span, { "gen_ai.tool.call.arguments": clipped(block.input) })
      invoked.tools.push({ span, name: block.name, callId: block.callId })
    }
  }

  #tool(invoked: InvocationSpan, name: string, callId: string | null, start: number): OpenSpan {
    const tool = { "gen_ai.tool.name": name, "gen_ai.tool.call.id": callId }
    const attributes = { "gen_ai.operation.name": "execute_tool", ...tool, ...invoked.ids }
    const of = ["tool", invoked.key, callId]
    return this.trace.begin({ of, name: `execute_tool ${name}`.trim(), parent: invoked.span, start, attributes })
  }

  #result(invoked: InvocationSpan, body: EventBody<"llm/tool-result">, ts: number): void {
    const { tool, callId, isError, preview, elapsedMs } = body
    const index = invoked.tools.findIndex(one => (callId === undefined ? one.name === tool : one.callId === callId))
    const [known] = index === -1 ? [] : invoked.tools.splice(index, 1)
    const span = known?.span ?? this.#tool(invoked, tool ?? "", callId ?? null, ts - (elapsedMs ?? 0))
    if (isError) fail(span, this.content ? preview : null)
    if (this.content) setAttributes(span, { "gen_ai.tool.call.result": preview === null ? null : clipped(preview) })
    this.trace.end(span, ts)
  }

  #end(invoked: InvocationSpan, ts: number, run: Run, isCut: boolean): void {
    this.#calls.settle(invoked)
    this.#calls.endReply(invoked)
    if (!this.#open.delete(invoked.key)) return
    this.#over.set(invoked.key, invoked)
    for (const { span } of invoked.tools) this.trace.end(span, ts, true)
    this.#calls.cut(invoked, ts, run)
    if (invoked.error !== null) fail(invoked.span, invoked.error)
    invoked.after = itemAt(run.sessions, invoked.session)?.account ?? noAccount
    tellAccount(invoked.span, differenceOf(invoked.after, invoked.before))
    this.trace.end(invoked.span, ts, isCut)
  }
}

/** True for an event that does not end a reply in parts. */
function goesOn(body: EventBody): boolean {
  if (body.type === "llm/response") return body.counts.requests === 0
  return body.type === "llm/tool-result" || body.type === "llm/error"
}

/** The difference between an account and its earlier state. */
export function differenceOf(account: Account, before: Account): Account {
  const difference = { ...account }
  addAmount(difference, before, -1)
  return difference
}

/** Sets the tokens, the cost and the number of replies that it leaves out; neither of these if no cost is known. */
export function tellAccount(span: OpenSpan, account: Account): void {
  const dollars = dollarsOf(account)
  const { input, output, unpriced } = account
  setAttributes(span, {
    "opentui_sidecar.input_tokens": input === 0 ? null : input,
    "opentui_sidecar.output_tokens": output === 0 ? null : output,
    "opentui_sidecar.cost_usd": dollars,
    "opentui_sidecar.unpriced_replies": dollars === null || unpriced === 0 ? null : unpriced,
  })
}
