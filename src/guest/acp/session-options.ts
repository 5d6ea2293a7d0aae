// Reads an agent's choices over the Agent Client Protocol: its configuration options, or the older lists
// of modes and models.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import type { GuestOption } from "../common/asking.ts"
import { listOf, objectOf, textOf } from "../common/fields.ts"
import type { EarlierSession } from "../common/talk.ts"

export interface SessionOption {
  readonly kind: "model" | "mode" | "option"
  readonly id: string
  readonly name: string
  readonly current: string
  readonly choices: readonly GuestOption[]
  /** The request that sets it, and its parameters beside the session's id. */
  readonly method: string
  readonly params: (value: string) => JsonObject
}

/** The sessions in a reply to `session/list`. */
export function earlierSessions({ sessions }: JsonObject): readonly EarlierSession[] {
  const told = listOf(sessions).map(objectOf)
  return told.map(({ sessionId, title, cwd, updatedAt }) => ({
    id: textOf(sessionId),
    title: textOf(title),
    directory: textOf(cwd),
    changed: textOf(updatedAt),
  }))
}

/** The options in a reply or an update. A mode or model among the configuration options wins. */
export function optionsOf({ configOptions, modes, models }: JsonObject): readonly SessionOption[] {
  const options = listOf(configOptions).map(objectOf).flatMap(configOption)
  const { availableModes, currentModeId } = objectOf(modes)
  const { availableModels, currentModelId } = objectOf(models)
  const older = [
    olderOption("mode", "Mode", currentModeId, choicesOf(availableModes, "id")),
    olderOption("model", "Model", currentModelId, choicesOf(availableModels, "modelId")),
  ]
  const isNew = (one: SessionOption) => one.choices.length > 0 && !options.some(({ kind }) => kind === one.kind)
  return [...options, ...older.filter(isNew)]
}

function olderOption(
  kind: "mode" | "model",
  name: string,
  current: Json | undefined,
  choices: readonly GuestOption[],
): SessionOption {
  const params = (value: string): JsonObject => ({ [`${kind}Id`]: value })
  return { kind, id: kind, name, current: textOf(current), method: `session/set_${kind}`, choices, params }
}

function configOption({ id, name, category, type, currentValue, options }: JsonObject): readonly SessionOption[] {
  const isFlag = type === "boolean"
  const flags = ["true", "false"].map(value => ({ label: value === "true" ? "on" : "off", value }))
  const choices = isFlag ? flags : choicesOf(options, "value")
  if (choices.length === 0) return []
  const value = (chosen: string): Json => (isFlag ? chosen === "true" : chosen)
  return [
    {
      kind: category === "model" || category === "mode" ? category : "option",
      id: textOf(id),
      name: textOf(name) || textOf(id),
      current: String(currentValue ?? ""),
      choices,
      method: "session/set_config_option",
      params: chosen => ({ configId: textOf(id), ...(isFlag && { type: "boolean" }), value: value(chosen) }),
    },
  ]
}

/** The choices of a list, of which some may be groups. */
function choicesOf(list: Json | undefined, key: string): readonly GuestOption[] {
  return listOf(list)
    .map(objectOf)
    .flatMap(one => (one.options === undefined ? choiceOf(one, key) : choicesOf(one.options, key)))
}

function choiceOf(one: JsonObject, key: string): readonly GuestOption[] {
  const value = textOf(one[key])
  const label = [textOf(one.name) || value, textOf(one.description)].filter(Boolean).join(" – ")
  return value === "" ? [] : [{ label, value }]
}
