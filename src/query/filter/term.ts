// Parses one term of a filter.
import {
  COMPARES,
  type Compare,
  KEYS,
  NUMBER_KEYS,
  type NumberKey,
  TEXT_KEYS,
  TEXT_OPS,
  type Term,
  type TextKey,
  WORDS,
} from "./filter.ts"
import { readPattern } from "./regex-tree.ts"
import { bareEnd, isBareStart, isSpace, quoteEnd, slashEnd, type TextCursor } from "./text-cursor.ts"
import { readMoment, readNumber } from "./value.ts"

const HINT = 'to find text, use text~"…"'

/** Parses the term at the cursor; null if the cursor has an error. */
export function readTerm(cursor: TextCursor): Term | null {
  const at = cursor.place
  const name = cursor.word()
  if (name === "" || name === "and" || name === "or") return expectedTerm(cursor, name.length || 1)
  cursor.moveTo(at + name.length)
  const op = cursor.operator()
  const word = WORDS.find(one => one === name)
  if (word !== undefined) {
    return op === "" ? { type: "word", word } : cursor.fail(`${word} takes no operator`, cursor.place, op.length)
  }
  const text = TEXT_KEYS.find(one => one === name)
  if (text !== undefined) return readText(cursor, text, op)
  const number = name === "ts" ? name : NUMBER_KEYS.find(one => one === name)
  return number === undefined ? unknownName(cursor, at, name, op) : readCompared(cursor, number, op)
}

function expectedTerm(cursor: TextCursor, length: number): null {
  const expected = "expected a term such as error or tokens>100"
  const { place, next } = cursor
  if (next === undefined) return cursor.fail(`${expected}, got the end`)
  const hint = next === '"' ? `; ${HINT}` : ""
  return cursor.fail(`${expected}, got ${cursor.quoted(place, place + length)}${hint}`, place, length)
}

function unknownName(cursor: TextCursor, at: number, name: string, op: string): null {
  const shown = cursor.quoted(at, at + name.length)
  const keys = `keys are ${KEYS.join(" ")}`
  const message =
    op === ""
      ? `unknown word ${shown}; words are ${WORDS.join(" ")}; ${keys}; ${HINT}`
      : `unknown key ${shown}; ${keys}`
  return cursor.fail(message, at, name.length)
}

function wrongOperator(cursor: TextCursor, key: string, ops: readonly string[], found: string): null {
  const message = `expected one of ${ops.join(" ")} after ${key}${found === "" ? "" : `, got ${found}`}`
  return found === "" ? cursor.fail(message) : cursor.fail(message, cursor.place, found.length)
}

/** Parses a number or a time, which are bare, and their operator. */
function readCompared(cursor: TextCursor, key: NumberKey | "ts", found: string): Term | null {
  const op = COMPARES.find(one => one === found)
  if (op === undefined) return wrongOperator(cursor, key, COMPARES, found)
  cursor.moveTo(cursor.place + op.length)
  const end = isBareStart(cursor.next, false) ? bareEnd(cursor.text, cursor.place, false) : null
  const written = cursor.text.slice(cursor.place, end ?? cursor.place)
  const term = comparedTerm(key, op, written)
  if (term !== null) {
    cursor.moveTo(cursor.place + written.length)
    return term
  }
  const expected =
    key === "ts"
      ? "a time after ts, such as 14:03:22, +12.5s or epoch ms"
      : `a number after ${key}, such as 250, 0.5 or 4k`
  return cursor.fail(`expected ${expected}`, cursor.place, written.length || undefined)
}

function comparedTerm(key: NumberKey | "ts", op: Compare, written: string): Term | null {
  if (key === "ts") {
    const moment = readMoment(written)
    return moment && { type: "time", key, op, moment }
  }
  const value = readNumber(written)
  return value === null ? null : { type: "number", key, op, value }
}

function readText(cursor: TextCursor, key: TextKey, found: string): Term | null {
  const op = TEXT_OPS.find(one => one === found)
  if (op === undefined) return wrongOperator(cursor, key, TEXT_OPS, found)
  cursor.moveTo(cursor.place + op.length)
  const { text, place, next } = cursor
  if (next === '"') {
    const quoted = readQuoted(cursor)
    if (quoted === null) return null
    return op === "~" ? { type: "plain", key, text: quoted } : { type: "glob", key, op, glob: quoted }
  }
  if (op === "~" && next === "/") return readSlashed(cursor, key)
  if (!isBareStart(next, false)) return cursor.fail(`expected a value after ${op}; spaces and signs need quotes: "…"`)
  const end = bareEnd(text, place, op === "~")
  if (end === null)
    return cursor.fail(
      "missing ) for a ( in this value; quote the value to search for parentheses",
      place,
      text.length - place,
    )
  if (op === "~") return makePattern(cursor, key, end, text.slice(place, end), "i")
  cursor.moveTo(end)
  return { type: "glob", key, op, glob: text.slice(place, end) }
}

function readQuoted(cursor: TextCursor): string | null {
  const { text, place } = cursor
  const end = quoteEnd(text, place)
  if (end === null) return cursor.fail('missing closing "', place, text.length - place)
  const inner = text.slice(place + 1, end - 1)
  const odd = inner.replace(/\\["\\]/g, "..").indexOf("\\")
  if (odd >= 0) return cursor.fail('in quotes, a backslash is only allowed before " and \\', place + 1 + odd, 2)
  const next = text[end]
  if (next !== undefined && next !== ")" && !isSpace(next)) return cursor.fail('expected a space after "', end, 1)
  cursor.moveTo(end)
  return inner.replace(/\\(["\\])/g, "$1")
}

function readSlashed(cursor: TextCursor, key: TextKey): Term | null {
  const { text, place } = cursor
  const slash = slashEnd(text, place)
  if (slash === null) return cursor.fail("missing closing / of the regular expression", place, text.length - place)
  const from = slash + 1
  let end = from
  while (end < text.length && text[end] !== ")" && !isSpace(text[end])) end++
  const flags = text.slice(from, end)
  if (!/^[ims]*$/.test(flags) || new Set(flags).size < flags.length) {
    const shown = cursor.quoted(from, end)
    return cursor.fail(`expected flags i, m or s, each once, got ${shown}; quote plain text`, from, end - from)
  }
  return makePattern(cursor, key, end, text.slice(place + 1, slash), [...flags].sort().join(""))
}

function makePattern(cursor: TextCursor, key: TextKey, end: number, source: string, flags: string): Term | null {
  const read = readPattern(source, flags)
  if ("error" in read) return cursor.fail(read.error, cursor.place, end - cursor.place)
  cursor.moveTo(end)
  return { type: "pattern", key, source, flags }
}
