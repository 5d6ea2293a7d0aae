// The form as a component by itself: it is drawn with the React that the host's page shares, so that we import none.
import type { ReactNode } from "react"
import { isObject } from "../../protocol/json.ts"
import { type ConfigFieldsProps, createConfigFields, type ReactLike } from "./config-form.ts"
import { plainFields } from "./plain-fields.ts"

type Form = (props: ConfigFieldsProps) => ReactNode

/** Where Paperclip's page keeps what it shares with code that is not its own. */
const BRIDGE = "__paperclipPluginBridge__"

const forms = new WeakMap<ReactLike, Form>()

/**
 * The fields of an agent's configuration, as bare elements. A page that shares no React sees in words
 * what to do instead. Where the host's own fields can be imported, `createConfigFields` makes the form of those.
 */
export function EscapementConfigFields(props: ConfigFieldsProps): ReactNode {
  const react = sharedReact()
  if (react === null) return "This form needs React: ConfigFields: createConfigFields(React, primitives)."
  // One form for each React: components that are made anew with every drawing would lose what is being typed.
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
  return (
    typeof value === "object" && value !== null && "createElement" in value && typeof value.createElement === "function"
  )
}
