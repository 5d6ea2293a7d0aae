// Turns the values of the new-agent form into the stored configuration.
import type { CreateConfigValues } from "@paperclipai/adapter-utils"
import { buildAdapterEnvConfig } from "@paperclipai/adapter-utils/env-bindings"
import { configFields } from "../config-fields.ts"

/** Includes only filled-in fields, ours among them. Defaults: no time limit, a grace period of 15 s. */
export function buildConfig(values: CreateConfigValues): Record<string, unknown> {
  const { cwd, command, model, promptTemplate, instructionsFilePath, extraArgs, timeoutSec } = values
  const named = { cwd, command, model, promptTemplate, instructionsFilePath, extraArgs }
  const schema = values.adapterSchemaValues ?? {}
  const own = configFields.map(({ key }) => [key, schema[key]] as const)
  const env = buildAdapterEnvConfig(values.envBindings ?? {}, values.envVars ?? "")
  return {
    timeoutSec: timeoutSec ?? 0,
    graceSec: 15,
    ...Object.fromEntries(filled([...Object.entries(named), ...own])),
    ...(Object.keys(env).length > 0 ? { env } : {}),
  }
}

function filled(entries: readonly (readonly [string, unknown])[]): (readonly [string, unknown])[] {
  return entries.filter(([, value]) => value !== undefined && value !== null && value !== "")
}
