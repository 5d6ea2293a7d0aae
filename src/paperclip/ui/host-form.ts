// Draws the configuration form with the React that the host's page shares.
import type { ReactNode } from "react"
import { isObject } from "../../protocol/json.ts"
import { type ConfigFieldsProps, createConfigFields, type Primitives, type ReactLike } from "./config-form.ts"

type Form = (props: ConfigFieldsProps) => ReactNode

/** The global through which Paperclip's page shares React with plugins. */
const BRIDGE = "__paperclipPluginBridge__"

const forms = new WeakMap<ReactLike, Form>()

/**
 * The configuration form with plain elements. On a page that shares no React, it shows what to do instead. If you can
 * import the host's field components, use `createConfigFields`.
 */
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
