// Reads the config file: options, keys, and what is wrong with them.
import { isAbsolute, join } from "node:path"
import { isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { nearestWord } from "../query/nearest-word.ts"
import { tomlWords } from "../ui/theme-file.ts"
import { errorLine } from "./command-arguments.ts"
import { loadTheme, readToml } from "./load-theme.ts"
import { checkValue, type Option, type OptionTable } from "./option.ts"
import { type Environment, SETTINGS } from "./option-table.ts"

export interface ConfigFile {
  /** Null without a home directory. */
  readonly path: string | null
  /** False if there is no such file. */
  readonly isThere: boolean
  readonly options: ReadonlyMap<string, string | boolean>
  /** The keys of actions, unchecked. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** One line each, which names the file and the line or key. What is wrong is left out above. */
  readonly mistakes: readonly string[]
}

export const noConfig: ConfigFile = { path: null, isThere: false, options: new Map(), keys: new Map(), mistakes: [] }

const TABLE: OptionTable = SETTINGS

/** The directory of the file, and the home directory. */
interface Place {
  readonly directory: string
  readonly home: string
}

/** The directory of the config file and the themes; null without a home. A relative path is ignored, as XDG asks. */
export function configDirectory(env: Environment): string | null {
  const [home, own] = [env.HOME ?? "", env.XDG_CONFIG_HOME ?? ""]
  if (isAbsolute(own)) return join(own, "opentui-sidecar")
  return isAbsolute(home) ? join(home, ".config/opentui-sidecar") : null
}

/** The config file; empty if there is none. Never throws. */
export function readConfig(env: Environment): ConfigFile {
  const directory = configDirectory(env)
  if (directory === null) return noConfig
  const path = join(directory, "config.toml")
  try {
    const table = readToml(path)
    if (table === null) return { ...noConfig, path }
    return { path, isThere: true, ...entriesOf(table, sanitizeLine(path), { directory, home: env.HOME ?? "" }) }
  } catch (error) {
    return { ...noConfig, path, isThere: true, mistakes: [errorLine(error)] }
  }
}

function entriesOf(table: JsonObject, path: string, place: Place): Omit<ConfigFile, "path" | "isThere"> {
  const options = new Map<string, string | boolean>()
  const keys = new Map<string, readonly string[]>()
  const mistakes: string[] = []
  const each = (entries: JsonObject, take: (name: string, value: Json) => void): void => {
    for (const [name, value] of Object.entries(entries)) {
      try {
        take(name, value)
      } catch (error) {
        mistakes.push(`${path}: ${errorLine(error)}`)
      }
    }
  }
  each(table, (name, value) => {
    if (name !== "keys") options.set(name, optionValue(name, value, place))
    else if (isObject(value)) each(value, (action, strokes) => keys.set(action, texts(`keys.${action}`, strokes)))
    else throw new Error(`keys: expected a table, got ${tomlWords(value)}`)
  })
  return { options, keys, mistakes }
}

function optionValue(name: string, value: Json, { directory, home }: Place): string | boolean {
  const option = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
  if (option === undefined) throw new Error(`unknown name ${name}${meant(name)}`)
  if (option.type === "boolean") {
    if (typeof value === "boolean") return value
    throw new Error(`${name}: expected true or false, got ${tomlWords(value)}`)
  }
  if (typeof value !== "string" && typeof value !== "number")
    throw new Error(`${name}: expected a text, got ${tomlWords(value)}`)
  const text = inHome(option, String(value), home)
  checkValue(option, name, text)
  if (name === "theme") loadTheme(text, directory)
  return text
}

function meant(name: string): string {
  const nearest = Object.hasOwn(TABLE, `no-${name}`) ? `no-${name}` : nearestWord(name, [...Object.keys(TABLE), "keys"])
  return nearest === name ? "" : `; did you mean ${nearest}?`
}

/** No shell expands `~` here. */
function inHome({ isPath }: Option, text: string, home: string): string {
  return isPath === true && text.startsWith("~/") ? join(home, text.slice(2)) : text
}

function texts(name: string, value: Json): readonly string[] {
  const all = Array.isArray(value) ? value : [value]
  const found = all.filter(one => typeof one === "string")
  if (all.length > 0 && found.length === all.length) return found
  throw new Error(`${name}: expected a key or a list of keys, got ${tomlWords(value)}`)
}
