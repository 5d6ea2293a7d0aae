// The form of an agent's configuration, made of the host's React and the host's own fields, so that it brings neither.
import type { ConfigFieldSchema, CreateConfigValues } from "@paperclipai/adapter-utils"
import type * as React from "react"
import { configFields } from "../config-fields.ts"

/** As much of React as is used. */
export type ReactLike = Pick<typeof React, "createElement">

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly children?: React.ReactNode
}

interface DraftProps<Value> {
  readonly value: Value
  readonly onCommit: (value: Value) => void
  readonly immediate?: boolean
  readonly placeholder?: string
}

/** The host's fields (`agent-config-primitives`). Without `DraftTextarea` a long text is one line. */
export interface Primitives {
  readonly Field: React.FunctionComponent<FieldProps>
  readonly DraftInput: React.FunctionComponent<DraftProps<string>>
  readonly DraftNumberInput: React.FunctionComponent<DraftProps<number>>
  readonly DraftTextarea?: React.FunctionComponent<DraftProps<string>>
}

/** What the host gives a form: `values` and `set` while an agent is made, `config`, `eff` and `mark` while one is edited. */
export interface ConfigFieldsProps {
  readonly isCreate: boolean
  readonly values: CreateConfigValues | null
  readonly set: ((patch: Partial<CreateConfigValues>) => void) | null
  readonly config: Record<string, unknown>
  readonly eff: <T>(group: "adapterConfig", key: string, original: T) => T
  readonly mark: (group: "adapterConfig", key: string, value: unknown) => void
}

/** The component for the host's registry: `ConfigFields: createConfigFields(React, primitives)`. */
export function createConfigFields(
  { createElement }: ReactLike,
  primitives: Primitives,
): (props: ConfigFieldsProps) => React.ReactNode {
  const { Field, DraftInput, DraftNumberInput, DraftTextarea = DraftInput } = primitives
  const draw = (field: ConfigFieldSchema, props: ConfigFieldsProps): React.ReactNode => {
    const { key, label, hint = "", type } = field
    const stored = storedValue(key, props)
    const more = {
      onCommit: (value: string | number) => commit(key, value, props),
      immediate: true,
      placeholder: textOf(field.default),
    }
    const input =
      // A number field shows its default where nothing is stored, a text field nothing.
      type === "number"
        ? createElement(DraftNumberInput, { ...more, value: Number(stored ?? field.default ?? 0) })
        : createElement(type === "textarea" ? DraftTextarea : DraftInput, { ...more, value: textOf(stored) })
    return createElement(Field, { key, label, hint }, input)
  }
  return props => configFields.map(field => draw(field, props))
}

/** What was typed into a form, else what is stored; undefined where neither is. */
function storedValue(key: string, props: ConfigFieldsProps): unknown {
  if (props.isCreate) return props.values?.adapterSchemaValues?.[key]
  return props.eff<unknown>("adapterConfig", key, props.config[key])
}

function commit(key: string, value: unknown, { isCreate, values, set, mark }: ConfigFieldsProps): void {
  if (isCreate) set?.({ adapterSchemaValues: { ...values?.adapterSchemaValues, [key]: value } })
  else mark("adapterConfig", key, value === "" ? undefined : value)
}

/** `params` may be stored as an object: its lines are what a person can edit. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "")
  return Object.entries(value)
    .map(([key, one]) => `${key}=${one}`)
    .join("\n")
}
