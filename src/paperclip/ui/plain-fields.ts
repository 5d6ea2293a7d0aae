// Implements the form's fields as plain HTML elements, for a page that shares only its React.
import type { Primitives, ReactLike } from "./config-form.ts"

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
