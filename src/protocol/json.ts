// Defines JSON values and tells objects from arrays.

/** Any value that `JSON.parse` can return. Raw values keep this shape and the wire's spelling. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** The value of a JSON text; undefined if the text isn't JSON or is nested too deep for the stack. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** True for a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}
