// Prints every option and key with its value, and where that comes from.
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { alignedRows } from "../cli/aligned-rows.ts"
import { standardOutput } from "../cli/command-output.ts"
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
export async function configCommand({ settings, config, asJson }: ConfigOptions): Promise<number> {
  const { choices, mistakes } = configuredKeys(config)
  const keys = chooseable(keymapOf(choices).bindings).map(({ id, keys }) => ({
    name: actionName(id),
    keys: keys.map(strokeText),
    from: choices.has(id) ? "file" : "default",
  }))
  const rows = [
    ["config.toml", config.path ?? "none", config.isThere ? "read" : "missing"] as const,
    ...settings.map(one => [one.name, String(shownValue(one)), originOf(one)] as const),
    ...keys.map(({ name, keys, from }) => [`keys.${name}`, keys.join(" "), from] as const),
  ]
  const wrong = [...config.mistakes, ...mistakes]
  const known = {
    file: config.path,
    isThere: config.isThere,
    options: Object.fromEntries(settings.map(one => [one.name, { ...one, name: undefined, value: shownValue(one) }])),
    keys: Object.fromEntries(keys.map(({ name, keys, from }) => [name, { keys, from }])),
    mistakes: wrong,
  }
  await standardOutput().write(
    sanitize(asJson ? `${JSON.stringify(known, null, 2)}\n` : `${alignedRows(rows, [Infinity]).join("\n")}\n`),
  )
  printError(sanitize(wrong.map(why => `opentui-sidecar: ${why}\n`).join("")))
  return wrong.length === 0 ? 0 : 2
}

function shownValue({ name, value }: Setting): string | boolean {
  const table: OptionTable = SETTINGS
  return value ?? (table[name]?.type === "boolean" ? false : (table[name]?.unset ?? "none"))
}

function originOf({ name, from, variable }: Setting): string {
  if (from === "flag") return `flag --${name}`
  return variable === undefined ? from : `variable ${variable}`
}
