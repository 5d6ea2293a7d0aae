// Builds the configuration form from React and field components that are passed in or found on the page.
import type { ConfigFieldSchema, CreateConfigValues } from "@paperclipai/adapter-utils"
import { buildAdapterEnvConfig } from "@paperclipai/adapter-utils/env-bindings"
import type * as React from "react"
import type { ReactNode } from "react"
import { isObject } from "../../../wire/src/json.ts"
import { configFields } from "../capabilities.ts"

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

/** The host's field components (`agent-config-primitives`). Without `DraftTextarea`, long texts get one line. */
export interface Primitives {
  readonly Field: React.FunctionComponent<FieldProps>
  readonly DraftInput: React.FunctionComponent<DraftProps<string>>
  readonly DraftNumberInput: React.FunctionComponent<DraftProps<number>>
  readonly DraftTextarea?: React.FunctionComponent<DraftProps<string>>
}

/** The host's form props: `values` and `set` when creating an agent; `config`, `eff` and `mark` when editing one. */
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
      type === "select"
        ? select(field, textOf(stored), props)
        : // If nothing is stored, a number field shows its default and a text field is empty.
          type === "number"
          ? createElement(DraftNumberInput, { ...more, value: numberOf(stored) ?? numberOf(field.default) ?? 0 })
          : createElement(type === "textarea" ? DraftTextarea : DraftInput, { ...more, value: textOf(stored) })
    return createElement(Field, { key, label, hint }, input)
  }
  // The host has no select among its field components.
  const select = (
    { key, options = [] }: ConfigFieldSchema,
    value: string,
    props: ConfigFieldsProps,
  ): React.ReactNode => {
    const onChange = ({ target }: ChangeEvent) => commit(key, target.value, props)
    const choices = options.map(({ value, label }) => createElement("option", { key: value, value }, label))
    return createElement("select", { value, onChange }, ...choices)
  }
  return props => configFields.map(field => draw(field, props))
}

/** The typed value, else the stored one; undefined if there is neither. */
function storedValue(key: string, props: ConfigFieldsProps): unknown {
  if (props.isCreate) return props.values?.adapterSchemaValues?.[key]
  return props.eff<unknown>("adapterConfig", key, props.config[key])
}

function commit(key: string, value: unknown, { isCreate, values, set, mark }: ConfigFieldsProps): void {
  if (isCreate) set?.({ adapterSchemaValues: { ...values?.adapterSchemaValues, [key]: value } })
  else mark("adapterConfig", key, value === "" ? undefined : value)
}

/** As a run reads it: a number of another type counts as missing. */
function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null
}

/** Shows `params` stored as an object as editable lines. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value ?? "")
  return Object.entries(value)
    .map(([key, one]) => `${key}=${one}`)
    .join("\n")
}

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

type Form = (props: ConfigFieldsProps) => ReactNode

/** The global through which Paperclip's page shares React with plugins. */
const BRIDGE = "__paperclipPluginBridge__"

const forms = new WeakMap<ReactLike, Form>()

/** The form with plain elements, for a host that shares React. See `createConfigFields` for its own elements. */
export function EscapementConfigFields(props: ConfigFieldsProps): ReactNode {
  const react = sharedReact()
  if (react === null) return "This form needs React: ConfigFields: createConfigFields(React, primitives)."
  // One form per React: new components on every render would lose the text being typed.
  const form = forms.get(react) ?? createConfigFields(react, plainFields(react))
  forms.set(react, form)
  return form(props)
}

function sharedReact(): ReactLike | null {
  const bridge: unknown = Reflect.get(globalThis, BRIDGE)
  const react: unknown = isObject(bridge) ? bridge.react : null
  return isReact(react) ? react : null
}

function isReact(value: unknown): value is ReactLike {
  return isObject(value) && typeof Reflect.get(value, "createElement") === "function"
}

interface ChangeEvent {
  readonly target: { readonly value: string }
}

/** Components with the host's interface. Values are committed as they are typed. */
export function plainFields({ createElement }: ReactLike): Required<Primitives> {
  const field: Primitives["Field"] = ({ label, hint, children }) =>
    createElement(
      "label",
      { style: { display: "block" } },
      createElement("div", null, label),
      children,
      createElement("small", { style: { display: "block" } }, hint),
    )
  const text =
    (element: "input" | "textarea"): Primitives["DraftInput"] =>
    ({ value, onCommit, placeholder }) =>
      createElement(element, { value, placeholder, onChange: ({ target }: ChangeEvent) => onCommit(target.value) })
  const number: Primitives["DraftNumberInput"] = ({ value, onCommit, placeholder }) => {
    const onChange = ({ target }: ChangeEvent) => onCommit(Number(target.value) || 0)
    return createElement("input", { type: "number", min: 0, value, placeholder, onChange })
  }
  return { Field: field, DraftInput: text("input"), DraftTextarea: text("textarea"), DraftNumberInput: number }
}
