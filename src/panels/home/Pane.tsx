import { type Accessor, createMemo, type JSX, Show } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { edgeWords } from "../../ui/text-width.ts"
import { typedRows } from "../../ui/typed-error.ts"
import { windowTop } from "../../view/cursor-step.ts"
import { type HomeRow, homeList, homeRow } from "../../view/select/home-rows.ts"
import { homeLines, homeShape, homeTitle } from "./lines.ts"
import { previewLines, previewTitle } from "./preview.ts"

/** The whole of the home screen below its header, at `rect`. */
export function HomePane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state, context } = useScreen()
  const columns = () => inside(props.rect).columns
  const list = createMemo(() => {
    const { home, view, zone } = state()
    return home === null ? null : homeList(home, view.home, zone, context().now)
  })
  const row = () => {
    const known = list()
    return known === null ? undefined : homeRow(known, state().view.home)
  }
  const shape = createMemo(() => homeShape(inside(props.rect), row() !== undefined))
  const typed = () => (state().view.typing?.to === "palette" ? 0 : typedRows(state(), columns(), shape().shown))
  const rows = () => Math.max(1, shape().shown - typed())
  const edge = () => {
    const { rows: { length } = [], places } = list() ?? {}
    return edgeWords({ top: 0, rows: 1, length, cursor: places?.get(row()?.key ?? "")?.row ?? 0 })
  }
  const top = createMemo((before: number) => {
    const { items = [], places } = list() ?? {}
    const item = places?.get(row()?.key ?? "")?.item ?? 0
    const first = windowTop(before, item, rows(), items.length)
    // The heading of the first row is seen with it.
    return first === item && rows() > 1 && items[item - 1]?.type !== "row" ? Math.max(0, first - 1) : first
  }, 0)
  const lines = createMemo(() => {
    const { home } = state()
    if (home === null) return []
    return homeLines(home, state(), context(), { columns: columns(), rows: rows(), shape: shape(), top: top() })
  })
  const below = (): Rect => ({ ...props.rect, y: props.rect.y + shape().box, height: shape().preview })
  const preview = createMemo(() => {
    const one = row()
    return one === undefined ? [] : previewLines(one, inside(below()), context())
  })
  return (
    <>
      <TitledBox
        pane="home"
        rect={{ ...props.rect, height: shape().box }}
        focused={props.focused}
        title={homeTitle(state(), list())}
        footnote={edge()}
      >
        <Canvas lines={lines()} rows={lines().length} />
        <TypedLine columns={columns()} rows={typed()} />
      </TitledBox>
      <Show when={shape().preview > 0 ? row() : undefined}>
        {(one: Accessor<HomeRow>) => (
          <TitledBox rect={below()} focused={false} title={previewTitle(one(), state().zone)}>
            <Canvas lines={preview()} />
          </TitledBox>
        )}
      </Show>
    </>
  )
}
