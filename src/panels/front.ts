// Finds what is in front, and plans the intents that mean something else for each thing in front.
import { keyOf } from "../keys/key-text.ts"
import type { PaneId } from "../view/pane-names.ts"
import { both, change, nothing, notice, only, type Plan } from "../view/plan-result.ts"
import { MOST_MS } from "../view/questions/ignored-keys.ts"
import { askerOf, logIsBehind, readText } from "../view/select/shown-session.ts"
import { isAlone, listIn, overIn, overlayInFront, withoutOvers } from "../view/select/stack.ts"
import { frontPrompt, isGuest, isLive, isOver, isRecording, nextPrompt, type State } from "../view/state.ts"
import { type BackKey, NOTICE_MS, type Notice, type Overlay, typingOf } from "../view/view.ts"
import { close as closeKey, quit as quitKey, shut } from "./common/keys.ts"
import { openTranscript } from "./common/open-entry.ts"
import { isFound } from "./common/pager/keys.ts"
import type { FrontPanel, KeyBinding, KeyScope, SomeUpdates } from "./common/panel.ts"
import { nextFound } from "./common/scan-log.ts"
import { jump, seeks, setTime, toPresent } from "./common/seek.ts"
import { openExport } from "./export/index.ts"
import { keymapOf, overlayPanel, panes } from "./index.ts"
import { endSearch, jumpTo } from "./log/index.ts"
import { interrupt, isAlive, planQuit } from "./program/index.ts"
import { planCancel, scrollQuestion } from "./prompt/answering.ts"
import { hideOrShow } from "./prompt/keys.ts"
import { nextCondition } from "./time/index.ts"

const ESC_MS = 1000

/** What keys act on: what lies over the places, else what the focused place shows. */
export function frontOf(state: State): FrontPanel {
  return panelOf(state, overlayInFront(state.view), state.view.focus)
}

/** What a place shows, whatever has the focus. */
export function shownIn(state: State, pane: PaneId): FrontPanel {
  return panelOf(state, overlayInFront({ overlays: withoutOvers(state.view), focus: pane }), pane)
}

function panelOf(state: State, overlay: Overlay | undefined, pane: PaneId): FrontPanel {
  return overlay === undefined ? panes[pane] : overlayPanel(overlay).front(overlay, state)
}

/** The scope of the keys: a typed line comes before overlays, overlays before a question, a question before panes. */
export function scopeOf(state: State): KeyScope {
  return keymapOf(state.view.setup.keys).scope(scopeIdOf(state))
}

function scopeIdOf(state: State): string {
  if (state.view.questions.ignored?.keys === "all") return "nobody"
  if (state.view.typing !== null) return state.view.typing.to === "palette" ? "palette" : "line"
  if (overlayInFront(state.view) !== undefined) return frontOf(state).scope
  const prompt = state.view.overlays.length > 0 ? null : frontPrompt(state)
  if (prompt === null && seeks(state)) return state.view.focus === "text" ? "past-text" : "past"
  if (prompt === null) {
    const { scope } = frontOf(state)
    return scope === "pane-text" && isAlone(state.present, state.view) ? "pane-alone" : scope
  }
  if (prompt.key === state.view.questions.heldAnswer?.key) return "answered"
  switch (prompt.frame.type) {
    case "text":
      return "text"
    case "confirm":
      return "confirm"
    case "select":
    case "multi":
      return "choice"
  }
}

export const frontUpdates = {
  "front/close": (state, _, { now }) => close(state, now),
  "front/quit": (state, _, { now }) => quit(state, now),
  "cursor/move": (state, { by, pane }, context) => {
    if (pane !== undefined) return shownIn(state, pane).move(state, by, context)
    const isElsewhere = state.isPast || state.time.seeking
    if (by.unit === "follow" && isElsewhere && overIn(state.view) === undefined) return jump(state, toPresent(state))
    return frontOf(state).move(state, by, context)
  },
  "cursor/fold": (state, { to }, context) => {
    const front = frontOf(state)
    // The log has nothing to fold: its keys fold what is beside it.
    const folds = front.fold === undefined && overlayInFront(state.view) === undefined ? panes.live : front
    return folds.fold?.(state, to, context) ?? nothing
  },
  "menu/choose": (state, _, { now }) => frontOf(state).choose?.(state, now) ?? nothing,
  "find/begin": state => {
    const { finder, typed } = frontOf(state)
    if (typed !== undefined) return change({ typing: typed(state) })
    if (finder !== undefined) return change({ typing: typingOf("find") })
    return change({ typing: typingOf("search", "", { focus: state.view.focus }), focus: "log" })
  },
  "find/step": (state, { step }, context) => {
    const { finder } = frontOf(state)
    if (finder !== undefined && isFound(state)) return finder.step(state, step, context)
    return state.view.conditions.sought === null
      ? nextFound(state, step, context.now)
      : nextCondition(state, state.view.conditions.sought, step)
  },
  "log/jump": (state, { kind, step }, context) =>
    frontOf(state).jump?.(state, kind, step, context) ?? jumpTo(state, kind, step, context.now),
  "prompt/scroll-behind": (state, { step }, context) => {
    if (context.question !== undefined) return scrollQuestion(state, step * context.question.page, context)
    const isLog = logIsBehind(state)
    // The live pane keeps its selection behind a question: the text moves in its stead.
    const behind = isLog ? panes.log : panes.text
    switch (context.behind ?? "seen") {
      case "elsewhere":
        return change(isLog ? { focus: "log", maximized: true } : { focus: "text" })
      case "covered":
        if (!isLog) return readAsker(state)
        return both(
          change({ focus: "log" }),
          notice(`${keyOf(state.view, hideOrShow)} hides the question and shows the log`, "info", context.now),
        )
      case "seen":
        return behind.move(state, { unit: "page", count: step }, context)
    }
  },
} satisfies SomeUpdates

/** A question that leaves no room gives way to the text; Esc comes back to it. */
function readAsker(state: State): Plan {
  const prompt = frontPrompt(state)
  const index = prompt === null ? null : askerOf(state.run, prompt)
  return index === null
    ? nothing
    : both(openTranscript(state, index), change({ questions: { promptHidden: true }, reader: { reads: "asker" } }))
}

/** Esc closes what is in front; with nothing open it leads home, or twice interrupts (docs/decisions.md 3.5). */
function close(state: State, now: number): Plan {
  const closed = closeFront(state, now)
  if (closed !== null) return closed
  const { backKey, focus, setup, reader } = state.view
  if (focus === "text" && reader.reads === "asker" && nextPrompt(state) !== null)
    return both(pressed("escape", now), change({ questions: { promptHidden: false }, reader: { reads: "selection" } }))
  const beside = reader.reads === "row" && state.view.log.cursor !== null ? "log" : "live"
  if (focus === "text" && !isAlone(state.present, state.view))
    return both(pressed("escape", now), change({ focus: beside }))
  // Who presses Esc again and again closes things, and means neither to leave nor to interrupt.
  const idle = idleSince(backKey, now)
  const ignored = idle === null ? null : change({ backKey: { by: "escape", at: now, since: idle } })
  const leaves = setup.isFromHome && !isGuest(state)
  const isWarned = backKey?.by === "warning" && now - backKey.at <= NOTICE_MS
  const loss = leaves && ignored === null && !isWarned ? lossWarning(state, closeKey) : null
  if (loss !== null) return both(pressed("warning", now), notice(loss.text, "warning", now))
  if (leaves) return ignored ?? only({ type: "run/leave" })
  if (!isLive(state) && !isGuest(state)) return nothing
  if (isOver(state.run)) return notice("The run is over. Nothing to interrupt", "info", now)
  if (ignored !== null) return ignored
  if (backKey?.by === "warning" && now - backKey.at <= ESC_MS)
    return both(pressed("escape", now), interrupt(state, now))
  const warning = notice(`Press ${keyOf(state.view, closeKey)} again to interrupt the agent`, "warning", now, ESC_MS)
  return both(pressed("warning", now), warning)
}

/** When something was closed, epoch ms, if Esc still counts for nothing because of it; else null. */
function idleSince(backKey: BackKey | null, now: number): number | null {
  if (backKey === null || backKey.by === "warning" || now - backKey.at >= ESC_MS) return null
  const { at, since = at } = backKey
  return now - since < MOST_MS ? since : null
}

function pressed(by: "escape" | "q" | "warning", now: number): Plan {
  return change({ backKey: { by, at: now } })
}

/** `q` closes what is in front; with nothing open it leads home, or quits what is not live (docs/decisions.md 3.5). */
function quit(state: State, now: number): Plan {
  const closed = closeFront(state, now)
  if (closed !== null) return both(closed, both(pressed("q", now), change({ notice: null })))
  const { backKey, setup } = state.view
  // A second press was meant for the page that the first press, or Esc, has closed.
  if (backKey !== null && backKey.by !== "warning" && now - backKey.at < ESC_MS) return nothing
  const warning = lossWarning(state, shut)
  if (warning !== null && state.view.notice?.text !== warning.text)
    return both(pressed("q", now), change({ notice: warning }))
  if (setup.isFromHome) return both(pressed("q", now), only({ type: "run/leave" }))
  if (state.home !== null || isOver(state.present) || isRecording(state)) return planQuit(state, now)
  const key = keyOf(state.view, quitKey)
  const alive = isAlive(state) ? `${key} twice ends the run` : `${key} quits`
  const words = setup.isAttached ? `${key} leaves the run, which goes on · :end ends it` : alive
  return both(pressed("q", now), notice(words, "info", now))
}

/** Warns that leaving ends a run, or loses a finished one, until another key; null if it does neither. */
function lossWarning(state: State, by: KeyBinding): Notice | null {
  const { view, directory, present } = state
  const isKept = view.setup.isKept || view.setup.recording || directory?.error === null
  const ends = view.setup.isFromHome && isGuest(state)
  if (!ends && (isKept || isRecording(state) || !isOver(present))) return null
  const [leave, save] = [keyOf(view, by), keyOf(view, openExport)]
  const text = ends ? `${leave} again ends the run` : `${leave} again leaves · ${save} exports first`
  return { text, level: "warning", until: Number.POSITIVE_INFINITY }
}

/** From the reader back to the list beside it; a list closes with what is read of it; all else closes alone. */
function closeOverlay({ view }: State): Plan {
  const { overlays, focus } = view
  const list = listIn(view)
  const above = overlays.length - 1 - (list === undefined ? -1 : overlays.indexOf(list))
  if (list === undefined || overIn(view) !== undefined || (focus === "text" && above > 1))
    return change({ overlays: overlays.slice(0, -1) })
  return change(focus === "live" ? { overlays: overlays.slice(0, overlays.indexOf(list)) } : { focus: "live" })
}

/** Closes what is in front; null with nothing open. */
function closeFront(state: State, now: number): Plan | null {
  const { view } = state
  const done = pressed("escape", now)
  if (view.overlays.length > 0) return both(done, closeOverlay(state))
  const prompt = frontPrompt(state)
  if (prompt !== null) return both(done, planCancel(state, prompt, now))
  if (state.time.seeking)
    return both(done, both(setTime({ seeking: false }), notice("The search was stopped", "info", now)))
  if (state.home !== null && view.home.filter !== "") return both(done, change({ home: { filter: "" } }))
  if (view.log.filters.search !== null) return both(done, endSearch(state))
  if (view.focus === "live" && view.list.filter !== "") return both(done, change({ list: { filter: "" } }))
  const text = readText(state)
  if (view.focus === "text" && text.find !== null)
    return both(done, change({ reader: { text: { ...text, find: null } } }))
  return view.maximized ? both(done, change({ maximized: false })) : null
}
