import type { TextareaRenderable } from "@opentui/core"
import { usePaste } from "@opentui/solid"
import { createEffect, createMemo, type JSX, on, onCleanup, onMount, untrack } from "solid-js"
import { sanitize } from "../../protocol/sanitize.ts"
import type { Prompt } from "../../run/model/run.ts"
import { fieldKeys } from "../../ui/field-keys.ts"
import { span } from "../../ui/line.ts"
import { pasted } from "../../ui/paste.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { promptDraftOf } from "../../view/state.ts"

/** A text answer, in the library's own editor. What is typed is kept as a draft with every change. */
export function Field(props: { prompt: Prompt }): JSX.Element {
  const { state, ask, theme, setField, scope } = useScreen()
  let field: TextareaRenderable | undefined
  const key = untrack(() => props.prompt.key)
  // A draft may begin with the prompt's default, which is raw; the editor would hand its bytes to the terminal.
  const text = sanitize(untrack(() => promptDraftOf(state().view, props.prompt).text))
  // A paste holds whatever the clipboard held; the editor itself lets some control characters through.
  usePaste(event => {
    event.preventDefault()
    // What lies in front of the field has the keys, and a paste is keys.
    if (scope().id !== "text") return
    field?.insertText(pasted(event.bytes))
  })
  // Whatever is typed changes the field first and the draft after it; only an editor changes the draft first.
  const edits = createMemo(() => promptDraftOf(state().view, props.prompt).edits)
  createEffect(
    on(
      edits,
      () => {
        field?.replaceText(sanitize(untrack(() => promptDraftOf(state().view, props.prompt).text)))
        field?.gotoBufferEnd()
      },
      { defer: true },
    ),
  )
  // What stands there already is begun, not finished: typing goes on behind it.
  onMount(() => field?.gotoBufferEnd())
  onCleanup(() => setField(null))
  return (
    <textarea
      ref={(made: TextareaRenderable) => {
        field = made
        setField({ read: () => made.plainText, intent: text => ({ type: "prompt/text", key, text }) })
      }}
      focused={scope().id === "text"}
      flexGrow={1}
      initialValue={text}
      wrapMode="word"
      textColor={theme().paint(span("", "bright")).fg}
      focusedTextColor={theme().paint(span("", "bright")).fg}
      placeholder="Type an answer"
      placeholderColor={theme().paint(span("", "dim")).fg}
      onContentChange={() => ask({ type: "prompt/text", key, text: field?.plainText ?? "" })}
      keyBindings={fieldKeys}
    />
  )
}
