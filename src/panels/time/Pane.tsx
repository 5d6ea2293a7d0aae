// Draws the last row: the footer, or the line that is typed to go somewhere or to search the whole run.
import { type Accessor, type JSX, Show } from "solid-js"
import { boxAt, Canvas } from "../../ui/Canvas.tsx"
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
  const field = (): Rect => ({ ...props.rect, x: props.rect.x + 1, width: props.rect.width - 1 - hints() })
  const footer = (): Rect => {
    const { x, width } = field()
    return typed() ? { ...props.rect, x: x + width, width: hints() } : props.rect
  }
  return (
    <Show when={props.rect.height > 0}>
      <Show when={typed()}>
        <box {...boxAt(field())}>
          <TypedLine columns={field().width} rows={1} />
        </box>
      </Show>
      <Show when={footer().width > 0}>
        <box {...boxAt(footer())}>
          <Canvas lines={[props.footer()]} />
        </box>
      </Show>
    </Show>
  )
}
