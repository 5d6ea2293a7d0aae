// Reads the keys of one JSON object: a key of the wrong type counts as absent, and a fault says so.

import { isList, isObject, type Json, type JsonObject } from "./json.ts"
import { printJson } from "./print-json.ts"
import { sanitize } from "./sanitize.ts"

/** One object of a frame. `null` and absent are the same for each of its keys (docs/decisions.md 1.1). */
export class ObjectReader {
  /** `where` is the object's own path for the faults: `data`, or empty for the frame itself. */
  constructor(
    readonly object: JsonObject,
    private readonly where: string,
    private readonly faults: string[],
  ) {}

  /** Any JSON, raw; undefined where absent. */
  value(key: string): Json | undefined {
    return this.object[key] ?? undefined
  }

  /** Text that may be shown. */
  text(key: string): string | null {
    const text = this.id(key)
    return text === null ? null : sanitize(text)
  }

  /** Text as it came, for equality and echo. */
  id(key: string): string | null {
    const value = this.value(key)
    if (value === undefined || typeof value === "string") return value ?? null
    return this.wrong(key, "text", value)
  }

  /** A flag; absent is false. */
  flag(key: string): boolean {
    const value = this.value(key)
    if (value === undefined || typeof value === "boolean") return value ?? false
    this.wrong(key, "true or false", value)
    return false
  }

  /** A finite number. */
  number(key: string): number | null {
    return this.numberLike(key, "number", Number.isFinite)
  }

  /** A moment, epoch ms. */
  time(key: string): number | null {
    return this.numberLike(key, "epoch ms", isTime)
  }

  /** A number of 0 or more that can be added up. */
  count(key: string): number | null {
    return this.numberLike(key, "number of 0 or more", isCount)
  }

  /** A safe integer, `least` or more. */
  whole(key: string, least = 0): number | null {
    return this.numberLike(key, `whole number of ${least} or more`, value => isInteger(value) && value >= least)
  }

  list(key: string): readonly Json[] | null {
    const value = this.value(key)
    if (value === undefined || isList(value)) return value ?? null
    return this.wrong(key, "list", value)
  }

  /** A list of texts that may be shown; a member that is no text is printed. */
  texts(key: string): readonly string[] | null {
    return this.list(key)?.map(sanitizedText) ?? null
  }

  /** A list of texts as above, or one text as a list of one. */
  textOrTexts(key: string): readonly string[] | null {
    const value = this.value(key)
    if (typeof value === "string") return [sanitize(value)]
    return this.texts(key)
  }

  /** The object under `key`. */
  inner(key: string): ObjectReader | null {
    const value = this.value(key)
    if (value === undefined) return null
    return isObject(value) ? this.under(key, value) : this.wrong(key, "object", value)
  }

  /** The members of the list under `key` that are objects; each of the others is a fault. */
  inners(key: string): readonly ObjectReader[] {
    const inners: ObjectReader[] = []
    this.list(key)?.forEach((member, index) => {
      const place = `${key}[${index}]`
      if (isObject(member)) inners.push(this.under(place, member))
      else this.wrong(place, "object", member)
    })
    return inners
  }

  /** Reads `object`, which stands under `key`, into the same faults. */
  under(key: string, object: JsonObject): ObjectReader {
    return new ObjectReader(object, this.path(key), this.faults)
  }

  /** Notes that `key` holds something else than was expected. The answer is null, so that it can be returned. */
  wrong(key: string, expected: string, value: Json): null {
    this.faults.push(`${this.path(key)}: expected ${expected}, got ${typeName(value)}`)
    return null
  }

  private numberLike(key: string, expected: string, fits: (value: number) => boolean): number | null {
    const value = this.value(key)
    if (value === undefined) return null
    if (typeof value === "number" && fits(value)) return value
    return this.wrong(key, expected, value)
  }

  private path(key: string): string {
    return this.where === "" ? key : `${this.where}.${key}`
  }
}

/** True for a number of 0 or more that can be added up: many of the largest are still finite. */
export function isCount(value: number): boolean {
  return value >= 0 && value <= Number.MAX_SAFE_INTEGER
}

/** True for a moment that a calendar has: within 100,000,000 days of 1970, as a Date counts. */
export function isTime(value: number): boolean {
  return Math.abs(value) <= 8.64e15
}

/** True for a safe integer of 0 or more. */
export function isInteger(value: number): boolean {
  return value >= 0 && Number.isSafeInteger(value)
}

/** Any JSON as text that may be shown: a text is itself, everything else is printed. */
export function sanitizedText(value: Json): string {
  return typeof value === "string" ? sanitize(value) : printJson(value)
}

/** The type of a JSON value in plain words. */
export function typeName(value: Json): string {
  if (value === null) return "nothing"
  if (isList(value)) return "list"
  if (typeof value === "string") return "text"
  if (typeof value === "boolean") return "true or false"
  return typeof value
}
