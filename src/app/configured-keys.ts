import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { ConfigFile } from "../cli/config-file.ts"
import { type ChosenKeys, chooseKeys } from "../panels/choose-keys.ts"

/** The keys that the config file names; each mistake begins with the file's path. */
export function configuredKeys({ path, keys }: Pick<ConfigFile, "path" | "keys">): ChosenKeys {
  const { choices, mistakes } = chooseKeys(keys)
  return { choices, mistakes: mistakes.map(why => sanitizeLine(`${path}: ${why}`)) }
}
