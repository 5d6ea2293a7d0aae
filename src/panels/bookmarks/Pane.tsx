import type { JSX } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { count } from "../../ui/text-width.ts"
import { windowTop } from "../../ui/window-top.ts"
import { bookmarkLines } from "./lines.ts"

/** The list of bookmarks, in the order of the log. */
export function BookmarkPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const shown = () => {
    const { length } = state().view.bookmarks
    const top = windowTop(Math.max(0, props.cursor - size().rows + 1), props.cursor, size().rows, length)
    return bookmarkLines(state(), props.cursor, context(), size().columns, top, size().rows)
  }
  const title = () => `BOOKMARKS  ${count(state().view.bookmarks.length)}`
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <Canvas lines={shown()} />
    </TitledBox>
  )
}
