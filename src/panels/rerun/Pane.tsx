import type { TextareaRenderable } from "@opentui/core"
import { createEffect, createMemo, type JSX, onMount, Show, untrack } from "solid-js"
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TextEditor } from "../../ui/TextEditor.tsx"
import type { Intent, RerunField } from "../../view/intent.ts"
import { usePlace } from "../common/use-place.ts"
import { formLines, pickLines } from "./lines.ts"
import { capturedTurn, formAt, rerunText } from "./rerun-draft.ts"

/** Draws the form to run a session again from one of its turns. */
export function RerunPane(props: { rect: Rect; session: SessionId }): JSX.Element {
  const { state } = useScreen()
  const place = usePlace(() => props.rect)
  const draft = createMemo(() => formAt(state(), props.session))
  const turn = createMemo(() => capturedTurn(state().run, draft())?.turn ?? null)
  const head = () => formLines(state(), draft(), place())
  const title = () => `RE-RUN  ${sessionName(state().run, sessionIndex(state().run, props.session) ?? -1) ?? "?"}`
  const field = createMemo(() => (turn() === null ? "turn" : draft().field))
  /** A record for each field, so that each has its own editor; null for the turn, which is picked and not typed. */
  const typed = createMemo(() => (field() === "turn" ? null : { field: field() }))
  const text = (of: RerunField) => {
    const captured = turn()
    return captured === null ? "" : rerunText(captured, draft(), of)
  }
  const picked = () => draft().field === "turn" || draft().field === "model"
  const room = () => Math.max(0, place().rows - head().length - (typed() === null ? 0 : 1))
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <Canvas lines={head()} rows={head().length} />
      <Show when={typed()} keyed>
        {(one: { field: RerunField }) => (
          <box flexGrow={picked() ? 0 : 1} height={picked() || one.field === "temperature" ? 1 : "auto"} flexShrink={0}>
            <FieldEditor session={props.session} field={one.field} text={text(one.field)} />
          </box>
        )}
      </Show>
      <Show when={picked()}>
        <Canvas lines={pickLines(state(), draft(), { ...place(), rows: room() })} rows={room()} />
      </Show>
    </TitledBox>
  )
}

/** One field. `text` is what it holds now, typed or picked. */
function FieldEditor(props: { session: SessionId; field: RerunField; text: string }): JSX.Element {
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
