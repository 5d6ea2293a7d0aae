// Shows what the AI SDK, version 7, does as an agent's sessions: steps, text, reasoning, tools, usage and errors.
import { AsyncLocalStorage } from "node:async_hooks"
import { jsonSchema, type LanguageModelMiddleware, type Telemetry, type Tool, tool } from "ai"
import { isObject } from "../../protocol/json.ts"
import type { Agent } from "../agent.ts"
import { type AgentSession, messageOf } from "../agent-session.ts"
import { blockOf, requestOf, usageOf } from "./wire-words.ts"

type Wrap = Required<LanguageModelMiddleware>
type Part = Awaited<ReturnType<Wrap["wrapStream"]>>["stream"] extends ReadableStream<infer Each> ? Each : never

/** Whose model call or tool runs, so that what happens at the same time stays apart. */
const current = new AsyncLocalStorage<AgentSession>()

/**
 * Telemetry for `registerTelemetry`: each generation is a session named after its `functionId`, each step a turn, and
 * the agent may be held before each step. Text shows as it streams if the model has `agentMiddleware`.
 */
export function agentTelemetry(agent: Agent): Telemetry {
  const sessions = new Map<string, AgentSession>()
  const end = (callId: string, reason: string): void => {
    sessions.get(callId)?.close(reason)
    sessions.delete(callId)
  }
  const inSession = <T>(callId: string, execute: () => PromiseLike<T>): PromiseLike<T> => {
    const session = sessions.get(callId)
    return session === undefined ? execute() : current.run(session, execute)
  }
  return {
    onStart(event) {
      const { callId, functionId, operationId, modelId } = event
      const name = /^ai\.((?:generate|stream)Text)$/.exec(operationId)?.[1]
      if (name !== undefined) sessions.set(callId, agent.session(functionId ?? name, { model: modelId }))
    },
    onStepStart: ({ stepNumber }) => agent.gate({ name: `step ${stepNumber + 1}`, turn: true }),
    onLanguageModelCallStart: event => sessions.get(event.callId)?.begin(requestOf(event)),
    executeLanguageModelCall: ({ callId, execute }) => inSession(callId, execute),
    executeTool: ({ callId, execute }) => inSession(callId, execute),
    onLanguageModelCallEnd(event) {
      const { callId, content, usage, finishReason } = event
      const session = sessions.get(callId)
      if (session?.inTurn === false) return
      if (finishReason === "error") session?.fail("the reply ended with an error")
      else session?.end({ content: content.map(blockOf), usage: usageOf(usage), stopReason: finishReason })
    },
    onToolExecutionEnd({ callId, toolCall, toolOutput }) {
      const failed = toolOutput.type === "tool-error"
      const content = failed ? messageOf(toolOutput.error) : toolOutput.output
      sessions.get(callId)?.result(toolCall.toolCallId, content, failed)
    },
    onAbort: ({ callId }) => end(callId, "aborted"),
    onError(event) {
      const { callId, error } = failureOf(event)
      sessions.get(callId)?.fail(error)
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

/** The SDK leaves the type of this event open. */
function failureOf(event: unknown): { readonly callId: string; readonly error: unknown } {
  if (!isObject(event)) return { callId: "", error: event }
  const { callId, error } = event
  return { callId: typeof callId === "string" ? callId : "", error }
}
