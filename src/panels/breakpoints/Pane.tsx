import { type JSX, Show } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { LineField } from "../../ui/LineField.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { mistakeLines } from "../../ui/typed-error.ts"
import { windowTop } from "../../ui/window-top.ts"
import { breakpointLines, legendLines } from "./lines.ts"

/** The list of breakpoints, and the field in which one is typed below it. */
export function BreakpointPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const all = () => state().view.breakpoints
  const columns = () => inside(props.rect).columns
  const below = () =>
    all().typed === null
      ? legendLines(columns())
      : mistakeLines(all().typed?.text ?? "", all().typed?.error ?? null, columns())
  const rows = () => Math.max(1, inside(props.rect).rows - below().length - (all().typed === null ? 0 : 2))
  const shown = () => {
    const lines = breakpointLines(all(), props.cursor, context(), columns())
    const top = windowTop(Math.max(0, props.cursor - rows() + 1), props.cursor, rows(), lines.length)
    return lines.slice(top, top + rows())
  }
  const title = () => {
    const { list } = all()
    return list.length === 0 ? "BREAKPOINTS" : `BREAKPOINTS  ${list.filter(one => one.on).length} of ${list.length} on`
  }
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <box height={Math.min(shown().length, rows())} flexShrink={0} flexDirection="column">
        <Canvas lines={shown()} />
      </box>
      <Show when={all().typed !== null}>
        <box height={1} marginTop={1} flexShrink={0} flexDirection="row">
          <LineField
            scope="condition"
            text={all().typed?.text ?? ""}
            placeholder="invokeid=judge* turn>=3"
            intent={text => ({ type: "breakpoints/text", text })}
          />
        </box>
      </Show>
      <box height={below().length} flexShrink={0} flexDirection="column">
        <Canvas lines={below()} />
      </box>
    </TitledBox>
  )
}
