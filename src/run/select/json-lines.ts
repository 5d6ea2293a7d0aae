// Lays JSON out as lines that can be folded. Unsafe characters are printed as \uXXXX.
import { isList, type Json, type JsonObject, printJson, stringifySafe } from "../../../packages/wire/src/json.ts"

/** One line of JSON, or part of a long one. */
export interface JsonLine {
  readonly depth: number
  /** `"name": `, empty if it has none. */
  readonly name: string
  readonly text: string
  readonly part: boolean
  /** Index of the last line of the value that begins here: its own index if the value is on one line. */
  readonly end: number
  readonly count: number
}

/** Values shorter than this are put on one line, in UTF-16 units. */
const SHORT = 64
/** Longer lines are split, so that no line costs more than this to draw; in UTF-16 units. */
export const PART = 8192
/** Deeper values are put on one line. */
const DEPTH = 60

/** The lines of a value. Its outermost brackets have lines of their own. */
export function jsonLines(value: Json): readonly JsonLine[] {
  const lines: JsonLine[] = []
  put(lines, value, 0, "", "")
  return lines
}

function put(lines: JsonLine[], value: Json, depth: number, name: string, comma: string): void {
  if (typeof value !== "object" || value === null) {
    pushText(lines, depth, name, stringifySafe(value) + comma)
    return
  }
  const list = isList(value)
  const count = list ? value.length : Object.keys(value).length
  const short = depth === 0 && count > 0 ? null : shortOf(value)
  if (short !== null || depth >= DEPTH) {
    pushText(lines, depth, name, (short ?? stringifySafe(value)) + comma)
    return
  }
  const head = lines.length
  lines.push({ depth, name, text: list ? "[" : "{", part: false, end: head, count })
  if (list) putItems(lines, value, depth + 1)
  else putMembers(lines, value, depth + 1)
  lines.push({ depth, name: "", text: `${list ? "]" : "}"}${comma}`, part: false, end: lines.length, count: 0 })
  lines[head] = { depth, name, text: list ? "[" : "{", part: false, end: lines.length - 1, count }
}

function putMembers(lines: JsonLine[], value: JsonObject, depth: number): void {
  const members = Object.entries(value)
  members.forEach(([key, member], i) => {
    const comma = i < members.length - 1 ? "," : ""
    put(lines, member ?? null, depth, `${stringifySafe(key)}: `, comma)
  })
}

/** Puts items in lines; short ones share a line. */
function putItems(lines: JsonLine[], items: readonly Json[], depth: number): void {
  let row = ""
  const flush = (): void => {
    if (row !== "") pushText(lines, depth, "", row.trimEnd())
    row = ""
  }
  items.forEach((item, i) => {
    const comma = i < items.length - 1 ? "," : ""
    const short = shortOf(item)
    if (short === null) {
      flush()
      put(lines, item, depth, "", comma)
      return
    }
    if (row.length + short.length > SHORT) flush()
    row += `${short}${comma} `
  })
  flush()
}

function shortOf(value: Json): string | null {
  const printed = printJson(value, SHORT + 2)
  return printed.length <= SHORT ? printed : null
}

function pushText(lines: JsonLine[], depth: number, name: string, text: string): void {
  let from = 0
  do {
    const to = partEnd(text, from)
    const part = from > 0
    lines.push({ depth, name: part ? "" : name, text: text.slice(from, to), part, end: lines.length, count: 0 })
    from = to
  } while (from < text.length)
}

/** End of a part of a long text; never splits a surrogate pair. */
export function partEnd(text: string, from: number): number {
  const to = from + PART
  if (to >= text.length) return text.length
  const code = text.charCodeAt(to - 1)
  return code >= 0xd800 && code <= 0xdbff ? to - 1 : to
}
