// Reads tool calls and reasoning in a model's text as middleware of the AI SDK, version 7.
import type { LanguageModelMiddleware } from "ai"
import type { SegmentEvent } from "../../parse/segment.ts"
import { type ArgumentListener, readerOf } from "../argument-stream.ts"
import { uniqueName } from "../host-environment.ts"
import type { SegmentOptions } from "../index.ts"
import { handlerFor } from "../segment-source.ts"
import { type CallOptions, CallParts, type StreamPart as Part } from "./tool-input.ts"

type Wrap = Required<LanguageModelMiddleware>
type Generated = Awaited<ReturnType<Wrap["wrapGenerate"]>>
type Content = Generated["content"][number]
type FinishReason = Generated["finishReason"]
type TextStart = Extract<Part, { type: "text-start" }>
type TextEnd = Extract<Part, { type: "text-end" }>

/** The text is read by these options; native tool calls and reasoning pass unchanged. */
export type SegmentMiddlewareOptions = Omit<SegmentOptions, "segmentIdPrefix">

/**
 * Middleware for `wrapLanguageModel`: calls in the text become tool calls, `reasoning` becomes reasoning, the rest
 * stays text. What the stream cut off, or (unless `safe` is false) what Markdown quotes as code, is never a call.
 */
export function segmentMiddleware(options: SegmentMiddlewareOptions = {}): LanguageModelMiddleware {
  return {
    specificationVersion: "v4",
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream()
      return { stream: stream.pipeThrough(new PartStream(options, params)), ...rest }
    },
    async wrapGenerate({ doGenerate, params }) {
      const { content, finishReason, ...rest } = await doGenerate()
      const read = content.flatMap(part => (part.type === "text" ? contentOf(part, options, params) : [part]))
      const hasCalls = read.some(part => part.type === "tool-call" && !content.includes(part))
      return { content: read, finishReason: hasCalls ? withCalls(finishReason) : finishReason, ...rest }
    },
  }
}

/** Replaces the text of a response's parts by what it contains. */
class PartStream extends TransformStream<Part, Part> {
  constructor(options: SegmentMiddlewareOptions, params: CallOptions) {
    const blocks = new Map<string, TextBlock>()
    let hasCalls = false
    const read = (part: Part): Part[] => {
      if (part.type === "text-delta") return blocks.get(part.id)?.feed(part.delta) ?? [part]
      if (part.type === "text-start") {
        blocks.set(part.id, new TextBlock(part, options, params))
        return []
      }
      if (part.type === "text-end") {
        const block = blocks.get(part.id)
        blocks.delete(part.id)
        return block?.end(part) ?? [part]
      }
      if (part.type !== "finish") return [part]
      const finish = hasCalls ? { ...part, finishReason: withCalls(part.finishReason) } : part
      return [...[...blocks.values()].flatMap(block => block.abort()), finish]
    }
    super({
      transform(part, controller) {
        for (const out of read(part)) {
          hasCalls ||= out.type === "tool-call" && out !== part
          controller.enqueue(out)
        }
      },
    })
  }
}

/** One text part of the response: gives the parts that its text contains. */
class TextBlock {
  readonly #handler
  /** The original text-start, until it was given out: text that begins with a call starts after it. */
  #start: TextStart | null
  #out: Part[] = []
  /** What is open, by the id of its segment. */
  readonly #open = new Map<string, { readonly kind: "text" | "reasoning"; readonly id: string }>()
  /** The blanks of a text that has nothing else yet: between two calls they would be an empty text of their own. */
  #blanks: string | null = null
  #isGiven = false
  /** The tool segment read last, until it turns out to be a call. */
  #tool: { readonly id: string; readonly deltas: string[]; ended: boolean } | null = null

  readonly #calls = new CallParts()

  constructor(start: TextStart, options: SegmentMiddlewareOptions, { tools }: CallOptions) {
    this.#start = start
    const onArgument: ArgumentListener["onArgument"] = argument => {
      this.#out.push(...this.#calls.stream(argument))
      options.onArgument?.(argument)
    }
    const own: SegmentOptions = {
      ...options,
      tools: options.tools ?? tools,
      // Calls of all steps of a conversation need different ids.
      segmentIdPrefix: `call_${uniqueName()}_`,
      onSegmentEvent: event => {
        this.#take(event, start.id)
        options.onSegmentEvent?.(event)
      },
      onToolInvocation: invocation => {
        this.#tool = null
        this.#out.push(...this.#calls.call(invocation))
        options.onToolInvocation?.(invocation)
      },
    }
    this.#handler = handlerFor(own, undefined, all => readerOf(all, onArgument))
  }

  feed(delta: string): Part[] {
    this.#handler.feed(delta)
    return this.#given()
  }

  /** Ends the text; one that is empty or blank passes as it came. */
  end(end: TextEnd): Part[] {
    this.#handler.finalize()
    const parts = this.#given()
    if (!this.#isGiven && this.#start !== null) {
      const { id } = this.#start
      return [this.#start, ...(this.#blanks ? [{ type: "text-delta", id, delta: this.#blanks } as const] : []), end]
    }
    const last = parts.at(-1)
    if (last?.type === "text-end") return [...parts.slice(0, -1), { ...end, id: last.id }]
    return parts
  }

  /** Ends the text of a response that has failed. */
  abort(): Part[] {
    this.#handler.abort()
    return this.#given()
  }

  #given(): Part[] {
    this.#showFailed()
    const parts = this.#out
    this.#out = []
    this.#isGiven ||= parts.length > 0
    return parts
  }

  /** Shows as text what was no call after all, so that nothing is lost: cut off, or not in its format. */
  #showFailed(): void {
    if (this.#tool?.ended === false) return
    this.#out.push(...this.#calls.drop())
    if (this.#tool === null) return
    const { id, deltas } = this.#tool
    this.#tool = null
    const delta = deltas.join("")
    if (delta !== "")
      this.#out.push({ type: "text-start", id }, { type: "text-delta", id, delta }, { type: "text-end", id })
  }

  #begin(segment: string, kind: "text" | "reasoning", id: string): void {
    this.#open.set(segment, { kind, id })
    const start = kind === "text" ? this.#start : null
    if (start !== null) this.#start = null
    this.#out.push(start ?? { type: `${kind}-start`, id })
  }

  #take({ event_type, segment_id, segment_type, payload }: SegmentEvent, textId: string): void {
    let { delta = "" } = payload
    if (event_type === "SEGMENT_START") {
      this.#showFailed()
      this.#blanks = segment_type === "text" ? "" : null
      if (segment_type === "text") return
      if (segment_type === "reasoning") this.#begin(segment_id, "reasoning", `${textId}:${segment_id}`)
      else this.#tool = { id: `${textId}:${segment_id}`, deltas: [], ended: false }
      return
    }
    if (this.#blanks !== null) {
      delta = this.#blanks + delta
      this.#blanks = delta
      if (delta.trim() === "") return
      // The first text keeps the id and the metadata of the original.
      this.#begin(segment_id, "text", this.#start?.id ?? `${textId}:${segment_id}`)
      this.#blanks = null
    }
    const open = this.#open.get(segment_id)
    if (open === undefined) {
      if (event_type === "SEGMENT_CONTENT") this.#tool?.deltas.push(delta)
      else if (this.#tool !== null) this.#tool.ended = true
      return
    }
    const { kind, id } = open
    if (event_type === "SEGMENT_CONTENT") this.#out.push({ type: `${kind}-delta`, id, delta })
    else this.#out.push({ type: `${kind}-end`, id })
  }
}

/** The content of a complete text. */
function contentOf(
  { text, ...rest }: Extract<Content, { type: "text" }>,
  options: SegmentMiddlewareOptions,
  params: CallOptions,
): Content[] {
  const block = new TextBlock({ type: "text-start", id: "text" }, options, params)
  const parts = [...block.feed(text), ...block.end({ type: "text-end", id: "text" })]
  const content: Content[] = []
  const deltas = new Map<string, string>()
  for (const part of parts) {
    if (part.type === "tool-call") content.push(part)
    if (part.type === "text-delta" || part.type === "reasoning-delta") {
      deltas.set(part.id, (deltas.get(part.id) ?? "") + part.delta)
    }
    if (part.type === "text-end") content.push({ ...rest, text: deltas.get(part.id) ?? "" })
    if (part.type === "reasoning-end") content.push({ type: "reasoning", text: deltas.get(part.id) ?? "" })
  }
  return content
}

function withCalls(reason: FinishReason): FinishReason {
  return reason.unified === "stop" ? { ...reason, unified: "tool-calls" } : reason
}
