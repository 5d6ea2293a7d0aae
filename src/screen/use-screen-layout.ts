// Arranges the panes, the overlay and the question on the terminal, and measures what is in front for a plan.
import { useTerminalDimensions } from "@opentui/solid"
import { type Accessor, createMemo } from "solid-js"
import type { Transcripts } from "../panels/common/place.ts"
import { frontOf } from "../panels/front.ts"
import { panes } from "../panels/index.ts"
import { behindQuestion, type PromptPlace, paneAbove, promptPlace } from "../panels/prompt/prompt-place.ts"
import type { Prompt } from "../run/model/run.ts"
import { inside, type Layout, layout, type Rect } from "../ui/layout.ts"
import type { Line } from "../ui/line.ts"
import type { RenderContext } from "../ui/render-context.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { ViewContext } from "../view/plan-result.ts"
import { logIsBehind } from "../view/select/asker.ts"
import { frontPrompt, type State } from "../view/state.ts"
import { bannerLines } from "./banner.ts"

export interface ScreenLayout {
  readonly places: Accessor<Layout>
  readonly banners: Accessor<readonly Line[]>
  /** The question in front, and where it lies. */
  readonly question: Accessor<{ readonly prompt: Prompt; readonly place: PromptPlace } | null>
  /** Where a pane lies, above a question that would cover what is read; undefined where it has no room. */
  paneRect(pane: PaneId): Rect | undefined
  /** What a plan must know of what is in front. */
  measure(): Omit<ViewContext, "now">
}

export function useScreenLayout(
  state: Accessor<State>,
  render: Accessor<RenderContext>,
  transcripts: Transcripts,
): ScreenLayout {
  const size = useTerminalDimensions()
  const banners = createMemo(() => bannerLines(state(), render(), size().width))
  const places = createMemo(() => layout(size().width, size().height, state().view, banners().length))
  const question = createMemo(() => {
    const prompt = shownPrompt(state())
    return prompt === null ? null : { prompt, place: promptPlace(state(), prompt, places().body) }
  })
  const paneRect = (pane: PaneId): Rect | undefined => {
    const rect = places().panes[pane]
    const asked = question()
    const isRead = pane === "text" || (pane === "log" && logIsBehind(state()))
    return rect === undefined || asked === null || !isRead ? rect : (paneAbove(rect, asked.place.rect) ?? rect)
  }
  const measure = (): Omit<ViewContext, "now"> => {
    const { view } = state()
    const at = (rect: Rect) => ({ ...inside(rect), render: render(), transcripts })
    if (view.overlays.length > 0) return frontOf(state()).measure(state(), at(places().body))
    const asked = question()
    // With a question in front, keys scroll what is behind it, whatever has the focus.
    const pane = asked === null ? view.focus : logIsBehind(state()) ? "log" : "text"
    const measures = panes[pane].measure(state(), at(paneRect(pane) ?? places().body))
    if (asked === null) return measures
    return { ...measures, behind: behindQuestion(size(), state(), banners().length, asked.place.rect) }
  }
  return { places, banners, question, paneRect, measure }
}

/** The prompt in front; none while a line is being typed in a pane, since a question would cover it. */
function shownPrompt(state: State): Prompt | null {
  const { typing } = state.view
  return typing === null || typing.to === "goto" ? frontPrompt(state) : null
}
