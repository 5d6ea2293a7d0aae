// The fields of a form as bare elements, for a page that shares its React and no fields of its own.
import type { Primitives, ReactLike } from "./config-form.ts"

/** What an element tells of a change. */
interface Change {
  readonly target: { readonly value: string }
}

/** Components in the shape of the host's own. A value is committed as it is typed. */
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
      createElement(element, { value, placeholder, onChange: ({ target }: Change) => onCommit(target.value) })
  const number: Primitives["DraftNumberInput"] = ({ value, onCommit, placeholder }) => {
    const onChange = ({ target }: Change) => onCommit(Number(target.value) || 0)
    return createElement("input", { type: "number", min: 0, value, placeholder, onChange })
  }
  return { Field: field, DraftInput: text("input"), DraftTextarea: text("textarea"), DraftNumberInput: number }
}
