import { noneRecalled, recalledRowAt } from "../run/memory/recalled-frames.ts"
import type { GroupId } from "../run/model/id.ts"
import type { Prompt } from "../run/model/run.ts"
import { foldBlocks } from "../transcript/block-moves.ts"
import type { BlockText } from "../view/block-reading.ts"
import type { Intent, ViewContext } from "../view/intent.ts"
import { both, change, nothing, notice, type Plan, sendCommand } from "../view/plan-result.ts"
import { NOTICE_MS } from "../view/reduce.ts"
import { readText } from "../view/select/asker.ts"
import { groupOf, sameTarget, shownRows } from "../view/select/live-rows.ts"
import { cursorIndex } from "../view/select/log-rows.ts"
import { isRecording, type State } from "../view/state.ts"
import { atPresent, isPast } from "../view/time.ts"
import { type Overlay, type PaneId, TIMES, type Times, type View } from "../view/view.ts"
import { goToAlert, planAlerts } from "./alerts/update.ts"
import { planBookmark } from "./bookmarks/update.ts"
import { planBranch } from "./branches/update.ts"
import { planBreakpoint, planHits } from "./breakpoints/update.ts"
import { planOp } from "./debugger/update.ts"
import { nextHit, planFilter, planScan } from "./filters/update.ts"
import { findInspected, isTranscript, planInspect } from "./inspector/update.ts"
import { planJump } from "./log/jump-update.ts"
import { planExport, runExport } from "./menu/export-update.ts"
import { choose, openMenu } from "./menu/update.ts"
import { entryOf } from "./pager/open-entry.ts"
import { foldReading, pageOf, planReading } from "./pager/update.ts"
import { planClose, planQuit } from "./plan-leave.ts"
import { planMove } from "./plan-move.ts"
import { planTyping } from "./plan-typing.ts"
import { maximizeBehind, scrollBehind } from "./prompt/behind.ts"
import { planPrompt } from "./prompt/update.ts"
import { planRerun } from "./rerun/update.ts"
import { planSearch } from "./search/update.ts"
import { LOCKED, planTime } from "./time/update.ts"
import { planWatch } from "./watches/update.ts"

/**
 * Decides what a person's wish comes to. Pure: what only the caller knows comes as facts. What concerns the agent is
 * decided on the present; a key that would send something does nothing while the past is shown.
 */
export function plan(state: State, intent: Intent, facts: ViewContext): Plan {
  if (!isPast(state) || isRecording(state)) return decide(state, intent, facts)
  if (OF_PRESENT.includes(intent.type)) return decide(atPresent(state), intent, facts)
  const made = decide(state, intent, facts)
  const sends = intent.type === "op" || made.effects.some(({ type }) => type === "send")
  return sends ? notice(LOCKED, "warning", facts.now) : made
}

/** Wishes that are not about what is shown. */
const OF_PRESENT: readonly Intent["type"][] = ["hits", "resend", "quit", "edited", "draft"]

function decide(state: State, intent: Intent, facts: ViewContext): Plan {
  switch (intent.type) {
    case "time":
      if (intent.wish.to === "condition" && state.view.sought === null) {
        return planNext(state, intent.wish.step, facts.now)
      }
      return planTime(state, intent.wish, facts.now)
    case "move":
      if (intent.by.unit === "follow" && isPast(state) && state.view.overlays.length === 0) return now
      return planMove(state, intent.by, facts)
    case "focus":
      return change({ focus: nextPane(state.view.focus, intent.step) })
    case "point":
      return state.view.focus === intent.pane ? nothing : change({ focus: intent.pane })
    case "open":
      return planOpen(state)
    case "close":
      return planClose(state, facts.now)
    case "maximize":
      return change({ maximized: !state.view.maximized })
    case "help":
      return toggleOverlay(state, { type: intent.type, top: 0 })
    case "inspect":
      return planInspect(state, intent.wish, facts)
    case "breakpoints":
      return toggleOverlay(state, { type: intent.type, cursor: 0 })
    case "breakpoint":
    case "condition":
      return planBreakpoint(state, intent)
    case "attention":
      return planAlerts(state, facts.now)
    case "attend":
      return goToAlert(state, facts.now)
    case "hits":
      return planHits(state, facts.now)
    case "menu":
      return openMenu(state, facts.now)
    case "choose":
      return state.view.overlays.at(-1)?.type === "menu" ? choose(state, facts.now) : runExport(state, facts.now)
    case "take":
      return planExport(state, intent.wish, facts.now)
    case "rerun":
      return planRerun(state, intent.wish, facts.now)
    case "fold": {
      const page = pageOf(state)
      if (page !== null) return foldReading(state, page, intent.to, facts)
      return facts.text === undefined ? planFold(state, intent.to) : foldText(state, intent.to, facts.text)
    }
    case "reading":
      return intent.wish.to === "hit" && isTranscript(state)
        ? findInspected(state, state.view.inspector.find, intent.wish.step, facts)
        : planReading(state, intent.wish, facts)
    case "filter":
      return planFilter(state, intent.wish)
    case "next":
      return planNext(state, intent.step, facts.now)
    case "bookmark":
      return planBookmark(state, intent.wish, facts.now)
    case "watch":
      return planWatch(state, intent.wish, facts.now)
    case "branch":
      return planBranch(state, intent.wish, facts.now)
    case "hunt":
      return planSearch(state, intent.wish, facts.now)
    case "times":
      return nextTimes(state, facts.now)
    case "sift":
      return planScan(state, intent.lent ?? noneRecalled, facts.now)
    case "recall":
      return { actions: [], effects: [intent] }
    case "jump":
      return planJump(state, intent, facts.now)
    case "search":
    case "typed":
    case "typing":
      return planTyping(state, intent, facts)
    case "op":
      return planOp(state, intent.op, intent.n, facts.now)
    case "scroll-behind":
      return scrollBehind(state, intent.step, facts)
    case "maximize-behind":
      return maximizeBehind(state)
    case "seen":
      return state.view.notice === null ? nothing : change({ notice: null })
    case "quit":
      return planQuit(state, facts.now)
    case "redraw":
    case "suspend":
    case "bug":
      return { actions: [], effects: [{ type: intent.type }] }
    case "record":
      return isRecording(state)
        ? notice("This is a recording already", "info", facts.now)
        : { actions: [], effects: [{ type: "record" }] }
    case "tell":
      return notice(intent.text, intent.level ?? "warning", facts.now, 3 * NOTICE_MS)
    case "resend":
      return resend(state.run.prompts)
    default:
      return planPrompt(state, intent, facts.now)
  }
}

/** Back to the present, whose end is followed. */
const now: Plan = { actions: [{ type: "show", run: null }], effects: [] }

const PANES: readonly PaneId[] = ["live", "text", "log"]

function nextPane(focus: PaneId, step: 1 | -1): PaneId {
  const index = (PANES.indexOf(focus) + step + PANES.length) % PANES.length
  return PANES[index] ?? "live"
}

function toggleOverlay(state: State, wanted: Overlay): Plan {
  const { overlays } = state.view
  const others = overlays.filter(overlay => overlay.type !== wanted.type)
  return change({ overlays: others.length < overlays.length ? others : [...overlays, wanted] })
}

function planNext(state: State, step: 1 | -1, now: number): Plan {
  const { search } = state.view.filters
  if (search !== null && state.view.overlays.length === 0) return nextHit(state, search, step, now)
  return step > 0 ? planOp(state, "turn-next", 1, now) : notice("No search yet: / begins one", "info", now)
}

const TIME_WORDS: { readonly [times in Times]: string } = {
  start: "Times since the start of the run",
  clock: "Times of the clock on the wall",
  row: "Times since the row before",
}

function nextTimes({ view }: State, now: number): Plan {
  const times = TIMES[(TIMES.indexOf(view.times) + 1) % TIMES.length] ?? "start"
  return both(change({ times }), notice(TIME_WORDS[times], "info", now))
}

function planOpen(state: State): Plan {
  const { view } = state
  if (view.focus !== "log") {
    if (view.selected === null) return nothing
    return change({ overlays: [...view.overlays, { type: "reader" }] })
  }
  const row = recalledRowAt(state, cursorIndex(state) ?? -1)
  return row === undefined ? nothing : change({ overlays: [...view.overlays, entryOf(state, row)] })
}

/** Folds what is read: a call with its result, what was thought. */
function foldText(state: State, to: "fold" | "unfold" | "all", blocks: BlockText): Plan {
  const text = readText(state)
  return change({ text: { ...text, ...foldBlocks(text, to, blocks) }, pinned: true })
}

function planFold(state: State, to: "fold" | "unfold" | "all"): Plan {
  const { run, view } = state
  const groups = run.invocations.flatMap(({ id, sessions }) => (sessions.length > 1 ? [id] : []))
  if (to === "all") {
    const folded = groups.every(group => view.folded.includes(group)) ? [] : groups
    return change({ folded, ...reselect(state, folded) })
  }
  const target = view.selected
  if (target === null) return nothing
  const group = groupOf(run, target)
  if (group === null || !groups.includes(group)) return nothing
  const others = view.folded.filter(one => one !== group)
  const folded = to === "fold" ? [...others, group] : others
  return change({ folded, pinned: true, ...reselect(state, folded) })
}

/** A row that folding hides hands the selection to its group. */
function reselect(state: State, folded: readonly GroupId[]): Partial<View> {
  const { selected } = state.view
  if (selected?.type !== "session") return {}
  if (shownRows(state, folded).some(row => sameTarget(row, selected))) return {}
  const invocation = groupOf(state.run, selected)
  return invocation === null ? {} : { selected: { type: "group", invocation } }
}

/** The answers that nobody has confirmed. One to a question that was asked anew under its id would answer the new one. */
function resend(prompts: readonly Prompt[]): Plan {
  const latest = new Map(prompts.map(prompt => [prompt.frame.promptId, prompt.key]))
  return prompts.reduce((plan, { key, frame, answer, confirmed }) => {
    const { promptId } = frame
    if (answer === null || confirmed || latest.get(promptId) !== key) return plan
    const command = answer.cancelled
      ? ({ type: "cancel", promptId } as const)
      : ({ type: "answer", promptId, value: answer.value ?? null } as const)
    return both(plan, sendCommand(command))
  }, nothing)
}
