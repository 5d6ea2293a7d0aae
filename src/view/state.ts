import type { ChartDefinition } from "../protocol/chart-definition.ts"
import type { Link } from "../protocol/link.ts"
import { noneRecalled, type Recalled } from "../run/memory/recalled-frames.ts"
import { emptyRun, type FoldOptions, initialRun, type Prompt, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import type { Captures } from "../run/select/captures.ts"
import { type DirectoryFiles, noFiles } from "./directory-files.ts"
import { isPast, presentOnly, type Time } from "./time.ts"
import { emptyView, freshDraft, type PromptDraft, type View } from "./view.ts"

/** Everything the screen shows is read from here. */
export interface State {
  readonly run: Run
  readonly view: View
  readonly link: Link
  readonly directory: DirectoryStatus | null
  readonly time: Time
  /** What a clock on the wall is ahead of UTC, ms: for the times that are shown and asked for. */
  readonly zone: number
  /** The chart as the agent defines it; null where it was not asked, or serves none. */
  readonly definition: ChartDefinition | null
  /** What was read of the agent's captures. */
  readonly captures: Captures
  readonly files: DirectoryFiles
  /** Frames of rows that are looked at, though memory has let go of them. */
  readonly recalled: Recalled
  /** What was said, of sessions that are looked at, though memory has let go of it. */
  readonly recalledTexts: ReadonlyMap<object, readonly Entry[]>
}

/** Where the session directory is (docs/contract.md section 5) and whether it can be read. */
export interface DirectoryStatus {
  readonly path: string
  /** Why it cannot be read, in one line; null where it can. */
  readonly error: string | null
}

/** The state before the first frame; the second argument is what the run is given. */
export function emptyState(link: Link, given: FoldOptions = emptyRun, zone = 0): State {
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
  }
}

/** True where there is an agent to talk to, or there will be again: not on a recording. */
export function isLive(state: State): boolean {
  const { state: link } = state.link
  return link === "connecting" || link === "open" || link === "lost"
}

/** True where what is shown comes from a recording, whether or not all of it was read. */
export function isRecording({ link }: Pick<State, "link">): boolean {
  return link.state === "replaying" || link.state === "ended"
}

/** True where the agent hears us: by the line, or by its API in the line's place. */
export function isHeard({ link }: State): boolean {
  return link.state === "open" || (link.state === "lost" && link.api === true)
}

/** True while a guest runs: it has no debugger and takes no answers, but it can be interrupted. */
export function isGuest({ link }: State): boolean {
  return link.state === "running"
}

export function isOver(run: Run): boolean {
  return run.status === "finished" || run.status === "aborted" || run.status === "error"
}

/** Prompts that can be answered, oldest first: none on a recording, nor in the past. */
export function answerable(state: State): readonly Prompt[] {
  return isLive(state) && !isPast(state) ? state.run.prompts.filter(prompt => prompt.state === "open") : []
}

/** The prompt that stands in front, null where none does or it is hidden. */
export function frontPrompt(state: State): Prompt | null {
  if (state.view.promptHidden) return null
  const open = answerable(state)
  return open.find(prompt => prompt.key === state.view.prompt) ?? open[0] ?? null
}

export function promptDraftOf(view: View, prompt: Prompt): PromptDraft {
  const { type, options, default: preset } = prompt.frame
  const known = view.drafts.find(draft => draft.key === prompt.key)
  // A confirm prompt is answered by yes or no, whatever options it may bring.
  return known ?? freshDraft(prompt.key, type === "confirm" ? [] : options, preset)
}
