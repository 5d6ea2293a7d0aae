import { createMemo, type JSX } from "solid-js"
import { sessionById, sessionIndex } from "../../run/identity/find-by-id.ts"
import { shortTitle } from "../../run/select/figures.ts"
import type { SessionOutline } from "../../transcript/session-outline.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import { type Line, line, lineWidth, type Span, span } from "../../ui/line.ts"
import { inside, type Rect } from "../../ui/rect.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { count, placeWords } from "../../ui/text-width.ts"
import { TABS, type Tab } from "../../view/pane-names.ts"
import { sessionsToRecall } from "../../view/recalled-texts.ts"
import type { State } from "../../view/state.ts"
import type { ViewContext } from "../../view/view-context.ts"
import { agentLogLine, agentLogLines } from "../agent-log/lines.ts"
import { artifactLines, artifactsTitle } from "../artifacts/lines.ts"
import { chartLines, chartTitle } from "../chart/lines.ts"
import { invocationLines, invocationsTitle } from "../invocations/lines.ts"
import { statusLines } from "../status/lines.ts"
import { waterfallLines, waterfallRows, waterfallTitle } from "../waterfall/lines.ts"
import { TAB_NAMES } from "./keys.ts"

/** Rows above what a tab shows. */
const HEAD = 2

/** Rows of a tab in an inspector of this size. */
function inspectorRows(rows: number): number {
  return Math.max(1, rows - HEAD)
}

/** What a decision must know of the tab in front, whose pane has so many columns and rows. */
export function inspectorFacts(
  state: State,
  context: RenderContext,
  { columns, rows }: { columns: number; rows: number },
  outline: SessionOutline,
): Pick<ViewContext, "page" | "lines" | "outline"> {
  const page = inspectorRows(rows)
  switch (state.view.inspector.tab) {
    case "invocations":
      return { page, lines: 0 }
    case "transcript":
      outline.update(state, { columns, rows: page }, context)
      return { page, lines: outline.length, outline }
    case "artifacts":
      return { page, lines: 0 }
    case "waterfall":
      return { page: waterfallRows(page).height, lines: 0 }
    case "agent-log":
      return { page, lines: agentLogLines(state, columns).length }
    case "chart":
      return { page, lines: chartLines(state, context, columns).length }
    case "status":
      return { page, lines: statusLines(state, context, columns).length }
  }
}

/** All that is known of the run, on tabs. */
export function InspectorPane(props: { rect: Rect; outline: SessionOutline }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const rows = () => inspectorRows(size().rows)
  const shown = (): { readonly title: string; readonly lines: readonly Line[] } => {
    const { inspector } = state().view
    switch (inspector.tab) {
      case "invocations":
        return {
          title: invocationsTitle(state()),
          lines: invocationLines(state(), context(), size().columns, rows()),
        }
      case "transcript": {
        props.outline.update(state(), { columns: size().columns, rows: rows() }, context())
        return { title: transcriptTitle(state(), props.outline), lines: transcriptLines(state(), props.outline) }
      }
      case "waterfall":
        return {
          title: waterfallTitle(state(), context()),
          lines: waterfallLines(state(), context(), size().columns, rows()),
        }
      case "artifacts": {
        const lines = artifactLines(state(), context(), size().columns, rows())
        return { title: artifactsTitle(state()), lines }
      }
      case "agent-log": {
        const all = agentLogLines(state(), size().columns)
        const last = Math.max(0, all.length - rows())
        const top = Math.min(inspector.logTop ?? last, last)
        const place = inspector.logTop === null ? "following" : placeWords(top, rows(), all.length)
        return { title: `escapement.log  ${place}`, lines: all.slice(top, top + rows()).map(agentLogLine) }
      }
      case "chart": {
        const all = chartLines(state(), context(), size().columns)
        return { title: chartTitle(state()), lines: all.slice(inspector.top, inspector.top + rows()) }
      }
      case "status": {
        const all = statusLines(state(), context(), size().columns)
        const title = state().run.status + placeWords(inspector.top, rows(), all.length)
        return { title, lines: all.slice(inspector.top, inspector.top + rows()) }
      }
    }
  }
  const shownNow = createMemo(shown)
  const title = () => `${TAB_NAMES[state().view.inspector.tab].toUpperCase()}  ${shownNow().title}`
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <Canvas lines={[tabLine(state().view.inspector.tab, size().columns), line(), ...shownNow().lines]} />
    </TitledBox>
  )
}

function transcriptLines(state: State, outline: SessionOutline): readonly Line[] {
  const { inspector } = state.view
  if (inspector.session === null) return [line(span("No sessions", "dim"))]
  if (outline.length > 0) return outline.window(inspector.at)
  const stream = state.run.turnBuffers[sessionIndex(state.run, inspector.session) ?? -1]
  if (stream === undefined) return [line(span("Not started yet at this point", "dim"))]
  const waits = stream.status === "waiting"
  return [line(span(waits ? "Waiting for the first token" : "No messages", "dim"))]
}

/** Whose transcript it is, which turn is read, and where one is in it. */
function transcriptTitle(state: State, outline: SessionOutline): string {
  const { run, view } = state
  const { session: id, at, find } = view.inspector
  const session = sessionById(run, id)
  const invocation = run.invocations[session?.invocation ?? -1]
  if (session === undefined || invocation === undefined) return ""
  const short = invocation.sessions.length > 1 ? ` ${shortTitle(run, invocation, session)}` : ""
  const line = at === null ? outline.length - 1 : outline.lineOf(at)
  const turn = outline.turnAt(line)
  const turns = session.turns > 1 ? ` · turn ${turn} of ${session.turns}` : ""
  const place = at === null ? " · following" : placeWords(outline.top, outline.rows, outline.length)
  const disk = sessionsToRecall(state).length > 0 ? " · reading from disk" : ""
  return `${invocation.title}${short}${turns}${place}${disk}${find === null ? "" : foundWords(outline, find, line)}`
}

function foundWords(outline: SessionOutline, find: string, line: number): string {
  const { nth, count: all } = outline.foundAt(find, line)
  if (all === 0) return ` · /${find} not found`
  return ` · /${find} ${nth === null ? `${count(all)} ${all === 1 ? "hit" : "hits"}` : `${count(nth)} of ${count(all)}`}`
}

/** The tabs with their numbers; where they do not all fit, only the one in front has its name. */
function tabLine(front: Tab, columns: number): Line {
  const whole = tabSpans(front, () => true, "   ")
  return line(...(lineWidth(whole) <= columns ? whole : tabSpans(front, tab => tab === front, "  ")))
}

function tabSpans(front: Tab, isNamed: (tab: Tab) => boolean, gap: string): readonly Span[] {
  return TABS.flatMap((tab, index) => {
    const isFront = tab === front
    const name = isNamed(tab) ? ` ${TAB_NAMES[tab]}` : ""
    return [
      span(`${index + 1}`, isFront ? "accent" : "dim"),
      span(name, isFront ? "bright" : "dim", { bold: isFront }),
      span(gap),
    ]
  })
}
