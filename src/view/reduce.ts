import { type LocalFrame, noteFrame } from "../../packages/wire/src/encode.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { withChanges, withoutChanges, withoutHits } from "../query/conditions.ts"
import { acts, foldWithBreakpoints, playFrames } from "../query/fold-with-breakpoints.ts"
import { wholeLog } from "../query/match-index.ts"
import { noMarkers, type TimelineMarkers, withMarkers } from "../query/timeline-markers.ts"
import { fold } from "../run/fold.ts"
import { mergeRecalled, noneRecalled } from "../run/memory/recalled-frames.ts"
import { initialRun, type Run } from "../run/model/run.ts"
import { withCapture } from "../run/select/captures.ts"
import type { Action } from "./action.ts"
import { attached, EFFECT_MS, NO_EFFECT, OP_WORDS, overdue, stillPending } from "./pending-ops.ts"
import { followQuestions, type Hands } from "./questions/follow-questions.ts"
import { isIgnoring } from "./questions/ignored-keys.ts"
import { keepRecalledTexts } from "./recalled-texts.ts"
import { sessionOf, targetOf } from "./select/shown-session.ts"
import { withFocus } from "./select/stack.ts"
import { isRecording, presentOf, type StoreState } from "./state.ts"
import { changed, emptyView, NOTICE_MS, type Notice, type View } from "./view.ts"

/** Our answers and ops, and notes of the connection and of ops without effect (docs/decisions.md 1.11). */
export function localFrames(state: StoreState, action: Action): readonly LocalFrame[] {
  // A recording has them already.
  if (isRecording(state)) return []
  if (action.type === "local") return action.frames
  if (action.type === "link") {
    const { state: to } = action.link
    const isTold = (to === "open" || to === "lost") && to !== state.link.state
    return isTold ? [noteFrame(action.now, "link", { state: to })] : []
  }
  if (action.type !== "tick") return []
  return overdue(state.view.control.ops, action.now).map(({ op }) =>
    noteFrame(action.now, "timed-out", { op, why: NO_EFFECT }),
  )
}

/** The state after an action; the same object where nothing changed. */
export function reduce(state: StoreState, action: Action): StoreState {
  return reduceWith(state, action, localFrames(state, action))
}

/** The same, for a caller that needs the action's `localFrames` too. */
export function reduceWith(state: StoreState, action: Action, own: readonly LocalFrame[]): StoreState {
  switch (action.type) {
    case "frames":
      return takeIn(state, action.frames, action.hands)
    case "local":
      return takeIn(state, own.map(decodedOf))
    case "restored":
      return restored(state, action.run, action.marks)
    case "refilled":
      return refolded(state, action)
    case "play":
      return playOn(state, action.frames)
    case "show":
      return seek(state, action.run)
    case "time":
      return { ...state, time: { ...state.time, ...action.change } }
    case "link": {
      const taken = { ...takeIn(state, own.map(decodedOf)), link: action.link }
      if (action.link.state === "ended" && taken.time.present !== null) return seek(taken, taken.run)
      if (action.link.state !== "open" || own.length === 0 || taken.view.control.ops.length === 0) return taken
      return { ...taken, view: changed(taken.view, { control: { ops: attached(taken.view.control.ops) } }) }
    }
    case "restart":
      return restarted(state, action.now)
    case "view":
      return { ...state, view: withFocus(state.view, action.change) }
    case "directory":
      return { ...state, directory: action.directory }
    case "defined":
      return { ...state, definition: action.definition }
    case "files":
      return { ...state, files: { ...state.files, ...action.change } }
    case "captured":
      return { ...state, captures: withCapture(state.captures, action.ref, action.captured) }
    case "hold": {
      const present = state.time.present === null ? null : held(state.time.present)
      return { ...state, run: held(state.run), time: { ...state.time, present } }
    }
    case "texts-recalled":
      return { ...state, recalledTexts: keepRecalledTexts(state, action.texts) }
    case "recalled":
      return { ...state, recalled: mergeRecalled(state.recalled, action.frames) }
    case "watched": {
      const { conditions } = state.view
      if (action.generation !== conditions.generation) return state
      const next = withChanges(conditions, action.found, action.read)
      return next === conditions ? state : { ...state, view: changed(state.view, { conditions: next }) }
    }
    case "home":
      return { ...state, home: action.home }
    case "tick":
      return expire(takeIn(state, own.map(decodedOf)), action.now)
  }
}

/** The file of a recording shrank: it is read again from its start. A person's choices stay. */
function restarted(state: StoreState, now: number): StoreState {
  const { focus, maximized, log, conditions, setup } = state.view
  const view = changed(emptyView, {
    focus,
    maximized,
    notice: warning("The file was changed before its end, and read again", now),
    log: { times: log.times, bookmarks: log.bookmarks, filters: { ...log.filters, scanned: wholeLog } },
    conditions: withoutHits(withoutChanges(conditions)),
    setup: { isFromHome: setup.isFromHome },
  })
  const time = { ...state.time, present: null, playing: false, marks: noMarkers }
  return {
    ...state,
    run: initialRun(state.run.options),
    view,
    time,
    captures: new Map(),
    recalled: noneRecalled,
    recalledTexts: new Map(),
  }
}

function held(run: Run): Run {
  const { POSITIVE_INFINITY: unbounded } = Number
  return { ...run, options: { ...run.options, rowWindow: unbounded, textBudget: unbounded } }
}

function decodedOf({ frame }: LocalFrame): Decoded {
  return frame
}

/** The state after these frames, the agent's or ours. While the past is shown, the present grows beside it. */
function takeIn(state: StoreState, frames: readonly Decoded[], hands?: Hands): StoreState {
  const before = presentOf(state)
  // In a recording, conditions are hit by moments that are played, not by those only read.
  const isWatched = !isRecording(state) && state.view.conditions.list.some(acts)
  const { run, conditions } = isWatched
    ? foldWithBreakpoints(before, frames, state.view.conditions, state.zone)
    : { run: fold(before, frames), conditions: state.view.conditions }
  if (run === before) return state
  const { control } = state.view
  const ops = stillPending(control.ops, frames)
  const another = before.epochs.length > 0 && run.epochs.length > before.epochs.length
  const same = ops === control.ops && conditions === state.view.conditions
  const waiting = same ? state.view : changed(state.view, { control: { ops }, conditions })
  const notice = another ? waiting.notice : correctedNotice(waiting.notice, before, run)
  const noted = notice === waiting.notice ? waiting : { ...waiting, notice }
  const view = followQuestions(state, noted, run, hands ?? null)
  return restored({ ...state, view }, run, withMarkers(state.time.marks, before, run))
}

function restored(state: StoreState, run: Run, marks: TimelineMarkers): StoreState {
  const time = { ...state.time, marks }
  if (state.time.present !== null) return { ...state, time: { ...time, present: run } }
  return shown({ ...state, time }, run)
}

/** The state with `run` on the screen; the selection follows the session at work. */
function shown(state: StoreState, run: Run): StoreState {
  return { ...state, run, view: follow(state.run, run, state.view) }
}

/** Frames of a recording hit conditions as they are played; those of a live run did when they came. */
function playOn(state: StoreState, lines: readonly Decoded[]): StoreState {
  if (!isRecording(state)) return shown(state, fold(state.run, lines))
  const { run, conditions, stopped } = playFrames(state.run, lines, state.view.conditions, state.zone)
  const time = stopped ? { ...state.time, playing: false } : state.time
  // With the same view object, the screen may draw this moment later.
  const view = conditions === state.view.conditions ? state.view : changed(state.view, { conditions })
  return shown({ ...state, time, view }, run)
}

type Refilled = Extract<Action, { readonly type: "refilled" }>

/** The run folded again: the view holds ids, so what it shows stays. Matches found in the run are gone. */
function refolded(state: StoreState, { run: present, shown: moment, marks }: Refilled): StoreState {
  const run = moment ?? present
  const { log, conditions } = state.view
  const view = changed(state.view, {
    log: { filters: { ...log.filters, scanned: wholeLog } },
    conditions: withoutChanges(conditions),
  })
  const time = {
    ...state.time,
    present: moment === null ? null : present,
    playing: moment !== null && state.time.playing,
    marks,
  }
  return { ...state, run, view, time, recalled: noneRecalled, recalledTexts: new Map() }
}

/** Another moment. The present, or a recording's last moment, is followed; a session not there yet is not selected. */
function seek(state: StoreState, wanted: Run | null): StoreState {
  const present = presentOf(state)
  const isLast = state.link.state === "ended" && wanted?.frames.lines === present.frames.lines
  const run = isLast ? null : wanted
  const to = run ?? present
  if (to === state.run && (run === null) === (state.time.present === null)) return state
  const time = { ...state.time, present: run === null ? null : present, playing: run !== null && state.time.playing }
  const { selected } = state.view.list
  const gone = selected?.type === "session" && sessionOf(to, selected) === null
  const cursor = run === null ? null : state.view.log.cursor
  const view = changed(state.view, { log: { cursor }, ...(gone && { list: { selected: null, pinned: false } }) })
  return shown({ ...state, view, time }, to)
}

/** Until a person chooses, the selection is a session at work, else the one whose work ended last. */
function follow(before: Run, run: Run, view: View): View {
  const { selected } = view.list
  const { open } = run.tally
  if (view.list.pinned || run.sessions.length === 0) return view
  if (selected?.type === "session" && open.includes(sessionOf(run, selected) ?? -1)) return view
  if (selected !== null && open.length === 0 && run.facts.lastEnded === before.facts.lastEnded) return view
  const latest = open.at(-1) ?? run.facts.lastEnded ?? run.sessions.length - 1
  return changed(view, { list: { selected: targetOf(run, latest) } })
}

/** A notice that says "Answered" is not left standing when the agent refuses that answer. */
function correctedNotice(notice: Notice | null, before: Run, { prompts }: Run): Notice | null {
  if (notice === null || prompts === before.prompts) return notice
  const refused = prompts.find(({ state, errors }, index) => {
    const earlier = before.prompts[index]
    const isRefused = earlier === undefined ? errors.length > 0 : earlier.errors !== errors
    return state === "open" && (earlier?.state === "answered" || isRefused)
  })
  if (refused === undefined) return notice
  return { ...notice, text: ["Refused", ...refused.errors].join(": "), level: "warning" }
}

/** Ends a notice, the wait for ops without an effect, which the log records, and the time in which keys are ignored. */
function expire(before: StoreState, now: number): StoreState {
  const { ignored } = before.view.questions
  const isDue = ignored !== null && !isIgnoring(ignored, now)
  const state = isDue ? { ...before, view: changed(before.view, { questions: { ignored: null } }) } : before
  const late = overdue(state.view.control.ops, now)
  const { notice } = state.view
  if (late.length > 0) {
    const ops = state.view.control.ops.filter(one => !late.includes(one))
    const given = warning(`${late.map(({ op }) => OP_WORDS[op].verb).join(", ")}: ${NO_EFFECT}`, now)
    return { ...state, view: changed(state.view, { control: { ops }, notice: given }) }
  }
  if (notice === null || notice.until > now) return state
  return { ...state, view: { ...state.view, notice: null } }
}

/** When `expire` has something to end, epoch ms; null while nothing ends by itself. */
export function nextEnd({ notice, questions, control }: View): number | null {
  const ops = control.ops.map(({ sentAt }) => sentAt + EFFECT_MS)
  const ends = [notice?.until ?? Infinity, questions.ignored?.until ?? Infinity, ...ops]
  const first = Math.min(...ends)
  return Number.isFinite(first) ? first : null
}

function warning(text: string, now: number): Notice {
  return { text, level: "warning", until: now + NOTICE_MS }
}
