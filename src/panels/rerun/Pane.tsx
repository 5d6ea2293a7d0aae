import { createMemo, type JSX, Show } from "solid-js"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import { type Line, line, span } from "../../ui/line.ts"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import type { RerunField } from "../../view/intent.ts"
import { capturedTurn, rerunFields, rerunText } from "../../view/rerun-draft.ts"
import { rerunDraftAt } from "../common/open-rerun.ts"
import { FieldEditor } from "./FieldEditor.tsx"
import { fieldLines, fieldName, pickLines, rerunStatusLines } from "./lines.ts"

/** The form of a re-run: its fields above, the one that is edited below. */
export function RerunPane(props: { rect: Rect; session: SessionId }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const draft = createMemo(() => rerunDraftAt(state(), props.session))
  const turn = createMemo(() => capturedTurn(state().run, draft())?.turn ?? null)
  const status = () => rerunStatusLines(state(), draft(), size().columns)
  const rows = () => Math.max(1, Math.min(rerunFields(turn()).length, Math.floor(size().rows / 2) - 2))
  const head = (): readonly Line[] => [
    ...status(),
    ...fieldLines(state(), draft(), context(), size().columns, rows()),
    rule(fieldName(state(), draft(), draft().field), size().columns, context().glyphs.plain ? "-" : "─"),
  ]
  const title = () => `RE-RUN  ${sanitizeLine(sessionById(state().run, props.session)?.sessionId ?? "?")}`
  /** What is typed now, null for the turn, which is picked. A new value for each field, so that each has its editor. */
  const typed = createMemo(
    () => (turn() === null || draft().field === "turn" ? null : { field: draft().field }),
    null,
    {
      equals: (a, b) => a?.field === b?.field,
    },
  )
  const text = (field: RerunField): string => {
    const captured = turn()
    return captured === null ? "" : rerunText(captured, draft(), field)
  }
  const picked = () => draft().field === "turn" || draft().field === "model"
  const room = () => Math.max(0, size().rows - head().length - (typed() === null ? 0 : 1))
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <box height={head().length} flexShrink={0} flexDirection="column">
        <Canvas lines={head()} />
      </box>
      <Show when={typed()} keyed>
        {(one: { field: RerunField }) => (
          <box flexGrow={picked() ? 0 : 1} height={picked() || one.field === "temperature" ? 1 : "auto"} flexShrink={0}>
            <FieldEditor session={props.session} field={one.field} text={text(one.field)} />
          </box>
        )}
      </Show>
      <Show when={picked()}>
        <box height={room()} flexShrink={0} flexDirection="column">
          <Canvas lines={pickLines(state(), draft(), context(), size().columns, room())} />
        </box>
      </Show>
    </TitledBox>
  )
}

function rule(name: string, columns: number, stroke: string): Line {
  return line(span(`${stroke}${stroke} ${name} `.padEnd(columns, stroke), "dim"))
}
