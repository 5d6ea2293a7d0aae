// Reads fields of the JSON that agent CLIs print, which may have any shape.
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../packages/wire/src/json.ts"

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {})
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])
export const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "")

/** These fields without the empty ones: null, undefined, false and "". */
export function given(fields: { readonly [name: string]: Json | undefined }): JsonObject {
  const kept: Record<string, Json> = {}
  for (const name in fields) {
    const value = fields[name]
    if (value != null && value !== false && value !== "") kept[name] = value
  }
  return kept
}

/** A number that is not negative; null for anything else. */
export function countOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : null
}

/** The texts of a string or a list of content parts, joined; a part of another kind is named. */
export function partsText(content: Json | undefined): string {
  if (typeof content === "string") return content
  return listOf(content)
    .map(part => (typeof part === "string" ? part : partText(objectOf(part))))
    .filter(Boolean)
    .join("\n")
}

function partText({ type, text }: JsonObject): string {
  if (typeof text === "string") return text
  return typeof type === "string" && type !== "text" ? `[${type}]` : ""
}

/** The arguments of a call, which may be JSON in a text. */
export function inputOf(given: Json | undefined): Json {
  return typeof given === "string" ? (parseJson(given) ?? given) : (given ?? {})
}

/** The fields of an object that are not empty, each on a line. */
export function fieldLines(fields: JsonObject): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== null && value !== "")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : printJson(value, 4000)}`)
    .join("\n")
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** The epoch ms of a time that CLIs print: in UTC (`2026-03-01T10:00:00.000Z`), or a number of ms. Null for others. */
export function timeOf(value: Json | undefined): number | null {
  if (typeof value === "number") return countOf(value)
  if (typeof value !== "string" || !ISO.test(value)) return null
  const part = (from: number, to: number) => Number(value.slice(from, to))
  const ms = Math.floor(((part(11, 13) * 60 + part(14, 16)) * 60 + part(17, -1)) * 1000)
  return daysFrom(part(0, 4), part(5, 7), part(8, 10)) * 86_400_000 + ms
}

/** Days from 1970-01-01 to a date, by counting years from March on, so that a leap day is a year's last. */
function daysFrom(year: number, month: number, day: number): number {
  const y = month > 2 ? year : year - 1
  const ofYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + ofYear - 719_468
}

/** The failure that an API reports: its status and the message in the JSON of its words; else the words. */
export function apiError(words: string): string {
  const [start, end] = [words.indexOf("{"), words.lastIndexOf("}")]
  const { error, message } = start < 0 ? {} : objectOf(parseJson(words.slice(start, end + 1)))
  const inner = textOf(objectOf(error).message) || textOf(message)
  // The message of one API may be the words of another.
  const said = inner.includes("{") && inner !== words ? apiError(inner) : inner
  return said === "" ? words : [words.slice(0, start).replace(/^\[|[\s:]+$/g, ""), said].filter(Boolean).join(": ")
}
