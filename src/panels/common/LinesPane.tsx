import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { edgeWords } from "../../ui/text-width.ts"
import type { PaneId } from "../../view/pane-names.ts"
import type { LinesPanel, Place } from "./panel.ts"
import { viewsOf } from "./place-title.ts"
import { usePlace } from "./use-place.ts"

/** Draws the lines of a panel that fit. */
export function LinesPane(props: { rect: Rect; focused: boolean; panel: LinesPanel; pane?: PaneId }): JSX.Element {
  const { state, scrolled, scroll } = useScreen()
  const inner = usePlace(() => props.rect)
  const place = (): Place => {
    const top = scrolled()[props.panel.scope]
    return { ...inner(), ...(top !== undefined && { top }) }
  }
  const seen = createMemo(() => props.panel.seen?.(state(), place()))
  const foot = () => {
    const rows = seen()
    return rows === undefined ? undefined : edgeWords(rows)
  }
  const turn = (rows: number): void => scroll(props.panel.scope, (seen()?.top ?? 0) + rows)
  const lines = createMemo(() => props.panel.lines(state(), place()))
  return (
    <TitledBox
      rect={props.rect}
      focused={props.focused}
      title={[props.panel.name, props.panel.title(state(), place())].filter(words => words !== "").join("  ")}
      views={viewsOf(props.panel.scope, state().view)}
      footnote={foot()}
      scroll={seen()?.cursor === undefined ? undefined : turn}
      {...(props.pane === undefined ? { raised: true } : { pane: props.pane })}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}
