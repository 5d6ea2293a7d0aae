import { Dynamic } from "@opentui/solid"
import { type Accessor, type JSX, Match, Switch } from "solid-js"
import { AlertsPane } from "../panels/alerts/Pane.tsx"
import { BookmarkPane } from "../panels/bookmarks/Pane.tsx"
import { BranchPane } from "../panels/branches/Pane.tsx"
import { BreakpointPane } from "../panels/breakpoints/Pane.tsx"
import { FilterPane } from "../panels/filters/Pane.tsx"
import { InspectorPane } from "../panels/inspector/Pane.tsx"
import { isMenu, type Menu, MenuPane } from "../panels/menu/Pane.tsx"
import { PagerPane } from "../panels/pager/Pane.tsx"
import { RerunPane } from "../panels/rerun/Pane.tsx"
import { SearchPane } from "../panels/search/Pane.tsx"
import { TextPane } from "../panels/session-text/Pane.tsx"
import { WatchPane } from "../panels/watches/Pane.tsx"
import type { SessionOutline } from "../transcript/session-outline.ts"
import type { TranscriptText } from "../transcript/transcript.ts"
import type { Rect } from "../ui/rect.ts"
import type { Overlay, Page } from "../view/view.ts"

/** Overlays that are a list with a cursor, and nothing else. */
const LISTS = {
  breakpoints: BreakpointPane,
  bookmarks: BookmarkPane,
  filters: FilterPane,
  hunt: SearchPane,
  watches: WatchPane,
  branches: BranchPane,
}
type Listed = Extract<Overlay, { readonly type: keyof typeof LISTS }>

function isListed(overlay: Overlay): overlay is Listed {
  return overlay.type in LISTS
}

type Form = Extract<Overlay, { readonly type: "rerun" }>

/** What lies over the panes. */
export function OverlayOf(props: {
  overlay: Overlay
  rect: Rect
  transcript: TranscriptText
  outline: SessionOutline
}): JSX.Element {
  const page = () => ("top" in props.overlay ? props.overlay : null)
  const needed = () => (props.overlay.type === "attention" ? props.overlay : null)
  const list = () => (isListed(props.overlay) ? props.overlay : null)
  const form = () => (props.overlay.type === "rerun" ? props.overlay : null)
  const menu = () => (isMenu(props.overlay) ? props.overlay : null)
  return (
    <Switch fallback={<TextPane rect={props.rect} focused raised transcript={props.transcript} />}>
      <Match when={page()}>{(overlay: Accessor<Page>) => <PagerPane rect={props.rect} overlay={overlay()} />}</Match>
      <Match when={props.overlay.type === "inspector"}>
        <InspectorPane rect={props.rect} outline={props.outline} />
      </Match>
      <Match when={form()}>
        {(overlay: Accessor<Form>) => <RerunPane rect={props.rect} session={overlay().session} />}
      </Match>
      <Match when={menu()}>{(overlay: Accessor<Menu>) => <MenuPane body={props.rect} menu={overlay()} />}</Match>
      <Match when={list()}>
        {(front: Accessor<Listed>) => (
          <Dynamic component={LISTS[front().type]} rect={props.rect} cursor={front().cursor} />
        )}
      </Match>
      <Match when={needed()}>
        {(overlay: Accessor<{ cursor: string | null }>) => <AlertsPane rect={props.rect} cursor={overlay().cursor} />}
      </Match>
    </Switch>
  )
}
