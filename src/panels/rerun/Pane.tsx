// Draws the form of a re-run: its fields above, the one that is edited below.
import { createMemo, type JSX, Show } from "solid-js"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import type { RerunField } from "../../view/intent.ts"
import { capturedTurn, rerunText } from "../../view/rerun-draft.ts"
import { rerunDraftAt } from "../common/open-rerun.ts"
import { usePlace } from "../common/use-place.ts"
import { FieldEditor } from "./FieldEditor.tsx"
import { formLines, pickLines } from "./lines.ts"

export function RerunPane(props: { rect: Rect; session: SessionId }): JSX.Element {
  const { state } = useScreen()
  const place = usePlace(() => props.rect)
  const draft = createMemo(() => rerunDraftAt(state(), props.session))
  const turn = createMemo(() => capturedTurn(state().run, draft())?.turn ?? null)
  const head = () => formLines(state(), draft(), place())
  const title = () => `RE-RUN  ${sanitizeLine(sessionById(state().run, props.session)?.sessionId ?? "?")}`
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
