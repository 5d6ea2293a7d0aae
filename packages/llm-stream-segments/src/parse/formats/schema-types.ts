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
    return TYPES.some(type => types.has(type)) ? text => cast(text, types) : null
  }
}

export type Fields = { readonly [key: string]: unknown }

/** The fields of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {}
}

/** The types that a schema allows, of all its alternatives. Looks at most `depth` levels deep. */
function typesIn(schema: unknown, root: Fields, depth = 8): ReadonlySet<string> {
  const { type, nullable, $ref, const: constant, enum: values, anyOf, oneOf, allOf } = fieldsOf(schema)
  const types = new Set([type, nullable === true ? "null" : ""].flat().map(String))
  for (const value of [values ?? constant].flat()) if (type === undefined) types.add(typeOf(value))
  if (!schema || depth === 0) return types
  const [, group = "", name = ""] = /^#\/([^/]+)\/([^/]+)$/.exec(String($ref)) ?? []
  for (const each of [anyOf, oneOf, allOf, fieldsOf(root[group])[name]].flat())
    for (const one of typesIn(each, root, depth - 1)) types.add(one)
  return types
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value
}

/** The types that a text may be read as. */
const TYPES: readonly string[] = ["null", "integer", "number", "boolean", "object", "array"]
/** The words that aren't written as in JSON: in another case, or as Python has them. */
const WORD = /^(true|false|null|none)$/i

/** The value that a text is in JSON, if the schema allows its type; else the text. */
function cast(text: string, types: ReadonlySet<string>): unknown {
  const word = text.trim()
  const isWhole = /^-?\d+$/.test(word)
  const written = WORD.test(word) ? word.toLowerCase().replace("none", "null") : word
  const value = isWhole ? Number(word) : jsonOf(written)
  const type = typeOf(value)
  return type !== "string" && (types.has(type) || (isWhole && types.has("integer"))) ? value : text
}
