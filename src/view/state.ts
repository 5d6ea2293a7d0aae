// Defines the state, as the store holds it and as it is drawn.
import type { ChartDefinition } from "../../packages/wire/src/chart-definition.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { noneRecalled, type Recalled } from "../run/memory/recalled-frames.ts"
import type { Prompt } from "../run/model/prompts.ts"
import { type FoldOptions, initialRun, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import { type DirectoryFiles, noFiles } from "./directory-files.ts"
import type { Home } from "./home.ts"
import { freshDraft, type PromptDraft } from "./questions/draft.ts"
import { presentOnly, type ShownTime, type Time } from "./time.ts"
import { emptyView, type View } from "./view.ts"

/** The state in the store, which the reducer changes. Nothing is drawn or planned from it: see `State`. */
export interface StoreState {
  readonly run: Run
  readonly view: View
  readonly link: Link
  readonly directory: DirectoryStatus | null
  readonly time: Time
  readonly zone: number
  /** The chart as the agent defines it; null where it was not asked, or serves none. */
  readonly definition: ChartDefinition | null
  readonly captures: Captures
  readonly files: DirectoryFiles
  /** Frames read back for rows on the screen. */
  readonly recalled: Recalled
  /** Entries read back for sessions on the screen, by packed chunk. */
  readonly recalledTexts: ReadonlyMap<object, readonly Entry[]>
  /** The home screen, which has no run; null for a run. */
  readonly home: Home | null
}

/** The state as it is drawn and planned from, made of the store's by `shownState`. */
export interface State extends Omit<StoreState, "time" | "recalledTexts"> {
  /** The run at the moment shown; sessions on the screen have the texts that were read back so far. */
  readonly run: Run
  /** Everything received so far, whatever moment is shown. */
  readonly present: Run
  /** True while an earlier moment than the present is shown. */
  readonly isPast: boolean
  readonly time: ShownTime
  /** Sessions on the screen, by index, whose texts must be read back before they can be shown whole. */
  readonly missingTexts: readonly number[]
}

/** The part of a state that decides which question is in front, and which session's text is read. */
export type ForegroundState = Pick<State, "run" | "view" | "link" | "isPast">

/** The part of the store's state that decides which question and session are in front. */
export function foregroundOf(state: StoreState): ForegroundState {
  return { ...state, isPast: state.time.present !== null }
}

/** Everything received so far, whatever moment is shown. */
export function presentOf({ run, time }: Pick<StoreState, "run" | "time">): Run {
  return time.present ?? run
}

/** Where the session directory is (docs/contract.md section 5) and whether it can be read. */
export interface DirectoryStatus {
  readonly path: string
  /** Why it cannot be read, in one line; null where it can. */
  readonly error: string | null
}

/** The state before the first frame. */
export function emptyState(link: Link, given: Partial<FoldOptions> = {}, zone = 0): StoreState {
  return {
    run: initialRun(given),
    view: emptyView,
    link,
    directory: null,
    time: presentOnly,
    zone,
    definition: null,
    captures: new Map(),
    files: noFiles,
    recalled: noneRecalled,
    recalledTexts: new Map(),
    home: null,
  }
}

/** True with an agent that is connected, or may be again: not for a recording. */
export function isLive({ link: { state: link } }: Pick<State, "link">): boolean {
  return link === "connecting" || link === "open" || link === "lost"
}

/** True for a recording, whether or not all of it was read. */
export function isRecording({ link }: Pick<State, "link">): boolean {
  return link.state === "replaying" || link.state === "ended"
}

/** True where time is that of the frames: in a recording, and in the past. */
export function isHistory(state: Pick<State, "link" | "isPast">): boolean {
  return isRecording(state) || state.isPast
}

/** A connection that is back sooner was never away, ms. */
const GONE_MS = 1000

/** For how long the agent of a live run has been gone, ms; null while it is there, or the run over. */
export function goneFor({ link, run, isPast }: ForegroundState, now: number): number | null {
  if (link.state !== "lost" || !link.everOpen || link.api === true || isPast || isOver(run)) return null
  return now - link.since < GONE_MS ? null : now - link.since
}

/** The time at the moment shown, epoch ms: `now` only in the present of a live run. Gone agents' clocks stand. */
export function timeShown(state: State, now: number): number {
  return isHistory(state) ? (state.run.lastTs ?? 0) : now - (goneFor(state, now) ?? 0)
}

/** True if our messages reach the agent: over the connection, or over HTTP. */
export function isHeard({ link }: Pick<State, "link">): boolean {
  return link.state === "open" || (link.state === "lost" && link.api === true) || hears(link)
}

/** True while a guest runs: it can be interrupted, and some can be talked to. */
export function isGuest({ link }: Pick<State, "link">): boolean {
  return link.state === "running"
}

/** True while a guest takes answers: it runs, or a hook of its CLI waits for one. */
export function hears(link: Link): boolean {
  return "talks" in link && link.talks === true
}

/** True while a guest runs that takes answers, choices and a pause before its tools. */
export function talks(link: Link): boolean {
  return link.state === "running" && hears(link)
}

/** Whether a run has ended, in whatever way. */
export function isOver(run: Run): boolean {
  return run.status === "finished" || run.status === "aborted" || run.status === "error"
}

/** Prompts that can be answered, oldest first: none on a recording, nor in the past, nor one whose answer is held. */
export function answerable(state: ForegroundState): readonly Prompt[] {
  const waiting = state.isPast ? [] : waitingPrompts(state.link, state.run)
  const { heldAnswer } = state.view.questions
  return heldAnswer === null ? waiting : waiting.filter(({ key }) => key !== heldAnswer.key)
}

/** The prompt whose answer is held; null if there is none, or it was closed meanwhile. */
export function heldPrompt({ link, run, view }: ForegroundState): Prompt | null {
  return waitingPrompts(link, run).find(({ key }) => key === view.questions.heldAnswer?.key) ?? null
}

/** Prompts of a run that wait for an answer, whatever moment of it is shown. */
export function waitingPrompts(link: Link, present: Run): readonly Prompt[] {
  return isLive({ link }) || hears(link) ? present.prompts.filter(prompt => prompt.state === "open") : []
}

/** The prompt in front; null if there is none, or it is hidden. */
export function frontPrompt(state: ForegroundState): Prompt | null {
  return state.view.questions.promptHidden ? null : nextPrompt(state)
}

/** The prompt that has the keyboard; null if something over it has, or there is none. */
export function askedPrompt(state: ForegroundState): Prompt | null {
  const { overlays, typing } = state.view
  return overlays.length > 0 || typing !== null ? null : frontPrompt(state)
}

/** The prompt that is in front, or would be if it were not hidden: with no other open, the one whose answer is held. */
export function nextPrompt(state: ForegroundState): Prompt | null {
  const open = answerable(state)
  const chosen = open.find(prompt => prompt.key === state.view.questions.prompt)
  return chosen ?? open.find(({ frame }) => frame.opts.waits !== true) ?? open[0] ?? heldPrompt(state)
}

/** The draft of a prompt, or the one that it starts with. */
export function promptDraftOf(view: View, prompt: Prompt): PromptDraft {
  const { type, options, default: preset } = prompt.frame
  const known = view.questions.drafts.find(draft => draft.key === prompt.key)
  if (known !== undefined) return known
  if (type !== "confirm") return freshDraft(prompt.key, type === "text" ? [] : options, preset)
  // Yes or no, whatever options it may bring; without a default neither, so that Enter alone answers nothing.
  return { ...freshDraft(prompt.key, [], undefined), cursor: preset === undefined ? -1 : preset === true ? 0 : 1 }
}
