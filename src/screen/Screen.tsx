// Draws the whole screen.
import { Dynamic } from "@opentui/solid"
import { type Accessor, createMemo, For, type JSX, Show } from "solid-js"
import { TranscriptsContext } from "../panels/common/use-place.ts"
import { scopeOf } from "../panels/front.ts"
import { LivePane } from "../panels/live/Pane.tsx"
import { LogPane } from "../panels/log/Pane.tsx"
import { PromptPane } from "../panels/prompt/Pane.tsx"
import { TextPane } from "../panels/session-text/Pane.tsx"
import { GoTo } from "../panels/time/Pane.tsx"
import type { Row } from "../run/model/run.ts"
import { SessionOutline } from "../transcript/session-outline.ts"
import { TranscriptText } from "../transcript/transcript.ts"
import { Canvas } from "../ui/Canvas.tsx"
import type { Glyphs } from "../ui/glyphs.ts"
import type { Rect } from "../ui/layout.ts"
import type { Line } from "../ui/line.ts"
import type { RenderContext, Title } from "../ui/render-context.ts"
import { bindStore, ScreenContext, type Screen as Shared } from "../ui/screen-context.ts"
import type { Theme } from "../ui/theme.ts"
import type { Effect } from "../view/effect.ts"
import { PANES } from "../view/pane-names.ts"
import { type State, timeShown } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import type { Overlay } from "../view/view.ts"
import { FaultBoundary } from "./FaultBoundary.tsx"
import { footerLine } from "./footer.ts"
import { headerLine } from "./header.ts"
import { OverlayPane } from "./Overlay.tsx"
import { useClock } from "./use-clock.ts"
import { useKeys } from "./use-keys.ts"
import { type ScreenLayout, useScreenLayout } from "./use-screen-layout.ts"

export interface ScreenProps {
  readonly store: Store
  readonly title: Title
  readonly theme: Accessor<Theme>
  readonly glyphs: Glyphs
  readonly motion: boolean
  /** Epoch ms. */
  readonly now: () => number
  readonly perform: (effects: readonly Effect[]) => void
  readonly showRows: (rows: readonly Row[] | null) => void
}

export function Screen(props: ScreenProps): JSX.Element {
  const state = bindStore(props.store)
  const ticked = useClock(state, props.motion, props.now)
  const context = createMemo((): RenderContext => {
    ticked()
    const { glyphs, motion } = props
    return { glyphs, motion, now: timeShown(state(), props.now()) }
  })
  const transcripts = { pane: new TranscriptText(), reader: new TranscriptText(), inspector: new SessionOutline() }
  const screenLayout = useScreenLayout(state, context, transcripts)
  const ask: Shared["ask"] = intent =>
    props.perform(props.store.ask(intent, { now: props.now(), ...screenLayout.measure() }))
  const { pending, ...fields } = useKeys(props.store, ask)
  // Drawing asks for the theme many times a frame, and for the scope.
  const theme = createMemo(() => props.theme())
  const scope = createMemo(() => scopeOf(state()))
  const { places, banners } = screenLayout
  const header = () => headerLine(state(), props.title, context(), places().header.width)
  return (
    <ScreenContext.Provider
      value={{ state, context, theme, scope, title: props.title, ask, showRows: props.showRows, ...fields }}
    >
      <TranscriptsContext.Provider value={transcripts}>
        <Rows rect={places().header} lines={[{ spans: header() }]} />
        <Panes state={state()} screenLayout={screenLayout} />
        <Question screenLayout={screenLayout} />
        <Show when={state().view.overlays.at(-1)}>
          {(front: Accessor<Overlay>) => (
            <FaultBoundary rect={places().body}>
              <OverlayPane overlay={front()} rect={places().body} />
            </FaultBoundary>
          )}
        </Show>
        <Rows rect={places().banner} lines={banners()} />
        <GoTo
          rect={places().footer}
          footer={() => footerLine(state(), places().footer.width, context().now, pending())}
        />
      </TranscriptsContext.Provider>
    </ScreenContext.Provider>
  )
}

const PANE_COMPONENTS = { live: LivePane, text: TextPane, log: LogPane }

function Panes(props: { state: State; screenLayout: ScreenLayout }): JSX.Element {
  const isFocused = (pane: string) => props.state.view.focus === pane && props.screenLayout.question() === null
  return (
    <For each={PANES}>
      {pane => (
        <Show when={props.screenLayout.paneRect(pane)}>
          {(rect: Accessor<Rect>) => (
            <FaultBoundary rect={rect()}>
              <Dynamic component={PANE_COMPONENTS[pane]} rect={rect()} focused={isFocused(pane)} />
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

/** Lines without a border; nothing where there is no room for them. */
function Rows(props: { rect: Rect; lines: readonly Line[] }): JSX.Element {
  return (
    <Show when={props.rect.height > 0}>
      <box
        position="absolute"
        left={props.rect.x}
        top={props.rect.y}
        width={props.rect.width}
        height={props.rect.height}
      >
        <Canvas lines={props.lines} />
      </box>
    </Show>
  )
}
