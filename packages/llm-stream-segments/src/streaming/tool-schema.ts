// Builds tool schemas in each provider's format.
import { TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "../parse/formats/content-tools.ts"
import { LLMProvider } from "../parse/formats/json-profiles.ts"

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: { readonly [key: string]: unknown }
}

/** Finds definitions by name; a Map will do. */
export interface ToolDefinitionRegistry {
  get(name: string): ToolDefinition | undefined
}

export type ToolSchema = { readonly [key: string]: unknown }

export class ToolSchemaProvider {
  /** The default registry has the three built-in tools. */
  constructor(private readonly registry: ToolDefinitionRegistry = BUILT_IN) {}

  /** One schema per known name, in the order of the names. */
  buildSchema(toolNames: readonly string[], provider?: LLMProvider | string | null): ToolSchema[] {
    return toolNames.flatMap(name => {
      const definition = this.registry.get(name)
      return definition === undefined ? [] : [schemaFor(definition, provider)]
    })
  }
}

function schemaFor({ name, description, parameters }: ToolDefinition, provider?: string | null): ToolSchema {
  if (provider === LLMProvider.ANTHROPIC) return { name, description, input_schema: parameters }
  if (provider === LLMProvider.GEMINI) return { name, description, parameters }
  return { type: "function", function: { name, description, parameters } }
}

function defined(name: string, description: string, required: string[], more: object = {}): [string, ToolDefinition] {
  const texts = Object.fromEntries(required.map(each => [each, { type: "string" }]))
  return [name, { name, description, parameters: { type: "object", properties: { ...texts, ...more }, required } }]
}

const OPTIONS = { background: { type: "boolean" }, timeout_seconds: { type: "integer", minimum: 1 } }
const BUILT_IN: ReadonlyMap<string, ToolDefinition> = new Map([
  defined(TOOL_NAME_WRITE_FILE, "Writes a file.", ["path", "content"]),
  defined(TOOL_NAME_EDIT_FILE, "Applies a unified diff to a file.", ["path", "patch"]),
  defined(TOOL_NAME_RUN_BASH, "Runs a shell command.", ["command"], OPTIONS),
])
