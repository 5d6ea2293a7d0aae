// Draws the inspector: its tabs by name, and what the one in front shows.
import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { type Line, line, lineWidth, type Span, span } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { moreRows } from "../../ui/text-width.ts"
import { SHORT_TAB_NAMES, TAB_NAMES, TABS, type Tab } from "../../view/pane-names.ts"
import type { Place, TabPanel } from "../common/panel.ts"
import { useTranscriptPlace } from "../common/use-place.ts"
import { belowTabs } from "./index.ts"

/** Draws the inspector: its tabs, and the panel of the tab that is open. */
export function InspectorPane(props: { rect: Rect; tabs: { readonly [T in Tab]: TabPanel } }): JSX.Element {
  const { state, context, scrolled, scroll } = useScreen()
  const front = () => state().view.inspector.tab
  const tab = () => props.tabs[front()]
  const place = useTranscriptPlace(
    () => props.rect,
    "full",
    () => front() === "transcript",
  )
  const below = (): Place => {
    const top = scrolled()[front()]
    return { ...belowTabs(place()), ...(top !== undefined && { top }) }
  }
  const seen = createMemo(() => tab().seen?.(state(), below()))
  const more = () => {
    const rows = seen()
    return rows === undefined ? undefined : moreRows(rows, context().glyphs)
  }
  const turn = (rows: number): void => scroll(front(), (seen()?.top ?? 0) + rows)
  const head = () => [tabLine(front(), place().columns), ...(place().rows - below().rows > 1 ? [line()] : [])]
  const lines = createMemo(() => tab().lines(state(), below()))
  const title = () => `${TAB_NAMES[front()].toUpperCase()}  ${tab().title(state(), below())}`
  return (
    <TitledBox
      rect={props.rect}
      focused
      raised
      title={title()}
      footnote={more()}
      scroll={seen() === undefined ? undefined : turn}
    >
      <Canvas lines={[...head(), ...lines()]} />
    </TitledBox>
  )
}

/** The tabs with their numbers and names, short ones where they do not fit; last only the one in front has its name. */
function tabLine(front: Tab, columns: number): Line {
  const whole = tabSpans(front, tab => TAB_NAMES[tab], "   ")
  const short = tabSpans(front, tab => SHORT_TAB_NAMES[tab], "  ")
  const least = tabSpans(front, tab => (tab === front ? SHORT_TAB_NAMES[tab] : ""), "  ")
  return line(...([whole, short].find(spans => lineWidth(spans) <= columns) ?? least))
}

function tabSpans(front: Tab, nameOf: (tab: Tab) => string, gap: string): readonly Span[] {
  return TABS.flatMap((tab, index) => {
    const isFront = tab === front
    const name = nameOf(tab)
    const click = { type: "inspector/tab", tab } as const
    return [
      { ...span(`${index + 1}`, isFront ? "accent" : "dim"), click },
      { ...span(name && ` ${name}`, isFront ? "bright" : "dim", { bold: isFront }), click },
      ...(index < TABS.length - 1 ? [span(gap)] : []),
    ]
  })
}
