// Gives arguments that are written as text the types that a tool's JSON schema asks for.
import { type CastOf, jsonOf } from "../tag-arguments.ts"

/** Tools as one sends them to a provider: OpenAI's, Anthropic's or the AI SDK's. */
export type ToolList = readonly object[]

/** The values of a tool's arguments: text stays text unless its schema wants another type that it can be. */
export function castsOf(tools: ToolList, name: string): CastOf {
  const tool = tools.map(each => fieldsOf(fieldsOf(each).function ?? each)).find(each => each.name === name) ?? {}
  const schema = fieldsOf(tool.parameters ?? tool.inputSchema ?? tool.input_schema)
  const properties = fieldsOf(schema.properties)
  return argument => {
    const types = typesIn(Object.hasOwn(properties, argument) ? properties[argument] : undefined, schema)
    return [...types].some(type => type && type !== "string") ? text => cast(text, types) : null
  }
}

export type Fields = { readonly [key: string]: unknown }

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

/** The types that a schema allows, of all its alternatives. Looks at most `depth` levels deep. */
function typesIn(schema: unknown, root: Fields, depth = 8): ReadonlySet<unknown> {
  const { type, nullable, $ref, const: constant, enum: values, anyOf, oneOf, allOf } = fieldsOf(schema)
  const types = new Set([type, nullable === true && "null"].flat())
  for (const value of [values ?? constant].flat())
    if (type === undefined && value !== undefined) types.add(typeOf(value))
  if (!schema || depth === 0) return types
  const [, group = "", name = ""] = /^#\/([^/]+)\/([^/]+)$/.exec(String($ref)) ?? []
  for (const each of [anyOf, oneOf, allOf, fieldsOf(root[group])[name]].flat())
    for (const one of typesIn(each, root, depth - 1)) types.add(one)
  return types
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value
}

/** The words that may be written in another case than in JSON, or as Python has them. */
const WORD = /^(true|false|null|none)$/i

/** Reads a text as a type that the schema allows; else it stays text. If text is allowed too, it must be exact JSON. */
function cast(text: string, types: ReadonlySet<unknown>): unknown {
  const isText = types.has("string")
  const word = text.trim()
  const number = Number(word || NaN)
  const written = WORD.test(word) && !isText ? word.toLowerCase().replace("none", "null") : word
  const value = Number.isFinite(number) && !isText ? number : jsonOf(written)
  const type = Number.isInteger(value) && types.has("integer") ? "integer" : typeOf(value)
  return type !== "string" && (types.has(type) || (type === "null" && !isText)) ? value : text
}
