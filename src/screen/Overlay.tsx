// Draws an overlay, in its place or over all of them, with the component that its panel names.
import { type Accessor, type JSX, Match, Switch } from "solid-js"
import { LinesPane } from "../panels/common/LinesPane.tsx"
import { ListPane, MenuPane } from "../panels/common/list/ListPane.tsx"
import { PagePane } from "../panels/common/pager/PagePane.tsx"
import type { LinesPanel, List, Menu, PageSource } from "../panels/common/panel.ts"
import { overlayPanel } from "../panels/index.ts"
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
  const place = () => ({
    rect: props.rect,
    focused: props.focused,
    ...(props.pane !== undefined && { pane: props.pane }),
  })
  const drawn = () => overlayPanel(props.overlay).drawn
  const list = () => {
    const one = drawn()
    return one.type === "list" ? one.list : null
  }
  const below = () => {
    const lists = props.pane === "live" ? listsIn(state().view) : []
    const titles = lists.slice(0, -1).flatMap(one => {
      const { drawn } = overlayPanel(one)
      return drawn.type === "list" ? drawn.list.title(state(), context()) : []
    })
    return props.pane === "live" ? ["SESSIONS", ...titles] : []
  }
  const menu = () => {
    const one = drawn()
    return one.type === "menu" ? one.menu : null
  }
  const page = () => {
    const { overlay } = props
    const one = drawn()
    return one.type === "page" && "top" in overlay ? { overlay, source: one.page } : null
  }
  const lines = () => {
    const one = drawn()
    return one.type === "lines" ? one.panel : null
  }
  const palette = () => (props.overlay.type === "palette" ? palettes.of(state().view).shown : null)
  const rerun = () => (props.overlay.type === "rerun" ? props.overlay.session : null)
  return (
    <Switch>
      <Match when={lines()}>{(one: Accessor<LinesPanel>) => <LinesPane {...place()} panel={one()} />}</Match>
      <Match when={list()}>
        {(one: Accessor<List<Overlay>>) => (
          <ListPane {...place()} overlay={props.overlay} list={one()} below={below()} />
        )}
      </Match>
      <Match when={menu()}>
        {(one: Accessor<Menu<Overlay>>) => <MenuPane body={props.rect} overlay={props.overlay} menu={one()} />}
      </Match>
      <Match when={page()}>
        {(one: Accessor<{ overlay: Page; source: PageSource<Page> }>) => (
          <PagePane {...place()} overlay={one().overlay} page={one().source} />
        )}
      </Match>
      <Match when={palette()}>{(one: Accessor<ShownPalette>) => <PalettePane body={props.rect} shown={one()} />}</Match>
      <Match when={rerun()}>
        {(session: Accessor<SessionId>) => <RerunPane rect={props.rect} session={session()} />}
      </Match>
    </Switch>
  )
}
