import type { JSX } from "solid-js"
import type { Page } from "../../store/view.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import { inside, type Rect } from "../layout.ts"
import { Pane } from "../Pane.tsx"
import { placeWords } from "../text.ts"
import { pagerOf } from "./lines.ts"

/** An overlay of lines that is read from top to bottom. */
export function PagerPane(props: { rect: Rect; overlay: Page }): JSX.Element {
  const { state, look } = useScreen()
  const size = () => inside(props.rect)
  const page = () => pagerOf(state(), props.overlay, look(), size().columns)
  const title = () => page().title + placeWords(props.overlay.top, size().rows, page().lines.length)
  return (
    <Pane rect={props.rect} focused raised title={title()}>
      <Canvas lines={page().lines.slice(props.overlay.top, props.overlay.top + size().rows)} />
    </Pane>
  )
}
