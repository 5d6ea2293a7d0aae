// Reads a TOML file of the person's: bounded, and with the place of a mistake.
import { readFileSync, statSync } from "node:fs"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"

const MOST_BYTES = 65_536

/** The table in a file; null if there is no such file. Throws a one-line Error that names the file and the line. */
export function readToml(path: string): JsonObject | null {
  const wrong = (why: string) => new Error(`${sanitizeLine(path)}: ${sanitizeLine(why)}`)
  let text: string
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return null
    // A pipe would never end.
    if (!found.isFile()) throw wrong("not a regular file")
    if (found.size > MOST_BYTES) throw wrong(`expected at most ${MOST_BYTES} bytes, got ${found.size}`)
    text = readFileSync(path, "utf8")
  } catch (error) {
    throw error instanceof Error && "code" in error ? wrong(describeFileError(error)) : error
  }
  const read = parsed(text)
  if ("table" in read) return read.table
  throw wrong(`line ${mistakenLine(text, read.why)}: ${read.why}`)
}

function parsed(text: string): { readonly table: JsonObject } | { readonly why: string } {
  try {
    const table: unknown = Bun.TOML.parse(text)
    return isObject(table) ? { table } : { why: "expected a table" }
  } catch (error) {
    return { why: error instanceof Error ? error.message.replace(/^TOML Parse error: /, "") : "can't be read" }
  }
}

/** The first line after which the text is as wrong as the whole: the parser doesn't name one. */
function mistakenLine(text: string, why: string): number {
  const lines = text.split("\n")
  let [before, at] = [0, lines.length]
  while (before + 1 < at) {
    const middle = (before + at) >> 1
    const read = parsed(`${lines.slice(0, middle).join("\n")}\n`)
    if ("why" in read && read.why === why) at = middle
    else before = middle
  }
  return at
}
