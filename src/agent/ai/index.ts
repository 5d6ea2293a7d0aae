// Shows what the AI SDK, version 7, does as an agent's sessions: steps, text, reasoning, tools, usage and errors.
import { AsyncLocalStorage } from "node:async_hooks"
import { APICallError, jsonSchema, type LanguageModelMiddleware, type Telemetry, type Tool, tool } from "ai"
import { isObject } from "../../../packages/wire/src/json.ts"
import type { Agent } from "../agent.ts"
import { type AgentSession, messageOf } from "../agent-session.ts"
import { blockOf, requestOf, usageOf } from "./wire-words.ts"

type Wrap = Required<LanguageModelMiddleware>
type Part = Awaited<ReturnType<Wrap["wrapStream"]>>["stream"] extends ReadableStream<infer Each> ? Each : never

/** Whose model call or tool runs, so that what happens at the same time stays apart. */
const current = new AsyncLocalStorage<AgentSession>()

/** A generation under way. */
interface Generation {
  readonly session: AgentSession
  /** How often the SDK may retry; undefined if unknown. */
  readonly limit: number | undefined
  /** Times that the model was asked in this turn. */
  attempts: number
  /** The HTTP status of the latest failed attempt. */
  category: string | undefined
}

/**
 * Telemetry for `registerTelemetry`: each generation is a session named after its `functionId`, each step a turn, and
 * the agent may be held before each step. Text shows as it streams if the model has `agentMiddleware`.
 */
export function agentTelemetry(agent: Agent): Telemetry {
  const generations = new Map<string, Generation>()
  const sessionOf = (callId: string): AgentSession | undefined => generations.get(callId)?.session
  const end = (callId: string, reason: string): void => {
    sessionOf(callId)?.close(reason)
    generations.delete(callId)
  }
  const inSession = <T>(callId: string, execute: () => PromiseLike<T>): PromiseLike<T> => {
    const session = sessionOf(callId)
    return session === undefined ? execute() : current.run(session, execute)
  }
  return {
    onStart(event) {
      const { callId, functionId, operationId, modelId, provider } = event
      const limit = "maxRetries" in event ? event.maxRetries : undefined
      const name = /^ai\.((?:generate|stream)Text)$/.exec(operationId)?.[1]
      if (name === undefined) return
      const session = agent.session(functionId ?? name, { model: modelId, provider })
      generations.set(callId, { session, limit, attempts: 0, category: undefined })
    },
    onStepStart: ({ stepNumber }) => agent.gate({ name: `step ${stepNumber + 1}`, turn: true }),
    onLanguageModelCallStart(event) {
      const generation = generations.get(event.callId)
      // A call that the SDK repeats while it waits for a stream starts anew each time.
      if (generation === undefined || generation.session.inTurn) return
      generation.attempts = 0
      generation.session.begin(requestOf(event))
    },
    async executeLanguageModelCall({ callId, execute }) {
      const generation = generations.get(callId)
      if (generation === undefined) return await execute()
      const { session, limit, attempts, category } = generation
      if (attempts > 0) session.retry(attempts, { limit, category })
      generation.attempts += 1
      try {
        return await inSession(callId, execute)
      } catch (error) {
        generation.category = statusOf(error)
        throw error
      }
    },
    executeTool: ({ callId, execute }) => inSession(callId, execute),
    onLanguageModelCallEnd(event) {
      const { callId, content, usage, finishReason } = event
      const session = sessionOf(callId)
      if (session?.inTurn === false) return
      if (finishReason === "error") session?.fail("the reply ended with an error")
      else session?.end({ content: content.map(blockOf), usage: usageOf(usage), stopReason: reasonOf(finishReason) })
    },
    onToolExecutionEnd({ callId, toolCall, toolOutput }) {
      const failed = toolOutput.type === "tool-error"
      const content = failed ? messageOf(toolOutput.error) : toolOutput.output
      sessionOf(callId)?.result(toolCall.toolCallId, content, failed)
    },
    onAbort: ({ callId }) => end(callId, "aborted"),
    onError(event) {
      const { callId, error } = failureOf(event)
      sessionOf(callId)?.fail(error)
      end(callId, "failed")
    },
    onEnd: ({ callId }) => end(callId, "done"),
  }
}

/** Middleware for `wrapLanguageModel`: passes text and reasoning on as they stream. It needs `agentTelemetry`. */
export const agentMiddleware: LanguageModelMiddleware = {
  specificationVersion: "v4",
  async wrapStream({ doStream }) {
    const session = current.getStore()
    const { stream, ...rest } = await doStream()
    if (session === undefined) return { stream, ...rest }
    const tell = new TransformStream<Part, Part>({
      transform(part, controller) {
        if (part.type === "text-delta") session.delta(part.delta)
        if (part.type === "reasoning-delta") session.thinking(part.delta)
        if (part.type === "error") session.fail(part.error)
        controller.enqueue(part)
      },
    })
    return { stream: stream.pipeThrough(tell), ...rest }
  },
}

/** What a model asks a person. Without options the answer is text. */
export interface ModelQuestion {
  readonly question: string
  readonly options?: readonly string[] | undefined
}

/** A tool with which the model asks the person at the screen. A cancelled question fails the call. */
export function questionTool(agent: Agent): Tool<ModelQuestion, string> {
  return tool({
    description: "Asks the person a question and waits for the answer.",
    inputSchema: jsonSchema<ModelQuestion>({
      type: "object",
      properties: {
        question: { type: "string" },
        options: { type: "array", items: { type: "string" }, description: "The possible answers, if they are known." },
      },
      required: ["question"],
      additionalProperties: false,
    }),
    execute({ question, options = [] }) {
      const asked = { prompt: question, invokeid: current.getStore()?.invokeid }
      return options.length === 0 ? agent.ask(asked) : agent.ask({ ...asked, type: "select", options })
    },
  })
}

/** A reply that was cut or refused, in the words of the wire. */
function reasonOf(finishReason: string): string {
  return finishReason === "length" ? "max_tokens" : finishReason === "content-filter" ? "refusal" : finishReason
}

/** The status that a provider answered with. */
function statusOf(error: unknown): string | undefined {
  return APICallError.isInstance(error) ? error.statusCode?.toString() : undefined
}

/** The SDK leaves the type of this event open. */
function failureOf(event: unknown): { readonly callId: string; readonly error: unknown } {
  if (!isObject(event)) return { callId: "", error: event }
  const { callId, error } = event
  return { callId: typeof callId === "string" ? callId : "", error }
}
