import { decode } from "../protocol/decode.ts"
import type { Decoded } from "../protocol/frame.ts"
import type { Action } from "./action.ts"
import { readSession } from "./asker.ts"
import { followBranch, settleRerun } from "./branch.ts"
import { unhit } from "./breakpoint.ts"
import { keepCapture } from "./captures.ts"
import { carry } from "./carry.ts"
import { longerLog } from "./files.ts"
import { EFFECT_MS, NO_EFFECT, overdue, type PendingOp, stillPending } from "./ops.ts"
import { openPrompts } from "./read.ts"
import { emptyRun, type Run } from "./run.ts"
import { saidBy } from "./said.ts"
import { isOpen } from "./sessions.ts"
import { everything } from "./sieve.ts"
import type { State } from "./state.ts"
import { emptyView, type Notice, type View } from "./view.ts"
import { watch } from "./watch.ts"

/** How long a word about what happened stays on the screen, ms. */
export const NOTICE_MS = 5000

/** The state after an action; the same object where nothing changed. */
export function reduce(state: State, action: Action): State {
  switch (action.type) {
    case "frames":
      return takeIn(state, action.lines)
    case "said":
      return takeIn(state, saidBy(state, action).map(decode))
    case "refilled":
      return { ...state, run: action.run, view: carry(state.view, state.run, action.run) }
    case "link":
      return { ...takeIn(state, saidBy(state, action).map(decode)), link: action.link }
    case "restart": {
      const { focus, maximized, breakpoints, filters, times, bookmarks } = state.view
      const kept: View = {
        ...emptyView,
        focus,
        maximized,
        times,
        bookmarks,
        breakpoints: unhit(breakpoints),
        filters: { ...filters, sifted: everything },
      }
      const until = action.now + NOTICE_MS
      const view: View =
        action.why === "loop"
          ? kept
          : { ...kept, notice: { text: "The file shrank: history restarted", level: "warning", until } }
      return { ...state, run: { ...emptyRun, strategy: state.run.strategy }, view, captures: new Map() }
    }
    case "view": {
      const next = { ...state, view: { ...state.view, ...action.change } }
      if (action.change.textTop == null) return next
      // Whoever chooses a place in a text means the text that is shown.
      return { ...next, view: { ...next.view, textOf: readSession(next) } }
    }
    case "directory":
      return { ...state, directory: action.directory }
    case "defined":
      return { ...state, definition: action.definition }
    case "files":
      return { ...state, files: { ...state.files, ...action.change } }
    case "logged": {
      const log = longerLog(state.files.log, action.lines)
      return { ...state, files: { ...state.files, log, logWhy: null } }
    }
    case "captured":
      return { ...state, captures: keepCapture(state.captures, action.ref, action.captured) }
    case "tick":
      return expire(takeIn(state, saidBy(state, action).map(decode)), action.now)
  }
}

/** The state after these lines, be they the agent's or ours. */
function takeIn(state: State, lines: readonly Decoded[]): State {
  const { run, breakpoints } = watch(state.run, lines, state.view.breakpoints, state.zone)
  if (run === state.run) return state
  const grown = run.sessions.length > state.run.sessions.length
  const ops = stillPending(state.view.ops, lines)
  const same = ops === state.view.ops && breakpoints === state.view.breakpoints
  const waiting = same ? state.view : { ...state.view, ops, breakpoints }
  const view = settleRerun(waiting, state.run.debug, lines, EFFECT_MS + NOTICE_MS)
  return { ...state, run, view: followBranch(run, follow(run, tidy(run, view), grown)) }
}

/**
 * Until a person chooses, the selection stays with a session that is at work, and moves on when that one ends: to
 * another at work, else to one that came meanwhile.
 */
function follow(run: Run, view: View, grown: boolean): View {
  if (view.pinned || run.sessions.length === 0) return view
  const selected = view.selected
  if (selected?.type === "session" && isOpen(run.streams[selected.session])) return view
  const open = run.streams.findLastIndex(isOpen)
  if (open < 0 && selected !== null && !grown) return view
  const session = open < 0 ? run.sessions.length - 1 : open
  return { ...view, selected: { type: "session", session }, textTop: null }
}

/** Lets go of the drafts of prompts that are settled, and of the wish to hide them once none is left. */
function tidy(run: Run, view: View): View {
  const drafts = view.drafts.filter(({ key }) => {
    const prompt = run.prompts[key - 1]
    return prompt !== undefined && (prompt.state === "open" || (prompt.answer !== null && !prompt.confirmed))
  })
  const promptHidden = view.promptHidden && openPrompts(run).length > 0
  if (drafts.length === view.drafts.length && promptHidden === view.promptHidden) return view
  return { ...view, drafts, promptHidden }
}

/** What ends with time: a notice, and the wait for an op that had no effect, which the log keeps. */
function expire(state: State, now: number): State {
  const late = overdue(state.view.ops, now)
  if (late.length > 0) return giveUp(state, late, now)
  const { notice } = state.view
  if (notice === null || notice.until > now) return state
  return { ...state, view: { ...state.view, notice: null } }
}

function giveUp(state: State, late: readonly PendingOp[], now: number): State {
  const notice: Notice = {
    text: `${late.map(({ op }) => op).join(", ")}: ${NO_EFFECT}`,
    level: "warning",
    until: now + NOTICE_MS,
  }
  const ops = state.view.ops.filter(one => !late.includes(one))
  return { ...state, view: { ...state.view, ops, notice } }
}
