// Parses tool calls from JSON text, in the forms that providers' models write.

export type ToolArguments = { [name: string]: unknown }

export interface JsonToolCall {
  readonly name: string
  readonly arguments: ToolArguments
}

/** The calls in the whole text of a block; `name` is the one that its opening had, or empty. None if it is no call. */
export type CallsReader = (text: string, name: string) => readonly JsonToolCall[]

/** Parses the calls in the raw JSON of one segment. Never throws; returns none for anything else. */
export interface JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[]
}

/** The keys of a call that may hold its arguments, and those that may hold its name, in the order they are tried. */
export const ARGUMENT_KEYS: readonly string[] = ["arguments", "parameters", "args", "input"]
export const NAME_KEYS: readonly string[] = ["name", "function", "tool", "tool_name"]

/** `{"tool": {"function", "parameters"}}`. */
export class DefaultJsonToolParsingStrategy implements JsonToolParsingStrategy {
  parse(rawJson: string): JsonToolCall[] {
    return callsFrom(rawJson, "parameters")
  }
}

/** The calls in a text, whose arguments are looked for at the key `first` first. */
export function callsFrom(rawJson: string, first: string): JsonToolCall[] {
  return callsIn(parsed(rawJson), [first, ...ARGUMENT_KEYS])
}

/** An object from an object or its JSON text; null for anything else. */
export function objectFrom(value: unknown): ToolArguments | null {
  const object = typeof value === "string" ? parsed(value) : value
  return isRecord(object) ? object : null
}

/** The value of a JSON text, which may stand in a Markdown fence; undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const [, fenced] = /^\s*```\w*\s([\s\S]*?)```\s*$/.exec(text) ?? []
    return fenced === undefined ? undefined : parsed(fenced)
  }
}

function isRecord(value: unknown): value is { [key: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** All calls in a value: names with arguments, outermost first. Looks into wrappers at most `depth` levels deep. */
function callsIn(value: unknown, keys: readonly string[], depth = 4): JsonToolCall[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap(item => callsIn(item, keys, depth - 1))
  if (!isRecord(value)) return []
  const name = NAME_KEYS.map(key => ownValue(value, key)).find(isName)
  const given = keys.map(key => ownValue(value, key)).find(found => found != null)
  if (name !== undefined && given !== undefined) {
    const args = isDefinition(value) ? null : given === "" ? {} : objectFrom(given)
    return args === null ? [] : [{ name, arguments: args }]
  }
  for (const list of ["tool_calls", "tools"]) {
    const calls = ownValue(value, list)
    if (Array.isArray(calls)) return callsIn(calls, keys, depth - 1)
  }
  for (const wrapper of ["tool", "function"]) {
    const inner = ownValue(value, wrapper)
    if (isRecord(inner)) return callsIn(inner, keys, depth - 1)
  }
  return []
}

/** True for the description of a tool, which has a JSON schema where a call has its arguments. */
function isDefinition(value: { [key: string]: unknown }): boolean {
  const schema = ownValue(value, "parameters")
  const keys = isRecord(schema) && schema.type === "object" ? Object.keys(schema) : []
  return keys.length === 1 || keys.includes("properties") || typeof ownValue(value, "description") === "string"
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== ""
}

/** The value of an own key only, so that a name like `constructor` finds nothing inherited. */
function ownValue(value: { [key: string]: unknown }, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}
