// Draws a list over the panes with the line typed for it, and a menu in the middle of the screen.
import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../../ui/Canvas.tsx"
import type { Rect } from "../../../ui/layout.ts"
import { type Line, line, type RenderContext, rowClick, span, wrap } from "../../../ui/line.ts"
import { useScreen } from "../../../ui/screen-context.ts"
import { TypedLine } from "../../../ui/TypedLine.tsx"
import { clip, edgeWords, pad, width } from "../../../ui/text-width.ts"
import { typedRows } from "../../../ui/typed-error.ts"
import type { PaneId } from "../../../view/pane-names.ts"
import type { Overlay } from "../../../view/view.ts"
import type { List, Menu, MenuItem } from "../panel.ts"
import { trailTitle, viewsOf } from "../place-title.ts"
import { usePlace } from "../use-place.ts"
import { topRow } from "./list.ts"

/** Draws an overlay that is a list with a cursor. */
export function ListPane(props: {
  rect: Rect
  focused: boolean
  overlay: Overlay
  list: List<Overlay>
  pane?: PaneId
  /** The titles of the lists that it lies over, the lowest first. */
  below: readonly string[]
  /** Fills so many rows that a short list leaves free. */
  free: (columns: number, rows: number) => readonly Line[]
}): JSX.Element {
  const { state, context } = useScreen()
  const place = usePlace(() => props.rect)
  const typed = () => {
    const { typing } = state().view
    const isOwn = typing !== null && props.list.typed?.includes(typing.to) === true
    return isOwn ? typedRows(state(), place().columns, place().rows) : 0
  }
  const heading = createMemo(() => props.list.heading?.(state(), place()) ?? [])
  const legend = createMemo(() => props.list.legend?.(state(), { ...place(), rows: place().rows - typed() }) ?? [])
  const rows = () => Math.max(1, place().rows - typed() - heading().length - legend().length)
  const cursor = () => props.list.cursorOf(state(), props.overlay, context().now)
  const length = () => props.list.length(state(), props.overlay, context().now)
  const top = () => topRow(cursor(), rows(), length())
  const counted = () => length() - (props.list.adds ? 1 : 0)
  const lines = () => {
    const own = props.list.lines(state(), cursor(), { ...place(), rows: rows(), top: top() })
    return [...own, ...props.free(place().columns, rows() - own.length)]
  }
  return (
    <TitledBox
      rect={props.rect}
      focused={props.focused}
      {...(props.pane === undefined ? { raised: true } : { pane: props.pane })}
      title={trailTitle(props.below, props.list.title(state(), context()), props.rect.width - 6)}
      views={viewsOf(props.overlay.type, state().view)}
      footnote={edgeWords({ top: top(), rows: rows(), length: counted(), cursor: cursor() })}
    >
      <Canvas lines={heading()} rows={heading().length} />
      <Canvas lines={lines()} rows={rows()} />
      <Canvas lines={legend()} rows={legend().length} />
      <TypedLine columns={place().columns} rows={typed()} />
    </TitledBox>
  )
}

const COLUMNS = 72
/** With fewer columns beside the titles, nothing is told there. */
const ASIDE = 8

/** Draws an overlay that is a menu, in the middle of the body. */
export function MenuPane(props: { body: Rect; overlay: Overlay; menu: Menu<Overlay> }): JSX.Element {
  const { state, context } = useScreen()
  // Scraps of the panes beside a menu would look like a broken border.
  const width = () => (props.body.width < COLUMNS + 2 * ASIDE ? props.body.width : COLUMNS)
  const cursor = () => props.menu.cursorOf(state(), props.overlay, context().now)
  const items = () => props.menu.items(state(), props.overlay)
  const place = () => edgeWords({ top: 0, rows: 1, length: items().length, cursor: cursor() })
  const lines = () => {
    const all = menuLines(items(), cursor(), context(), width() - 4)
    const rows = Math.max(0, props.body.height - 2)
    const first = all.findIndex(one => one.selected)
    const last = all.findLastIndex(one => one.selected)
    // Of an item that is longer than the menu, its name is seen.
    const top = Math.min(topRow(last, rows, all.length), first)
    return all.slice(Math.max(0, top)).slice(0, rows)
  }
  const rect = (): Rect => {
    const height = lines().length + 2
    const x = Math.floor((props.body.width - width()) / 2)
    return { x, y: props.body.y + Math.floor((props.body.height - height) / 2), width: width(), height }
  }
  return (
    <TitledBox rect={rect()} focused raised title={props.menu.title(state(), props.overlay)} footnote={place()}>
      <Canvas lines={lines()} />
    </TitledBox>
  )
}

/** Each item, and below one that cannot be had why not. */
function menuLines(
  items: readonly MenuItem[],
  cursor: number,
  { glyphs }: RenderContext,
  columns: number,
): readonly Line[] {
  const widest = Math.max(0, ...items.map(({ title }) => width(title)))
  return items.flatMap((item, index) => {
    const { aside = "" } = item
    const here = index === cursor
    const token = item.why !== null ? "dim" : here ? "bright" : "normal"
    const hasAside = aside !== "" && columns - 2 - widest >= Math.min(ASIDE, aside.length + 2)
    const title = hasAside ? pad(item.title, widest) : clip(item.title, columns - 2, glyphs.ellipsis)
    const head = line(
      span(here ? `${glyphs.folded} ` : "  ", "accent"),
      span(title, token, { bold: here }),
      span(hasAside ? clip(`  ${aside}`, columns - 2 - widest, glyphs.ellipsis) : "", "dim"),
    )
    const why = item.why === null ? [] : wrap(item.why, columns - 4).map(text => line(span(`    ${text}`, "dim")))
    return [head, ...why].map(one => ({ ...one, selected: here, click: rowClick(index, here) }))
  })
}
