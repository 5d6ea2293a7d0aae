import { Dynamic } from "@opentui/solid"
import { type Accessor, type JSX, Match, Switch } from "solid-js"
import type { Overlay, Page } from "../store/view.ts"
import { AttentionPane } from "./attention/AttentionPane.tsx"
import { BookmarkPane } from "./bookmark/BookmarkPane.tsx"
import { BranchPane } from "./branch/BranchPane.tsx"
import { BreakpointPane } from "./breakpoint/BreakpointPane.tsx"
import { FilterPane } from "./filter/FilterPane.tsx"
import { HuntPane } from "./hunt/HuntPane.tsx"
import { InspectorPane } from "./inspector/InspectorPane.tsx"
import type { SessionOutline } from "./inspector/outline.ts"
import type { Rect } from "./layout.ts"
import { isMenu, type Menu, MenuPane } from "./menu/MenuPane.tsx"
import { PagerPane } from "./pager/PagerPane.tsx"
import { FormPane } from "./rerun/FormPane.tsx"
import { TextPane } from "./text/TextPane.tsx"
import type { Transcript } from "./text/transcript.ts"
import { WatchPane } from "./watch/WatchPane.tsx"

/** Overlays that are a list with a cursor, and nothing else. */
const LISTS = {
  breakpoints: BreakpointPane,
  bookmarks: BookmarkPane,
  filters: FilterPane,
  hunt: HuntPane,
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
  transcript: Transcript
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
        {(overlay: Accessor<Form>) => <FormPane rect={props.rect} session={overlay().session} />}
      </Match>
      <Match when={menu()}>{(overlay: Accessor<Menu>) => <MenuPane body={props.rect} menu={overlay()} />}</Match>
      <Match when={list()}>
        {(front: Accessor<Listed>) => (
          <Dynamic component={LISTS[front().type]} rect={props.rect} cursor={front().cursor} />
        )}
      </Match>
      <Match when={needed()}>
        {(overlay: Accessor<{ cursor: string | null }>) => (
          <AttentionPane rect={props.rect} cursor={overlay().cursor} />
        )}
      </Match>
    </Switch>
  )
}
