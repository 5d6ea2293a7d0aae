// Reads the TOML files of a person: bounded, and with the place of a mistake; finds the theme of a name.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { nearestWord } from "../query/nearest-word.ts"
import { readTheme, type ThemeFile } from "../ui/theme-file.ts"
import { errorLine } from "./command-arguments.ts"

const BUILT_IN = ["dark", "light", "auto"] as const

export interface LoadedTheme {
  readonly theme: (typeof BUILT_IN)[number] | ThemeFile
  /** What is wrong with its file, in one line that names it; null for nothing. */
  readonly mistake: string | null
}

/** The theme of that name, below the config directory. Throws a one-line Error if there is none. */
export function loadTheme(name: string, directory: string | null): LoadedTheme {
  const own = BUILT_IN.find(one => one === name)
  if (own !== undefined) return { theme: own, mistake: null }
  const themes = directory === null ? null : join(directory, "themes")
  // A name can't lead out of the directory.
  if (themes === null || !/^[\w-]+$/.test(name)) throw unknownTheme(name, themes)
  const path = join(themes, `${name}.toml`)
  const mistaken = (why: string): LoadedTheme => ({ theme: "auto", mistake: why })
  let table: ReturnType<typeof readToml>
  try {
    table = readToml(path)
  } catch (error) {
    return mistaken(errorLine(error))
  }
  if (table === null) throw unknownTheme(name, themes)
  try {
    return { theme: readTheme(name, table), mistake: null }
  } catch (error) {
    return mistaken(`${sanitizeLine(path)}: ${errorLine(error)}`)
  }
}

function unknownTheme(name: string, themes: string | null): Error {
  const nearest = nearestWord(name, [...BUILT_IN, ...namesIn(themes)])
  const file = themes === null ? "" : `, or the name of a file in ${themes}`
  const advice = nearest === name ? `use dark, light or auto${file}` : `did you mean ${nearest}?`
  return new Error(`unknown theme ${name}; ${advice}`)
}

function namesIn(themes: string | null): readonly string[] {
  try {
    return themes === null ? [] : readdirSync(themes).flatMap(file => file.match(/^[\w-]+(?=\.toml$)/)?.[0] ?? [])
  } catch {
    return []
  }
}

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
