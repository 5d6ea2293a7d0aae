import type { JSX } from "solid-js"
import { TAB_NAMES } from "../../keys/inspector-keys.ts"
import { TABS, type Tab } from "../../store/inspector.ts"
import type { State } from "../../store/state.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import { inside, type Rect } from "../layout.ts"
import { type Line, line, lineWidth, type Span, span } from "../line.ts"
import type { Look } from "../look.ts"
import { Pane } from "../Pane.tsx"
import { placeWords } from "../text.ts"
import { invocationLines, invocationsTitle } from "./invocations.ts"
import { statusLines } from "./status.ts"

/** Rows above what a tab shows. */
const HEAD = 2

/** Rows of a tab in an inspector of this size. */
export function inspectorRows(rows: number): number {
  return Math.max(1, rows - HEAD)
}

/** Lines of a tab that is read from top to bottom; 0 for the others. */
export function inspectorLines(state: State, look: Look, columns: number): number {
  return state.view.inspector.tab === "status" ? statusLines(state, look, columns).length : 0
}

/** All that is known of the run, on tabs. */
export function InspectorPane(props: { rect: Rect }): JSX.Element {
  const { state, look } = useScreen()
  const size = () => inside(props.rect)
  const rows = () => inspectorRows(size().rows)
  const shown = (): { readonly title: string; readonly lines: readonly Line[] } => {
    const { inspector } = state().view
    switch (inspector.tab) {
      case "invocations":
        return {
          title: invocationsTitle(state()),
          lines: invocationLines(state(), look(), size().columns, rows()),
        }
      case "status": {
        const all = statusLines(state(), look(), size().columns)
        const title = state().run.status + placeWords(inspector.top, rows(), all.length)
        return { title, lines: all.slice(inspector.top, inspector.top + rows()) }
      }
    }
  }
  const title = () => `${TAB_NAMES[state().view.inspector.tab].toUpperCase()}  ${shown().title}`
  return (
    <Pane rect={props.rect} focused raised title={title()}>
      <Canvas lines={[tabLine(state().view.inspector.tab, size().columns), line(), ...shown().lines]} />
    </Pane>
  )
}

/** The tabs with their numbers; where they do not all fit, only the one in front has its name. */
function tabLine(front: Tab, columns: number): Line {
  const whole = tabSpans(front, () => true)
  return line(...(lineWidth(whole) <= columns ? whole : tabSpans(front, tab => tab === front)))
}

function tabSpans(front: Tab, isNamed: (tab: Tab) => boolean): readonly Span[] {
  return TABS.flatMap((tab, index) => {
    const isFront = tab === front
    const name = isNamed(tab) ? ` ${TAB_NAMES[tab]}` : ""
    return [
      span(`${index + 1}`, isFront ? "accent" : "dim"),
      span(name, isFront ? "bright" : "dim", { bold: isFront }),
      span("   "),
    ]
  })
}
