import { type Accessor, type JSX, Show } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { windowTop } from "../../ui/window-top.ts"
import type { SearchResults } from "../../view/search-results.ts"
import { FOOT, searchFoot, searchLines, searchTitle } from "./lines.ts"

/** The list of what a hunt has found so far, in the order in which it was found. */
export function SearchPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const shown = () => {
    const { searchResults: hunt } = state().view
    if (hunt === null) return []
    const { columns, rows } = size()
    const room = Math.max(1, rows - FOOT)
    const top = windowTop(Math.max(0, props.cursor - room + 1), props.cursor, room, hunt.hits.length)
    const lines = searchLines(hunt, props.cursor, context(), columns, top, room)
    const gap = Array.from({ length: room - lines.length }, () => ({ spans: [] }))
    return [...lines, ...gap, ...searchFoot(hunt, props.cursor, context(), columns)]
  }
  return (
    <Show when={state().view.searchResults}>
      {(hunt: Accessor<SearchResults>) => (
        <TitledBox rect={props.rect} focused raised title={searchTitle(hunt(), context())}>
          <Canvas lines={shown()} />
        </TitledBox>
      )}
    </Show>
  )
}
