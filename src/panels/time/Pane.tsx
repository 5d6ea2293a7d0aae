// Draws the last row: the footer, or the line that is typed to go somewhere or to search the whole run.
import { type Accessor, type JSX, Show } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { type Line, lineWidth } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { pageOf } from "../common/pager/update.ts"

/** Draws the bar of a replay's time. */
export function GoTo(props: { rect: Rect; footer: Accessor<Line> }): JSX.Element {
  const { state } = useScreen()
  const typed = () => {
    const { typing } = state().view
    // A pager has the line below its text.
    const isFound = typing?.to === "find" && pageOf(state()) === null
    return typing?.to === "run-search" || typing?.to === "sessions" || isFound
  }
  /** Columns for the keys that end the line, at its right; 0 where they would take half of it. */
  const hints = () => {
    const wanted = lineWidth(props.footer().spans) + 1
    return 2 * wanted < props.rect.width ? wanted : 0
  }
  const columns = () => props.rect.width - 1 - hints()
  return (
    <Show when={props.rect.height > 0}>
      <box
        position="absolute"
        left={props.rect.x + (typed() ? 1 : 0)}
        top={props.rect.y}
        width={props.rect.width - (typed() ? 1 : 0)}
        height={props.rect.height}
      >
        <Show when={typed()} fallback={<Canvas lines={[props.footer()]} />}>
          <TypedLine columns={columns()} rows={1} />
          <Show when={hints() > 0}>
            <box position="absolute" left={columns()} top={0} width={hints()} height={1}>
              <Canvas lines={[props.footer()]} />
            </box>
          </Show>
        </Show>
      </box>
    </Show>
  )
}
