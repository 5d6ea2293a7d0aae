import { type Accessor, createMemo, type JSX, Show } from "solid-js"
import type { TailFacts } from "../../run/select/tail-facts.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { inside, type Rect, type TextSize } from "../../ui/layout.ts"
import { clipSpans, type Line, type RenderContext, type Span, span } from "../../ui/line.ts"
import { hostOf } from "../../ui/link-words.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { count, counted, duration, edgeWords, pad, timeOfDay } from "../../ui/text-width.ts"
import { typedRows } from "../../ui/typed-error.ts"
import { windowTop } from "../../view/cursor-step.ts"
import { type HomeRow, homeList, homeRow } from "../../view/select/home-rows.ts"
import { stageGlyph, stageToken } from "../common/stage-mark.ts"
import { homeLines, homeShape, homeTitle } from "./lines.ts"

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

const NAME = 14

/** The title of the run's box: its chart, name, start and place. `zone`: the local offset from UTC, ms. */
function previewTitle({ title, facts, run, url }: HomeRow, zone: number): string {
  const session = facts?.session
  if (session !== undefined) return [run?.cli, session.place, session.branch, session.id].filter(Boolean).join("   ")
  const started = facts?.firstTs == null ? "" : `started ${timeOfDay(facts.firstTs, zone).slice(0, 5)}`
  const place = url === null ? (facts?.kept?.place ?? run?.directory ?? "") : hostOf(url)
  return [facts?.chart === title ? "" : (facts?.chart ?? ""), title, started, place].filter(Boolean).join("   ")
}

/** The lines that fit: bars get the rows that the others leave. */
function previewLines(
  { facts, mark }: HomeRow,
  { columns, rows }: TextSize,
  { glyphs }: RenderContext,
): readonly Line[] {
  if (facts === null) return []
  const named = (name: string, text: string, token: Span["token"]): readonly (readonly Span[])[] =>
    text === "" ? [] : [[span(pad(name, NAME), "dim"), span(text, token)]]
  const asks = mark === "asks" || mark === "gone" ? facts.asks : null
  const { session, kept } = facts
  const what = [
    session?.model,
    session?.context == null ? "" : `context ${Math.round(session.context * 100)}%`,
    facts.tokens === 0 ? "" : `${count(facts.tokens)} tokens`,
    facts.cost,
    session === undefined || session.subagents === 0 ? "" : counted(session.subagents, "subagent"),
  ]
  // Of a run that failed, the last error often is why it ended.
  const error = facts.error !== null && !facts.error.endsWith(facts.last) ? facts.error : ""
  const below = [
    ...named(session === undefined ? "asked" : "title", session?.title ?? kept?.prompt ?? "", "bright"),
    ...(session === undefined ? [] : named("", what.filter(Boolean).join(" · "), "dim")),
    ...named(glyphs.asks, asks ?? "", "warn"),
    ...named(glyphs.error, error, "error"),
    ...(asks === null ? named("last", facts.last, "normal") : []),
  ]
  const states = stateSpans(facts, glyphs)
  const earlier = facts.isWhole
    ? []
    : [[span(`${glyphs.ellipsis} earlier`, "dim"), span(" is not read: this is its end", "dim")]]
  const room = Math.max(0, rows - below.length - earlier.length - 1)
  const bars = facts.bars.slice(0, room).map(({ name, group, stages }) => {
    const pieces = stages.map(kind =>
      kind === null ? span(" ") : span(stageGlyph(kind, glyphs), stageToken(kind, `hue${group ?? 0}`)),
    )
    const token = group === null ? "warn" : (`hue${group}` as const)
    return [span(pad(name, NAME - 1, "left", glyphs.ellipsis), token), span(" "), ...pieces]
  })
  const all = [...earlier, ...(states === null ? [] : [states]), ...bars, ...below]
  return all.slice(0, rows).map(spans => ({ spans: clipSpans(spans, columns, glyphs.ellipsis) }))
}

function stateSpans({ states, end }: TailFacts, glyphs: RenderContext["glyphs"]): readonly Span[] | null {
  if (states.length === 0) return null
  const passed = states.flatMap(({ id, ms, isActive }) => {
    const isNow = isActive && end === null
    const mark = isNow ? glyphs.folded : ""
    return [
      span(`${mark}${id}`, isNow ? "bright" : "normal"),
      span(isNow ? ` ${duration(ms)}   ` : ` ${glyphs.ok} ${duration(ms)}   `, "dim"),
    ]
  })
  return [span(pad("states", NAME), "dim"), ...passed]
}
