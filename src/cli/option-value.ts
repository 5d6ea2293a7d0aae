// Parses single values from the command line or the environment; throws a one-line Error that names a bad value.
import { readFileSync, statSync } from "node:fs"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import { describeFileError, InputError } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import { parse } from "../query/filter/parse.ts"
import { type Moment, readSeek } from "../query/moment.ts"
import { decodePrices, noPrices, type Prices } from "../run/model/prices.ts"
import { width } from "../ui/text-width.ts"

/** The value of a variable that turns something on or off. Throws if it is neither. */
export function isOn(name: string, value: string): boolean {
  if (/^(1|true|yes|on)$/i.test(value)) return true
  if (/^(0|false|no|off)$/i.test(value)) return false
  throw new Error(`${name}: expected 1 or 0 (or yes, no, true, false, on, off), got ${value}`)
}

/** The value if it is one of `allowed`. Throws an error that names them. */
export function choice<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find(one => one === value)
  if (found === undefined) throw new InputError(`unknown ${name} ${value}; use ${alternatives(allowed)}`)
  return found
}

/** The names that `--segments` takes. */
export const SEGMENT_PARSERS: readonly ParserName[] = ["api_tool_call", "xml", "json", "sentinel"]

/** The value of `--segments`. Throws if it is no parser. */
export function segmentParser(text: string): ParserName {
  return choice("segment parser", text, SEGMENT_PARSERS)
}

/** `a, b or c`. */
export function alternatives(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`
}

/** Reads digits only: Number also reads 1e3, 0x1F90, +8080 and blanks. */
export function number(name: string, value: string, least: number, most: number, type = "a number"): number {
  const pattern = type === "a whole number" ? /^\d+$/ : /^(\d+(\.\d+)?|\.\d+)$/
  const read = pattern.test(value) ? Number(value) : Number.NaN
  if (read >= least && read <= most) return read
  throw new InputError(`${name}: expected ${type} from ${least} to ${most}, got ${sanitizeLine(value)}`)
}

/** The moment in `text`; null without a text. Throws if it is none. */
export function moment(called: string, text: string | undefined): Moment | null {
  if (text === undefined) return null
  const read = readSeek(text)
  const isBeyond = Number(/^(\d+)%$/.exec(text.trim())?.[1] ?? 0) > 100
  if (read === null || isBeyond)
    throw new InputError(
      `${called}: can't read ${sanitizeLine(text)} as a moment; try 812, e2/812, #1204, 50%, +12.5s or 14:03:22`,
    )
  return read
}

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** The time in `text`, epoch ms: `7d` ago, or a local day's midnight; null without a text. Throws if it is none. */
export function since(called: string, text: string | undefined, now = Date.now()): number | null {
  if (text === undefined) return null
  const [, amount, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  const ms = Object.entries(UNITS_MS).find(([name]) => name === unit)?.[1]
  if (ms !== undefined) return now - Number(amount) * ms
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00`) : Number.NaN
  if (!Number.isNaN(day)) return day
  throw new InputError(`${called}: expected a time like 7d, 12h or 2026-03-14, got ${sanitizeLine(text)}`)
}

/** The condition in `text`; null without a text. Throws if it is none. */
export function condition(called: string, text: string | undefined): Filter | null {
  if (text === undefined) return null
  const read = parse(text)
  if ("error" in read) throw new Error(`${called}: ${read.error.message}`)
  return read.filter
}

/** The filter in `text`, null if there is none. Throws an InputError with a mark below the wrong part. */
export function readWhere(text: string | undefined): Filter | null {
  if (text === undefined) return null
  const read = parse(text)
  if ("filter" in read) return read.filter
  const { at, length, message } = read.error
  const before = width(sanitizeLine(text.slice(0, at)))
  const under = "^".repeat(Math.max(1, width(sanitizeLine(text.slice(at, at + length)))))
  throw new InputError(`--where: ${message}\n  ${sanitizeLine(text)}\n  ${" ".repeat(before)}${under}`)
}

/** Splits a command as a shell would: quotes group words, a backslash escapes one character. Expands nothing. */
export function commandWords(command: string): readonly string[] {
  const words: string[] = []
  for (const [word] of command.matchAll(/(?:"(?:\\.|[^"\\])*"?|'[^']*'?|\\.|[^\s"'\\]|\\$)+/gs)) {
    words.push(word.replaceAll(/"((?:\\.|[^"\\])*)"?|'([^']*)'?|\\(.)/gs, unquoted))
  }
  return words
}

function unquoted(_: string, double?: string, single?: string, escaped?: string): string {
  return double?.replaceAll(/\\(["\\$`])/g, "$1") ?? single ?? escaped ?? ""
}

/** How far local time is ahead of UTC, in ms. Filters read 14:03 by it, and the screen shows times in it. */
export function zone(): number {
  return -new Date().getTimezoneOffset() * 60_000
}

/** LiteLLM's own price list has 1 MB. */
const MOST_BYTES = 32 * 1024 * 1024
/** The file that was read last: it is read once, however many runs are opened. */
let latest: { readonly path: string; readonly prices: Prices } | null = null

/** The prices in a file, none without one. Throws an InputError that says what is wrong, and names the option. */
export function readPrices(path: string | undefined, called = "--prices"): Prices {
  if (path === undefined) return noPrices
  if (latest?.path === path) return latest.prices
  const prices = decodePrices(textOf(path, called))
  if (prices === null)
    throw new InputError(`${called}: ${sanitizeLine(path)}: expected LiteLLM's JSON object of models`)
  latest = { path, prices }
  return prices
}

function textOf(path: string, called: string): string {
  const wrong = (why: string) => new InputError(`${called}: ${sanitizeLine(path)}: ${why}`)
  try {
    const found = statSync(path)
    if (found.isFile() && found.size <= MOST_BYTES) return readFileSync(path, "utf8")
    throw wrong(found.isFile() ? "expected at most 32 MB" : "not a regular file")
  } catch (error) {
    throw errorCode(error) === "" ? error : wrong(describeFileError(error))
  }
}

/** The address for traces, as OpenTelemetry forms it of a receiver's. Throws a one-line Error. */
export function tracesUrl(called: string, text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new Error(`${called}: expected http://… or https://…`)
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${called}: expected a URL without a password; OTEL_EXPORTER_OTLP_HEADERS can hold one`)
  }
  if (!url.pathname.endsWith("/v1/traces")) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url.href
}
