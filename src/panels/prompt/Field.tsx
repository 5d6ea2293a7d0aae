// The field of a text answer. Every change is stored as a draft.
import type { TextareaRenderable } from "@opentui/core"
import { createEffect, createMemo, type JSX, on, untrack } from "solid-js"
import { sanitize } from "../../protocol/sanitize.ts"
import type { Prompt } from "../../run/model/run.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TextEditor } from "../../ui/TextEditor.tsx"
import { promptDraftOf } from "../../view/state.ts"

export function Field(props: { prompt: Prompt }): JSX.Element {
  const { state, scope } = useScreen()
  let editor: TextareaRenderable | undefined
  const key = untrack(() => props.prompt.key)
  const draft = () => promptDraftOf(state().view, props.prompt)
  const text = () => untrack(() => sanitize(draft().text))
  // Typing changes the field first and the draft after it; only an external editor changes the draft first.
  const edits = createMemo(() => draft().edits)
  const replace = (): void => {
    editor?.replaceText(text())
    editor?.gotoBufferEnd()
  }
  createEffect(on(edits, replace, { defer: true }))
  return (
    <TextEditor
      ref={made => (editor = made)}
      text={text()}
      placeholder="Type an answer"
      isInFront={scope().id === "text"}
      intent={answer => ({ type: "prompt/text", key, text: answer })}
    />
  )
}
