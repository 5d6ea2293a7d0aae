// Reads typed keys of a JSON object; a key of the wrong type counts as absent and is reported as a fault.
import { isList, isObject, type Json, type JsonObject, printJson } from "./json.ts"
import { sanitize } from "./sanitize.ts"

/** An object of a frame. A key that is `null` counts as absent (docs/decisions.md 1.1). */
export class ObjectReader {
  /** `path` locates the object in fault messages; empty for the frame itself. Faults are added to `faults`. */
  constructor(
    readonly object: JsonObject,
    private readonly path = "",
    readonly faults: string[] = [],
  ) {}

  value(key: string): Json | undefined {
    return this.object[key] ?? undefined
  }

  text(key: string): string | null {
    const text = this.rawText(key)
    return text === null ? null : sanitize(text)
  }

  /** A string as it came, such as an id, to be compared or sent back. */
  rawText(key: string): string | null {
    const value = this.value(key)
    if (value === undefined || typeof value === "string") return value ?? null
    return this.mismatch(key, "text", value)
  }

  boolean(key: string): boolean | null {
    const value = this.value(key)
    if (value === undefined || typeof value === "boolean") return value ?? null
    return this.mismatch(key, "true or false", value)
  }

  flag(key: string): boolean {
    return this.boolean(key) ?? false
  }

  number(key: string): number | null {
    return this.numberLike(key, "number", Number.isFinite)
  }

  /** A time in epoch ms. */
  time(key: string): number | null {
    return this.numberLike(key, "epoch ms", isTime)
  }

  /** A number of 0 or more that is safe to sum; see `isCount`. */
  count(key: string): number | null {
    return this.numberLike(key, "number of 0 or more", isCount)
  }

  /** A safe integer of at least `min`. */
  integer(key: string, min = 0): number | null {
    const value = this.value(key)
    if (value === undefined || (typeof value === "number" && isInteger(value) && value >= min)) return value ?? null
    return this.mismatch(key, `whole number of ${min} or more`, value)
  }

  list(key: string): readonly Json[] | null {
    const value = this.value(key)
    if (value === undefined || isList(value)) return value ?? null
    return this.mismatch(key, "list", value)
  }

  /** A list of sanitized strings; members of other types are printed as JSON. */
  texts(key: string): readonly string[] | null {
    return this.list(key)?.map(sanitizedText) ?? null
  }

  /** As `texts`; a single string counts as a list of one. */
  textOrTexts(key: string): readonly string[] | null {
    const value = this.value(key)
    return typeof value === "string" ? [sanitize(value)] : this.texts(key)
  }

  child(key: string): ObjectReader | null {
    const value = this.value(key)
    if (value === undefined) return null
    return isObject(value) ? this.childAt(key, value) : this.mismatch(key, "object", value)
  }

  /** The objects in the list under `key`; members of other types are faults. */
  children(key: string): readonly ObjectReader[] {
    const children: ObjectReader[] = []
    this.list(key)?.forEach((member, index) => {
      const indexed = `${key}[${index}]`
      if (isObject(member)) children.push(this.childAt(indexed, member))
      else this.mismatch(indexed, "object", member)
    })
    return children
  }

  /** A reader of `object`, which is the value under `key`; it shares our faults. */
  childAt(key: string, object: JsonObject): ObjectReader {
    return new ObjectReader(object, this.pathOf(key), this.faults)
  }

  /** Adds a fault for a key of the wrong type. Returns null, so that callers can return the call itself. */
  mismatch(key: string, expected: string, value: Json, got = typeName(value)): null {
    this.faults.push(`${this.pathOf(key)}: expected ${expected}, got ${got}`)
    return null
  }

  private numberLike(key: string, expected: string, isValid: (value: number) => boolean): number | null {
    const value = this.value(key)
    if (value === undefined || (typeof value === "number" && isValid(value))) return value ?? null
    return this.mismatch(key, expected, value)
  }

  private pathOf(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`
  }
}

/** `KEY: expected TYPE, got TYPE`. */
export function mismatchText(key: string, expected: string, value: Json | undefined): string {
  return `${key}: expected ${expected}, got ${typeName(value ?? null)}`
}

/** The fault of a value that is no text: what was expected, and what came. */
export function expectedText(key: string, value: Json | undefined): string {
  return mismatchText(key, "text", value)
}

/** True for a number of 0 or more that is safe to sum: even many of the largest have a finite sum. */
export function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** True for a time that a `Date` can hold: within 100,000,000 days of 1970. */
export function isTime(value: number): boolean {
  return Math.abs(value) <= 8.64e15
}

/** True for a safe integer of 0 or more. */
export function isInteger(value: number): boolean {
  // As `Number.isSafeInteger`, which is a call out of the engine's compiled code.
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value
}

/** A value as sanitized text: a string as it is, anything else printed as JSON. */
export function sanitizedText(value: Json): string {
  return typeof value === "string" ? sanitize(value) : printJson(value)
}

/** The type of a JSON value in words that a user understands. */
export function typeName(value: Json): string {
  if (value === null) return "nothing"
  if (isList(value)) return "list"
  if (typeof value === "string") return "text"
  if (typeof value === "boolean") return "true or false"
  return typeof value
}
