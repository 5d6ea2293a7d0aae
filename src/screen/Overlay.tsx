import { type Accessor, createMemo, type JSX, Show } from "solid-js"
import { ListPane, MenuPane } from "../panels/common/list/ListPane.tsx"
import { PagePane } from "../panels/common/pager/PagePane.tsx"
import type { DrawnOverlay } from "../panels/common/panel.ts"
import { viewsOf } from "../panels/common/place-title.ts"
import { overlayPanel } from "../panels/index.ts"
import { columnsFor } from "../panels/live/columns.ts"
import { freeLines } from "../panels/live/free-rows.ts"
import { PalettePane } from "../panels/palette/Pane.tsx"
import { palettes, type ShownPalette } from "../panels/palette/palette-entry.ts"
import { RerunPane } from "../panels/rerun/Pane.tsx"
import type { SessionId } from "../run/model/id.ts"
import type { Rect } from "../ui/layout.ts"
import { useScreen } from "../ui/screen-context.ts"
import type { PaneId } from "../view/pane-names.ts"
import { listsIn } from "../view/select/stack.ts"
import type { Overlay, Page } from "../view/view.ts"

/** Draws an overlay by its panel; over the places where it is in none. */
export function OverlayPane(props: { overlay: Overlay; rect: Rect; focused: boolean; pane?: PaneId }): JSX.Element {
  const { state, context } = useScreen()
  const drawn = createMemo(() => overlayPanel(props.overlay).drawn)
  const titleOf = (one: Overlay) => {
    const { drawn } = overlayPanel(one)
    return drawn.type === "list" ? drawn.list.title(state(), context()) : []
  }
  /** A view of the sessions is no list over them. */
  const isView = (one: Overlay) => viewsOf(one.type, state().view) !== undefined
  const isOver = () => props.pane === "live" && !isView(props.overlay)
  const lists = () => listsIn(state().view).filter(one => !isView(one))
  const below = () => (isOver() ? ["SESSIONS", ...lists().slice(0, -1).flatMap(titleOf)] : [])
  const free = (columns: number, rows: number) =>
    isOver() ? freeLines(state(), context(), columnsFor(columns, false), rows) : []
  const paneOf = (one: DrawnOverlay<Overlay>): JSX.Element => {
    switch (one.type) {
      case "list":
        return <ListPane {...props} list={one.list} below={below()} free={free} />
      case "menu":
        return <MenuPane body={props.rect} overlay={props.overlay} menu={one.menu} />
      case "page":
        return (
          <Show when={"top" in props.overlay && props.overlay}>
            {(page: Accessor<Page>) => <PagePane {...props} overlay={page()} drawn={one} />}
          </Show>
        )
      case "palette":
        return (
          <Show when={palettes.of(state().view).shown}>
            {(shown: Accessor<ShownPalette>) => <PalettePane body={props.rect} shown={shown()} />}
          </Show>
        )
      case "rerun":
        return (
          <Show when={props.overlay.type === "rerun" && props.overlay.session}>
            {(session: Accessor<SessionId>) => <RerunPane rect={props.rect} session={session()} />}
          </Show>
        )
    }
  }
  return (
    <Show when={drawn()} keyed>
      {paneOf}
    </Show>
  )
}
