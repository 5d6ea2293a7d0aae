import { readdirSync } from "node:fs"
import { join } from "node:path"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { nearestWord } from "../query/nearest-word.ts"
import { readTheme, type ThemeFile } from "../ui/theme-file.ts"
import { errorLine } from "./command-arguments.ts"
import { readToml } from "./toml-file.ts"

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
