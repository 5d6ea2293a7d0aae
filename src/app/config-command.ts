// Prints every option and key with its value, and where that comes from.
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { alignedRows, standardOutput } from "../cli/command-output.ts"
import type { OptionTable } from "../cli/option.ts"
import type { Setting } from "../cli/option-settings.ts"
import { SETTINGS } from "../cli/option-table.ts"
import type { ConfigOptions } from "../cli/options.ts"
import { strokeText } from "../keys/key-text.ts"
import { actionName, chooseable } from "../panels/choose-keys.ts"
import { keymapOf } from "../panels/index.ts"
import { printError } from "../ui/standard-streams.ts"
import { configuredKeys } from "./configured-keys.ts"

/** Runs `config`. Returns the exit code: 2 if something is wrong with the file, which is then said on stderr. */
export async function configCommand({ settings, config }: ConfigOptions): Promise<number> {
  const { choices, mistakes } = configuredKeys(config)
  const keys = chooseable(keymapOf(choices).bindings).map(({ id, keys }) => ({
    name: actionName(id),
    keys: keys.map(strokeText),
    from: choices.has(id) ? "file" : "default",
  }))
  const rows = [
    ["config.toml", config.path ?? "none", config.isThere ? "read" : "missing"] as const,
    ...settings.map(one => [one.name, shownValue(one), originOf(one)] as const),
    ...keys.map(({ name, keys, from }) => [`keys.${name}`, keys.join(" "), from] as const),
  ]
  const wrong = [...config.mistakes, ...mistakes]
  await standardOutput().write(sanitize(`${alignedRows(rows, [Infinity]).join("\n")}\n`))
  printError(sanitize(wrong.map(why => `opentui-sidecar: ${why}\n`).join("")))
  return wrong.length === 0 ? 0 : 2
}

function shownValue({ name, value }: Setting): string {
  const table: OptionTable = SETTINGS
  return String(value ?? (table[name]?.type === "boolean" ? false : (table[name]?.unset ?? "none")))
}

function originOf({ name, from, variable }: Setting): string {
  if (from === "flag") return `flag --${name}`
  return variable === undefined ? from : `variable ${variable}`
}
