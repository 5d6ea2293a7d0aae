// An agent on the AI SDK: its steps, text, reasoning, tools and questions appear on the screen by themselves.
import { isStepCount, registerTelemetry, simulateReadableStream, streamText, wrapLanguageModel } from "ai"
import { MockLanguageModelV4 } from "ai/test"
import { createAgent } from "opentui-sidecar/agent"
import { agentMiddleware, agentTelemetry, questionTool } from "opentui-sidecar/agent/ai"

const agent = await createAgent({ chart: "travel" })
registerTelemetry(agentTelemetry(agent))
const model = wrapLanguageModel({ model: scriptedModel(), middleware: agentMiddleware })
void agent.openScreen()

await agent.run(async () => {
  await streamText({
    model,
    prompt: "Plan a day in Lisbon.",
    tools: { ask: questionTool(agent) },
    stopWhen: isStepCount(5),
    abortSignal: agent.signal,
    telemetry: { functionId: "planner" },
  }).text
})

/** Stands for a real model, so that this runs without a key: first it asks, then it answers. */
function scriptedModel(): MockLanguageModelV4 {
  const inputTokens = { total: 12, noCache: 12, cacheRead: undefined, cacheWrite: undefined }
  const usage = { inputTokens, outputTokens: { total: 7, text: 7, reasoning: undefined } }
  const say = (kind: "text" | "reasoning", delta: string) =>
    (["start", "delta", "end"] as const).map(part => ({ type: `${kind}-${part}` as const, id: kind, delta }))
  const end = (unified: "stop" | "tool-calls") =>
    ({ type: "finish", finishReason: { unified, raw: undefined }, usage }) as const
  const input = JSON.stringify({ question: "Walk or tram?", options: ["walk", "tram"] })
  const ask = { type: "tool-call", toolCallId: "call_1", toolName: "ask", input } as const
  const first = [...say("reasoning", "How do they travel?"), ...say("text", "One question."), ask, end("tool-calls")]
  const steps = [first, [...say("text", "Then start in Alfama."), end("stop")]]
  const doStream = steps.map(chunks => ({ stream: simulateReadableStream({ chunks, chunkDelayInMs: 50 }) }))
  return new MockLanguageModelV4({ doStream })
}
