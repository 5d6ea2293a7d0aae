import { useKeyboard, useTerminalDimensions } from "@opentui/solid"
import {
  type Accessor,
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  Match,
  onCleanup,
  Show,
  Switch,
} from "solid-js"
import { dispatch, nonePending, type Pending } from "../keys/dispatch.ts"
import { strokesOf } from "../keys/stroke.ts"
import { SILENT_MS, silentAt } from "../panels/alerts/alerts.ts"
import { inspectorFacts } from "../panels/inspector/Pane.tsx"
import { LivePane } from "../panels/live/Pane.tsx"
import { LogPane } from "../panels/log/Pane.tsx"
import { sheetOf } from "../panels/pager/Pane.tsx"
import { PromptPane } from "../panels/prompt/Pane.tsx"
import { behindQuestion, paneAbove, promptPlace } from "../panels/prompt/place.ts"
import { scopeOf } from "../panels/scope.ts"
import { TextPane } from "../panels/session-text/Pane.tsx"
import { GoTo } from "../panels/time/Pane.tsx"
import { hasUnsafe } from "../protocol/sanitize.ts"
import type { Prompt, Row } from "../run/model/run.ts"
import { SessionOutline } from "../transcript/session-outline.ts"
import { TranscriptText } from "../transcript/transcript.ts"
import { Canvas } from "../ui/Canvas.tsx"
import type { Glyphs } from "../ui/glyphs.ts"
import { layout } from "../ui/layout.ts"
import type { Line } from "../ui/line.ts"
import { inside, type Rect } from "../ui/rect.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { bindStore, type Screen as Context, ScreenContext, type TextField } from "../ui/screen-context.ts"
import { shownPrompt } from "../ui/TypedLine.tsx"
import type { Theme } from "../ui/theme.ts"
import type { Title } from "../ui/title.ts"
import type { Effect } from "../view/effect.ts"
import type { PaneId } from "../view/pane-names.ts"
import { readText, shownSession } from "../view/select/asker.ts"
import type { Store } from "../view/store.ts"
import type { Overlay } from "../view/view.ts"
import type { ViewContext } from "../view/view-context.ts"
import { bannerLines } from "./banner.ts"
import { FaultBoundary } from "./FaultBoundary.tsx"
import { footerLine } from "./footer.ts"
import { headerLine } from "./header.ts"
import { OverlayOf } from "./Overlay.tsx"
import { pulse } from "./pulse.ts"

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

/** The whole screen: what stands where, and the only listener for keys. */
export function Screen(props: ScreenProps): JSX.Element {
  const state = bindStore(props.store)
  const size = useTerminalDimensions()
  const [now, setNow] = createSignal(props.now())
  createEffect(() => {
    const period = pulse(state(), props.motion)
    if (period === null) return
    const timer = setInterval(() => setNow(props.now()), period)
    onCleanup(() => clearInterval(timer))
  })
  // One look at the clock when a session may have been silent for too long; until then nothing is reckoned.
  let listening: Timer | null = null
  createEffect(() => {
    now()
    const at = listening === null ? silentAt(state(), props.now()) : null
    if (at === null) return
    listening = setTimeout(
      () => {
        listening = null
        setNow(props.now())
      },
      Math.min(SILENT_MS, at - props.now()),
    )
  })
  onCleanup(() => listening !== null && clearTimeout(listening))
  const context = createMemo((): RenderContext => {
    const { link, run } = state()
    const recorded = link.state === "replaying" || link.state === "ended" || state().isPast
    now()
    return { glyphs: props.glyphs, motion: props.motion, now: recorded ? (run.lastTs ?? 0) : props.now() }
  })
  const banners = createMemo(() => bannerLines(state(), context(), size().width))
  const places = createMemo(() => layout(size().width, size().height, state().view, banners().length))
  // Whoever draws asks for it, many times a frame.
  const theme = createMemo(() => props.theme())
  // Two widths of the same text: each has its own lines, so that neither is wrapped anew for the other.
  const transcripts = { pane: new TranscriptText(), reader: new TranscriptText(), inspector: new SessionOutline() }
  const overlay = () => state().view.overlays.at(-1)
  const scope = createMemo(() => scopeOf(state()))
  const prompt = createMemo(() => shownPrompt(state()))
  const question = createMemo(() => {
    const front = prompt()
    return front === null ? null : promptPlace(state(), front, places().body)
  })
  const paneRect = (pane: PaneId): Rect | undefined => {
    const rect = places().panes[pane]
    const modal = question()
    const isRead = pane === "text" || (pane === "log" && state().view.focus === "log")
    return rect === undefined || modal === null || !isRead ? rect : (paneAbove(rect, modal.rect) ?? rect)
  }

  const facts = (): ViewContext => {
    const { body, panes } = places()
    const { run, view } = state()
    const front = overlay()
    const asked = front === undefined ? question() : null
    const pane = asked !== null && view.focus === "live" ? "text" : view.focus
    const rows = inside(front === undefined ? (paneRect(pane) ?? panes[pane] ?? body) : body)
    const behind = asked === null ? {} : { behind: behindQuestion(size(), state(), banners().length, asked.rect) }
    if (front !== undefined && "top" in front) {
      const sheet = sheetOf(state(), front, context(), body)
      return { now: props.now(), page: sheet.rows, lines: sheet.length, sheet }
    }
    if (front?.type === "inspector") {
      return { now: props.now(), ...inspectorFacts(state(), context(), rows, transcripts.inspector) }
    }
    const index = shownSession(state())
    const read = front === undefined ? pane === "text" : front.type === "reader"
    if (index === null || !read) return { now: props.now(), page: rows.rows, lines: 0, ...behind }
    const transcript = front === undefined ? transcripts.pane : transcripts.reader
    transcript.update(run, { ...readText(state()), session: index }, rows, context())
    return { now: props.now(), page: rows.rows, lines: transcript.length, text: transcript, ...behind }
  }

  const [pending, setPending] = createSignal<Pending>(nonePending)
  let field: TextField | null = null
  let typed: TextField | null = null
  const screen: Context = {
    state,
    context,
    theme,
    scope,
    title: props.title,
    showRows: rows => props.showRows(rows),
    ask: intent => props.perform(props.store.ask(intent, facts())),
    setField: front => {
      field = front
    },
    setLine: front => {
      typed = front
    },
  }

  useKeyboard(key => {
    // The library's fields would draw it as it is; a paste brings it as a mark.
    if (hasUnsafe(key.sequence)) {
      key.preventDefault()
      return
    }
    for (const stroke of strokesOf(key)) {
      const next = dispatch(scopeOf(props.store.shown()), pending(), stroke)
      setPending(next.pending)
      const typing = next.decision.type === "text"
      // Whoever types on need not have seen a warning.
      if (!typing || props.store.get().view.notice?.level === "info") screen.ask({ type: "notice/dismiss" })
      if (typing) continue
      key.preventDefault()
      if (next.decision.type !== "intent") continue
      // The field tells of a change only later; what was typed before this key counts all the same.
      if (field !== null) screen.ask(field.intent(field.read()))
      if (typed !== null) screen.ask(typed.intent(typed.read()))
      screen.ask(next.decision.intent)
    }
  })

  return (
    <ScreenContext.Provider value={screen}>
      <Rows rect={places().header} lines={[{ spans: headerLine(state(), props.title, context(), size().width) }]} />
      <For each={PANES}>
        {pane => (
          <Show when={paneRect(pane)}>
            {(rect: Accessor<Rect>) => (
              <FaultBoundary rect={rect()}>
                <PaneOf
                  pane={pane}
                  rect={rect()}
                  focused={state().view.focus === pane && prompt() === null}
                  transcript={transcripts.pane}
                />
              </FaultBoundary>
            )}
          </Show>
        )}
      </For>
      <Show when={prompt()?.key} keyed>
        {(_: number) => (
          <FaultBoundary rect={places().body}>
            <Show when={prompt()}>
              {(front: Accessor<Prompt>) => (
                <PromptPane place={question() ?? promptPlace(state(), front(), places().body)} prompt={front()} />
              )}
            </Show>
          </FaultBoundary>
        )}
      </Show>
      <Show when={overlay()}>
        {(front: Accessor<Overlay>) => (
          <FaultBoundary rect={places().body}>
            <OverlayOf
              overlay={front()}
              rect={places().body}
              transcript={transcripts.reader}
              outline={transcripts.inspector}
            />
          </FaultBoundary>
        )}
      </Show>
      <Rows rect={places().banner} lines={banners()} />
      <GoTo
        rect={places().footer}
        footer={() => footerLine(state(), places().footer.width, context().now, pending())}
      />
    </ScreenContext.Provider>
  )
}

const PANES: readonly PaneId[] = ["live", "text", "log"]

function PaneOf(props: { pane: PaneId; rect: Rect; focused: boolean; transcript: TranscriptText }): JSX.Element {
  return (
    <Switch>
      <Match when={props.pane === "live"}>
        <LivePane rect={props.rect} focused={props.focused} />
      </Match>
      <Match when={props.pane === "text"}>
        <TextPane rect={props.rect} focused={props.focused} transcript={props.transcript} />
      </Match>
      <Match when={props.pane === "log"}>
        <LogPane rect={props.rect} focused={props.focused} />
      </Match>
    </Switch>
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
