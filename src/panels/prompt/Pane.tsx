// Draws the question in front at the lower edge, no larger than it needs, so that the text that led to it is seen.
import type { TextareaRenderable } from "@opentui/core"
import { createEffect, createMemo, type JSX, on, Show, untrack } from "solid-js"
import { sanitize } from "../../../packages/wire/src/sanitize.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { useScreen } from "../../ui/screen-context.ts"
import { TextEditor } from "../../ui/TextEditor.tsx"
import { clamp } from "../../view/cursor-step.ts"
import { promptDraftOf } from "../../view/state.ts"
import { foundOptions } from "./choice.ts"
import { optionLines } from "./choice-options.ts"
import { promptFootnote, promptTitle, questionLines } from "./lines.ts"
import type { PromptPlace } from "./prompt-place.ts"

/** Draws the box of a question. */
export function PromptPane(props: { place: PromptPlace; prompt: Prompt }): JSX.Element {
  const { state, context, ask } = useScreen()
  const draft = () => promptDraftOf(state().view, props.prompt)
  const answer = () => ({ columns: props.place.columns, rows: props.place.answer, render: context() })
  const question = () => questionLines(props.prompt, draft().top, props.place.columns, props.place.question)
  const turn = (rows: number): void => {
    const { type } = props.prompt.frame
    const found = type === "select" || type === "multi" ? foundOptions(props.prompt, draft()) : []
    const index = found[clamp(found.indexOf(draft().cursor) + rows, 0, found.length - 1)]
    ask(index === undefined ? { type: "prompt/scroll", step: rows > 0 ? 1 : -1 } : { type: "prompt/point", index })
  }
  const title = () => promptTitle(state(), props.prompt, props.place.rect.width - 6)
  const listens = () => state().view.questions.ignored === null
  const footnote = () => promptFootnote(state(), props.prompt, props.place.rect.width - 6)
  return (
    <TitledBox
      rect={props.place.rect}
      focused={listens()}
      raised
      asks
      scroll={turn}
      title={title()}
      footnote={footnote()}
    >
      <Canvas lines={question()} rows={props.place.question} />
      <box height={props.place.answer} marginTop={props.place.space} flexShrink={0} flexDirection="column">
        <Show
          when={props.prompt.frame.type === "text"}
          fallback={<Canvas lines={optionLines(props.prompt, draft(), answer())} />}
        >
          <Field prompt={props.prompt} />
        </Show>
      </box>
    </TitledBox>
  )
}

function Field(props: { prompt: Prompt }): JSX.Element {
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
      placeholder={props.prompt.frame.secret ? "Type a secret answer" : "Type an answer"}
      masked={props.prompt.frame.secret}
      isInFront={scope().id === "text"}
      intent={answer => ({ type: "prompt/text", key, text: answer })}
    />
  )
}
