// The form of an agent's configuration, made of the host's React and the host's own fields, so that it brings neither.
import type { ConfigFieldSchema, CreateConfigValues } from "@paperclipai/adapter-utils"
import { configFields } from "../config-fields.ts"

/** Whatever the host's React takes for a component: each field names its own properties, and we pass what all take. */
export type Component = string | ((props: never) => unknown)

/** As much of React as is used. `Node`: what an element is. */
export interface ReactLike<Node> {
  createElement(type: Component, props: object, ...children: Node[]): Node
}

/** The host's fields (seed section 3.4, `agent-config-primitives`). */
export interface Primitives {
  readonly Field: Component
  readonly DraftInput: Component
  readonly DraftNumberInput: Component
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
export function createConfigFields<Node>(
  react: ReactLike<Node>,
  primitives: Primitives,
): (props: ConfigFieldsProps) => Node[] {
  const draw = (field: ConfigFieldSchema, props: ConfigFieldsProps): Node => {
    const { key, label, hint, type } = field
    const input = react.createElement(type === "number" ? primitives.DraftNumberInput : primitives.DraftInput, {
      value: shownValue(field, props),
      onCommit: (value: unknown) => commit(key, value, props),
      immediate: true,
      placeholder: String(field.default ?? ""),
    })
    return react.createElement(primitives.Field, { key, label, hint }, input)
  }
  return props => configFields.map(field => draw(field, props))
}

/** A number field shows its default where nothing is stored, a text field nothing. */
function shownValue({ key, type, default: initial }: ConfigFieldSchema, props: ConfigFieldsProps): unknown {
  const empty = type === "number" ? (initial ?? 0) : ""
  if (props.isCreate) return props.values?.adapterSchemaValues?.[key] ?? empty
  return props.eff("adapterConfig", key, props.config[key] ?? empty)
}

function commit(key: string, value: unknown, { isCreate, values, set, mark }: ConfigFieldsProps): void {
  if (isCreate) set?.({ adapterSchemaValues: { ...values?.adapterSchemaValues, [key]: value } })
  else mark("adapterConfig", key, value === "" ? undefined : value)
}
