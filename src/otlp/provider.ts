// Tells a model's provider in the words of OpenTelemetry's conventions, as far as a frame lets us know it.

/** The names that the conventions prescribe, by those that agents and libraries use. */
const PRESCRIBED: ReadonlyMap<string, string> = new Map([
  ["bedrock", "aws.bedrock"],
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["google", "gcp.gen_ai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex", "gcp.vertex_ai"],
  ["gemini", "gcp.gemini"],
  ["vertex", "gcp.vertex_ai"],
  ["vertex_ai", "gcp.vertex_ai"],
  ["google-vertex", "gcp.vertex_ai"],
  ["mistral", "mistral_ai"],
  ["watsonx", "ibm.watsonx.ai"],
  ["xai", "x_ai"],
])

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
export function providerName(reported: unknown, model: string | null): string | null {
  if (typeof reported === "string" && reported !== "") {
    const name = reported.replace(INTERFACE, "")
    return PRESCRIBED.get(name.toLowerCase()) ?? name
  }
  return CLOSED.find(([name]) => name.test(model ?? ""))?.[1] ?? null
}
