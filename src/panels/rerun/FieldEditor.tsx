// One field of a re-run.
import type { TextareaRenderable } from "@opentui/core"
import { createEffect, type JSX, onMount, untrack } from "solid-js"
import type { SessionId } from "../../run/model/id.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TextEditor } from "../../ui/TextEditor.tsx"
import type { Intent, RerunField } from "../../view/intent.ts"

/** `text` is what the field holds now, typed or picked. */
export function FieldEditor(props: { session: SessionId; field: RerunField; text: string }): JSX.Element {
  const { scope } = useScreen()
  let editor: TextareaRenderable | undefined
  const { session, field, text } = untrack(() => ({ ...props }))
  // The editor holds at most 1 MiB and its own line ends: what it makes of the text by itself is no edit.
  let given = text
  let shown = text
  const intent = (typed: string): Intent => {
    return { type: "rerun/text", session, field, text: typed === shown ? given : typed }
  }
  onMount(() => {
    shown = editor?.plainText ?? text
  })
  // A model that was picked stands in the field as if it had been typed.
  createEffect(() => {
    const wanted = props.text
    if (editor === undefined || wanted === given || wanted === editor.plainText) return
    given = wanted
    editor.replaceText(wanted)
    shown = editor.plainText
    editor.gotoBufferEnd()
  })
  return (
    <TextEditor
      ref={made => (editor = made)}
      text={text}
      placeholder={placeholderOf(field)}
      isInFront={scope().id === "form-line" || scope().id === "form-text"}
      intent={intent}
    />
  )
}

function placeholderOf(field: RerunField): string {
  if (field === "model") return "An alias, a model, or a provider and model"
  return field === "temperature" ? "A number, or empty for no change" : "Empty"
}
