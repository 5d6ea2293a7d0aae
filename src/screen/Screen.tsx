import { Dynamic, useTerminalDimensions } from "@opentui/solid"
import { type Accessor, createMemo, ErrorBoundary, For, type JSX, Show } from "solid-js"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { rowsWanted } from "../panels/common/session-rows.ts"
import { OutlineContext } from "../panels/common/use-place.ts"
import { frontOf, scopeOf, shownIn } from "../panels/front.ts"
import { HomePane } from "../panels/home/Pane.tsx"
import { overlayPanel, panes } from "../panels/index.ts"
import { LivePane } from "../panels/live/Pane.tsx"
import { LogPane } from "../panels/log/Pane.tsx"
import { underPalette } from "../panels/palette/index.ts"
import { questionScroll } from "../panels/prompt/lines.ts"
import { PromptPane } from "../panels/prompt/Pane.tsx"
import { behindQuestion, behindView, promptPlace } from "../panels/prompt/prompt-place.ts"
import { GoTo } from "../panels/time/Pane.tsx"
import { TextPane } from "../panels/transcript/Pane.tsx"
import type { Prompt } from "../run/model/prompts.ts"
import { SessionOutline } from "../transcript/session-outline.ts"
import { boxAt, Canvas, TitledBox } from "../ui/Canvas.tsx"
import type { Glyphs } from "../ui/glyphs.ts"
import { inside, layout, type Rect } from "../ui/layout.ts"
import { type Line, line, type RenderContext, span, wrap } from "../ui/line.ts"
import { wallClock } from "../ui/link-words.ts"
import { AreaContext, ScreenContext } from "../ui/screen-context.ts"
import type { Theme } from "../ui/theme.ts"
import { PANES, type PaneId } from "../view/pane-names.ts"
import type { ViewContext } from "../view/plan-result.ts"
import { logIsBehind } from "../view/select/shown-session.ts"
import { isAlone, overIn, overlayInFront, withoutOvers } from "../view/select/stack.ts"
import { frontPrompt, goneFor, type State, timeShown } from "../view/state.ts"
import type { Overlay } from "../view/view.ts"
import { bannerLines } from "./banner.ts"
import { footerLine } from "./footer.ts"
import { headerLine } from "./header.ts"
import { OverlayPane } from "./Overlay.tsx"
import type { ShownRun } from "./surface.ts"
import { bindStore, isOnlyFigures, isOnlyReading, useCalmState } from "./use-calm-state.ts"
import { useClock } from "./use-clock.ts"
import { useKeys } from "./use-keys.ts"

export interface ScreenProps {
  readonly run: Pick<ShownRun, "store" | "title" | "perform" | "showRows" | "keyPressed">
  readonly theme: Accessor<Theme>
  readonly glyphs: Glyphs
  readonly motion: boolean
  /** The least time between two pictures of growing texts and figures, ms. */
  readonly calmMs: number
  /** Epoch ms. */
  readonly now: () => number
}

/** Draws the whole screen from the state of the run's store. */
export function Screen(props: ScreenProps): JSX.Element {
  // One screen shows one run.
  const { run } = props
  const { title } = run
  const state = useCalmState(bindStore(run.store), 2 * props.calmMs, isOnlyReading)
  const calm = useCalmState(state, props.calmMs, isOnlyFigures)
  const ticked = useClock(state, props.motion, props.now)
  const context = createMemo((): RenderContext => {
    ticked()
    const { glyphs, motion } = props
    const [shown, now] = [state(), props.now()]
    return { glyphs, motion, now: timeShown(shown, now), goneMs: goneFor(shown, now) }
  })
  const outline = new SessionOutline()
  const screenLayout = useScreenLayout(state, context, outline)
  const { pending, ...hands } = useKeys(run, screenLayout.measure, () => props.now())
  // Both are read many times a frame.
  const theme = createMemo(() => props.theme())
  const scope = createMemo(() => scopeOf(state()))
  const { places, banners } = screenLayout
  const header = () => headerLine(calm(), title, context(), places().header.width)
  return (
    <ScreenContext.Provider
      value={{
        state,
        calm,
        context,
        theme,
        scope,
        title,
        showRows: rows => run.showRows(rows),
        ...hands,
      }}
    >
      <OutlineContext.Provider value={outline}>
        <Rows rect={places().header} lines={[{ spans: header() }]} />
        <AreaContext.Provider value={{ isCovered: () => overIn(state().view) !== undefined, isFocused: () => true }}>
          <Panes state={state()} screenLayout={screenLayout} />
          <Question screenLayout={screenLayout} />
        </AreaContext.Provider>
        <For each={["below", "front"] as const}>
          {which => (
            <Show when={overlaysShown(state())[which]}>
              {(overlay: Accessor<Overlay>) => (
                <FaultBoundary rect={places().body}>
                  <AreaContext.Provider value={{ isCovered: () => which === "below", isFocused: () => true }}>
                    <OverlayPane overlay={overlay()} rect={overRect(overlay(), places().body)} focused />
                  </AreaContext.Provider>
                </FaultBoundary>
              )}
            </Show>
          )}
        </For>
        <Rows rect={places().banner} lines={banners()} />
        <GoTo
          rect={places().footer}
          footer={() => footerLine(state(), places().footer.width, wallClock(context()), pending())}
        />
      </OutlineContext.Provider>
    </ScreenContext.Provider>
  )
}

/** The overlay over the places, and the one that it was opened from, which a palette or menu covers in part. */
function overlaysShown({ view }: State): { readonly below?: Overlay; readonly front?: Overlay } {
  const front = overIn(view)
  const under = overIn({ ...view, overlays: view.overlays.slice(0, -1) })
  const isPart = front !== undefined && ["palette", "menu"].includes(overlayPanel(front).drawn.type)
  return { ...(front && { front }), ...(isPart && under && { below: under }) }
}

/** Rows from which on a form leaves the upper places in sight. */
const FORM_FROM = 30

/** The rows of a form, which lies below the places; 0 for other overlays. */
function formRows(over: Overlay | undefined, { height }: Rect): number {
  const isForm = over?.type === "rerun" || over?.type === "review"
  return isForm && height >= FORM_FROM ? Math.floor(height * 0.6) : 0
}

/** The rectangle of an overlay over the places: a form in the lower part, palette and menus in the middle. */
function overRect(overlay: Overlay, body: Rect): Rect {
  const height = formRows(overlay, body) || body.height
  return { ...body, y: body.y + body.height - height, height }
}

const PANE_COMPONENTS = { live: LivePane, text: TextPane, log: LogPane, home: HomePane }
const ALL_PANES = [...PANES, "home"] as const

function overlayIn({ view }: State, pane: PaneId): Overlay | undefined {
  return pane === "home" ? undefined : overlayInFront({ overlays: withoutOvers(view), focus: pane })
}

function Panes(props: { state: State; screenLayout: ScreenLayout }): JSX.Element {
  const isFocused = (pane: string) =>
    props.state.view.focus === pane && props.screenLayout.question() === null && overIn(props.state.view) === undefined
  return (
    <For each={ALL_PANES}>
      {pane => (
        <Show when={props.screenLayout.paneRect(pane)}>
          {(rect: Accessor<Rect>) => (
            <FaultBoundary rect={rect()}>
              <Show
                when={overlayIn(props.state, pane)}
                fallback={<Dynamic component={PANE_COMPONENTS[pane]} rect={rect()} focused={isFocused(pane)} />}
              >
                {(overlay: Accessor<Overlay>) => (
                  <OverlayPane overlay={overlay()} rect={rect()} focused={isFocused(pane)} pane={pane} />
                )}
              </Show>
            </FaultBoundary>
          )}
        </Show>
      )}
    </For>
  )
}

/** The question in front; each has a form of its own. */
function Question(props: { screenLayout: ScreenLayout }): JSX.Element {
  const { question, places } = props.screenLayout
  return (
    <Show when={question()?.prompt.key} keyed>
      {(_: number) => (
        <FaultBoundary rect={places().body}>
          <Show when={question()}>
            {(front: Accessor<NonNullable<ReturnType<ScreenLayout["question"]>>>) => (
              <PromptPane place={front().place} prompt={front().prompt} />
            )}
          </Show>
        </FaultBoundary>
      )}
    </Show>
  )
}

function Rows(props: { rect: Rect; lines: readonly Line[] }): JSX.Element {
  return (
    <Show when={props.rect.height > 0}>
      <box {...boxAt(props.rect)}>
        <Canvas lines={props.lines} />
      </box>
    </Show>
  )
}

type ScreenLayout = Readonly<ReturnType<typeof useScreenLayout>>

function useScreenLayout(state: Accessor<State>, render: Accessor<RenderContext>, outline: SessionOutline) {
  const size = useTerminalDimensions()
  const banners = createMemo(() => bannerLines(state(), render(), size().width))
  const wanted = createMemo<Wanted>(before => wantedNow(state(), size(), before), noneWanted)
  const terminal = () => ({ columns: size().width, rows: size().height })
  const bannerRows = createMemo(() => banners().length)
  const isOnlyOne = createMemo(() => isAlone(state().present, state().view))
  const listRows = createMemo(() => wanted().rows)
  const lanes = createMemo(() => state().present.invocations.length)
  const needs = () => ({ banner: bannerRows(), wanted: listRows(), lanes: lanes(), isAlone: isOnlyOne() })
  const body = () => layout(terminal(), state().view, needs()).body
  const question = createMemo(() => {
    const prompt = shownPrompt(state())
    return prompt === null ? null : { prompt, place: promptPlace(state(), prompt, body()) }
  })
  const below = createMemo(() => Math.max(question()?.place.rect.height ?? 0, formRows(overIn(state().view), body())))
  const withQuestion = () => ({ ...needs(), question: below() })
  const view = createMemo(() => (question() === null ? state().view : behindView(state())))
  const places = createMemo(() => layout(terminal(), view(), withQuestion()))
  const paneRect = (pane: PaneId): Rect | undefined => places().panes[pane]
  /** The layout that a plan needs: of a pane, else of the panel in front. */
  const measure = (named?: PaneId): Omit<ViewContext, "now"> => {
    // A command of the palette runs in the panel below it.
    const below = underPalette(state())
    const { view } = below
    const at = (rect: Rect) => ({ ...inside(rect), render: render(), outline })
    if (named !== undefined) return shownIn(below, named).measure(below, at(paneRect(named) ?? places().body))
    if (overlayInFront(view) !== undefined) {
      const over = overIn(view)
      const rect = over === undefined ? paneRect(view.focus) : overRect(over, places().body)
      return frontOf(below).measure(below, at(rect ?? places().body))
    }
    const asked = question()
    // With a question in front, keys scroll the pane behind it, whichever has the focus.
    const pane = asked === null ? view.focus : logIsBehind(state()) ? "log" : "text"
    const measures = panes[pane].measure(below, at(paneRect(pane) ?? places().body))
    if (asked === null) return { ...measures, isTiny: places().mode === "tiny" }
    const { prompt, place } = asked
    const behind = behindQuestion(terminal(), state(), withQuestion())
    return { ...measures, behind, question: questionScroll(prompt, place.columns, place.question) }
  }
  return { places, banners, question, paneRect, measure }
}

/** The rows that the live pane asked for last, and the sizes and list that it asked with. */
interface Wanted {
  readonly rows: number
  readonly since: readonly unknown[]
}

const noneWanted: Wanted = { rows: 0, since: [] }

/** The pane grows when it needs rows, and shrinks only on a resize or by a key that changes its list. */
function wantedNow(state: State, { width, height }: { width: number; height: number }, before: Wanted): Wanted {
  const { list, maximized } = state.view
  const { folded, unfolded, order, filter, pins } = list
  const since = [width, height, folded, unfolded, order, filter, pins, maximized]
  const rows = rowsWanted(state)
  const isSame = since.every((one, i) => one === before.since[i])
  return { rows: isSame ? Math.max(rows, before.rows) : rows, since }
}

/** The prompt in front; none while a list or a page is open or a line is typed in a pane, which it would cover. */
function shownPrompt(state: State): Prompt | null {
  const { typing } = state.view
  if (withoutOvers(state.view).length > 0) return null
  return typing === null || typing.to === "palette" ? frontPrompt(state) : null
}

/** Keeps a fault to its pane: what threw is shown in its place, and all others live (docs/opentui.md). */
function FaultBoundary(props: { rect: Rect; children: JSX.Element }): JSX.Element {
  return (
    <ErrorBoundary
      fallback={(fault: unknown) => (
        <TitledBox rect={props.rect} focused={false} title="FAULT">
          <Canvas lines={faultLines(fault, props.rect.width - 4)} />
        </TitledBox>
      )}
    >
      {props.children}
    </ErrorBoundary>
  )
}

function faultLines(fault: unknown, columns: number): readonly Line[] {
  const words = fault instanceof Error ? fault.message : String(fault)
  const text = `Can't draw this pane: ${sanitizeLine(words)}. Your run is fine.`
  return wrap(text, columns).map(one => line(span(one, "error")))
}
