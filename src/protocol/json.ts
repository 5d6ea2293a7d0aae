// Defines JSON values and tells objects from arrays.

/** Any value that `JSON.parse` can return. Raw values keep this shape and the wire's spelling. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** True for a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** True for a JSON array. */
export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value)
}
