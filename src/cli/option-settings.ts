// Settles what each option is: what the command line says, else a variable, else the config file.
import type { ConfigFile } from "./config-file.ts"
import { checkValue, type Option, type OptionTable } from "./option.ts"
import { type Environment, type FlagValues, parseFlags } from "./option-table.ts"
import { isOn, SEGMENT_PARSERS } from "./option-value.ts"

/** The settings of a start, and how it was started. */
export type Flags = FlagValues & {
  readonly typed: FlagValues
  /** True if nobody can press keys, or nobody sees them. */
  readonly piped: boolean
  readonly config: ConfigFile
}

export interface Setting {
  readonly name: string
  /** Undefined if nothing names one. */
  readonly value: string | boolean | undefined
  readonly from: "default" | "file" | "variable" | "flag"
  readonly variable?: string
}

/** The settings of a table's options. Throws a one-line Error that names a flag or variable with a bad value. */
export function settle(
  table: OptionTable,
  typed: FlagValues,
  env: Environment,
  { options }: Pick<ConfigFile, "options">,
): readonly Setting[] {
  const flags: { readonly [name: string]: string | boolean | undefined } = typed
  return Object.entries(table).map(([name, option]): Setting => {
    const value = flags[name]
    if (typeof value === "string") checkValue(option, name, value, `--${name}`)
    if (value !== undefined) return { name, value, from: "flag" }
    for (const written of option.variable?.split(", ") ?? []) {
      const [variable = "", on] = written.split("=")
      const said = saidBy(option, name, variable, on, env[variable] ?? "")
      if (said !== null) return { name, value: said, from: "variable", variable }
    }
    const filed = options.get(name)
    return filed === undefined ? { name, value: undefined, from: "default" } : { name, value: filed, from: "file" }
  })
}

/** What a variable says of an option; null for nothing. */
function saidBy(
  option: Option,
  name: string,
  variable: string,
  on: string | undefined,
  text: string,
): string | boolean | null {
  if (text === "") return null
  if (option.type === "boolean") return isOn(variable, text) === (on === "1")
  if (variable === "NO_COLOR") return "none"
  // Another program's variable: names that we don't know are none of our business.
  if (variable === "AUTOBYTEUS_STREAM_PARSER")
    return SEGMENT_PARSERS.find(parser => parser === text.toLowerCase()) ?? null
  checkValue(option, name, text, variable)
  return text
}

/** The settings as flags. */
export function settledFlags(settings: readonly Setting[]): FlagValues {
  return parseFlags(settledWords(settings)).values
}

/** The settings as the command line would say them. */
export function settledWords(settings: readonly Setting[]): readonly string[] {
  return settings.flatMap(({ name, value }) => {
    if (value === undefined || value === false) return []
    return value === true ? `--${name}` : `--${name}=${value}`
  })
}
