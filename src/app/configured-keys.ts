// Reads the keys of actions in the config file.
import type { ConfigFile } from "../cli/config-file.ts"
import { type ChosenKeys, chooseKeys } from "../panels/choose-keys.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"

/** The keys that the config file names; each mistake begins with the file's path. */
export function configuredKeys({ path, keys }: Pick<ConfigFile, "path" | "keys">): ChosenKeys {
  const { choices, mistakes } = chooseKeys(keys)
  return { choices, mistakes: mistakes.map(why => sanitizeLine(`${path}: ${why}`)) }
}
