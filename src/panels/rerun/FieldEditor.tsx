import type { TextareaRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { createEffect, type JSX, onCleanup, onMount, untrack } from "solid-js"
import type { SessionId } from "../../run/model/id.ts"
import { fieldKeys } from "../../ui/field-keys.ts"
import { span } from "../../ui/line.ts"
import { pasted } from "../../ui/paste.ts"
import { useScreen } from "../../ui/screen-context.ts"
import type { Intent, RerunField } from "../../view/intent.ts"

/** One field of a re-run in the library's own editor. `text` is what it holds now, typed or picked. */
export function FieldEditor(props: {
  session: SessionId
  field: RerunField
  text: string
  placeholder: string
}): JSX.Element {
  const { ask, theme, setField, scope } = useScreen()
  const isInFront = () => scope().id === "form-line" || scope().id === "form-text"
  let field: TextareaRenderable | undefined
  const { session, field: name, text } = untrack(() => ({ ...props }))
  // The editor keeps at most 1 MiB and its own line ends: what it made of the text by itself is no edit.
  let given = text
  let shown = text
  const told = (typed: string): Intent => {
    const kept = typed === shown ? given : typed
    return { type: "rerun/text", session, field: name, text: kept }
  }
  usePaste(event => {
    event.preventDefault()
    if (isInFront()) field?.insertText(pasted(event.bytes))
  })
  onMount(() => {
    shown = field?.plainText ?? text
    field?.gotoBufferEnd()
  })
  // A model that was picked stands in the field as if it had been typed.
  createEffect(() => {
    const wanted = props.text
    if (field === undefined || wanted === given || wanted === field.plainText) return
    given = wanted
    field.replaceText(wanted)
    shown = field.plainText
    field.gotoBufferEnd()
  })
  onCleanup(() => setField(null))
  return (
    <textarea
      ref={(made: TextareaRenderable) => {
        field = made
        setField({ read: () => made.plainText, intent: told })
      }}
      focused={isInFront()}
      flexGrow={1}
      initialValue={text}
      wrapMode="word"
      textColor={theme().paint(span("", "bright")).fg}
      focusedTextColor={theme().paint(span("", "bright")).fg}
      placeholder={props.placeholder}
      placeholderColor={theme().paint(span("", "dim")).fg}
      onContentChange={() => ask(told(field?.plainText ?? ""))}
      keyBindings={fieldKeys}
    />
  )
}
