// Draws the question in front at the lower edge, no larger than it needs, so that the text that led to it is seen.
import { type JSX, Show } from "solid-js"
import type { Prompt } from "../../run/model/run.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { promptDraftOf } from "../../view/state.ts"
import { optionLines } from "./choice-options.ts"
import { Field } from "./Field.tsx"
import { promptTitle, questionLines } from "./lines.ts"
import type { PromptPlace } from "./prompt-place.ts"

export function PromptPane(props: { place: PromptPlace; prompt: Prompt }): JSX.Element {
  const { state, context } = useScreen()
  const draft = () => promptDraftOf(state().view, props.prompt)
  const answer = () => ({ columns: props.place.columns, rows: props.place.answer, render: context() })
  const question = () => questionLines(props.prompt, draft().top, props.place.columns, props.place.question)
  const title = () => promptTitle(state(), props.prompt, props.place.rect.width - 6)
  return (
    <TitledBox rect={props.place.rect} focused raised asks title={title()}>
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
