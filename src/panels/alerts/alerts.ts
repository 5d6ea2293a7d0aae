import { sanitizeLine } from "../../protocol/sanitize.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { MissingPrompt, Prompt, Run } from "../../run/model/run.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { openPrompts, shortTitle } from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import { isLive, isOver, type State } from "../../view/state.ts"

/** A session at work that has said nothing for longer is silent, ms. */
export const SILENT_MS = 45_000
/** The same call so often in a row, and the session goes in circles. */
export const REPEATED = 3
/** UTF-16 units of a text that are shown at most. */
const SHOWN = 400

/** Something that needs a person. All text in it may be shown. */
export interface Alert {
  /** The same for as long as it is needed. */
  readonly id: string
  readonly what: "prompt" | "error" | "silent" | "repeat" | "context"
  readonly who: string
  readonly why: string
  /** Since when, epoch ms by the run's clock; null where no frame said. */
  readonly since: number | null
  readonly target:
    | { readonly type: "prompt"; readonly key: PromptKey }
    | { readonly type: "session"; readonly session: number }
    | { readonly type: "run" }
}

/**
 * All that needs a person at `now` (epoch ms), oldest first; what has no time stands last. It looks at each session's
 * own record and at no row of the log. On a recording nobody is awaited, and what is open was never answered.
 */
export function alertsOf(state: State, now: number): readonly Alert[] {
  const { run } = state
  const found = openPrompts(run).map(prompt => promptNeed(run, prompt))
  found.push(...run.missingPrompts.map(unheardNeed))
  const failed = runNeed(run)
  if (failed !== null) found.push(failed)
  eachSession(state, now, need => {
    found.push(need)
    return false
  })
  return found.toSorted((a, b) => (a.since ?? Number.POSITIVE_INFINITY) - (b.since ?? Number.POSITIVE_INFINITY))
}

/** True where `needs` is not empty, for less: it stops at the first. */
export function hasAlerts(state: State, now: number): boolean {
  if (openPrompts(state.run).length > 0 || state.run.missingPrompts.length > 0 || runNeed(state.run) !== null)
    return true
  return eachSession(state, now, () => true)
}

/** When the next session at work will have been silent for too long, epoch ms; null where none will. */
export function silentAt(state: State, now: number): number | null {
  if (!awaits(state)) return null
  let next: number | null = null
  for (const stream of state.run.turnBuffers) {
    const heard = heardAt(stream)
    if (!isOpen(stream) || heard === null || heard + SILENT_MS <= now) continue
    if (next === null || heard + SILENT_MS < next) next = heard + SILENT_MS
  }
  return next
}

/** Calls back for each need of a session of the current epoch until `take` says enough; true if it did. */
function eachSession(state: State, now: number, take: (need: Alert) => boolean): boolean {
  const { run } = state
  const epoch = run.epochs.length - 1
  const over = isOver(run)
  const waits = awaits(state)
  const asking = new Set(openPrompts(run).map(prompt => prompt.frame.invokeid))
  for (let i = 0; i < run.sessions.length; i++) {
    const session = run.sessions[i]
    const stream = run.turnBuffers[i]
    if (session === undefined || stream === undefined || session.epoch !== epoch) continue
    const failed = errorNeed(run, session, i)
    if (failed !== null && take(failed)) return true
    if (over || session.exitReason !== null) continue
    const repeats = repeatNeed(run, session, i)
    if (repeats !== null && take(repeats)) return true
    const full = contextNeed(run, session, i)
    if (full !== null && take(full)) return true
    const silent = waits ? silentNeed(run, session, stream, i, now, asking) : null
    if (silent !== null && take(silent)) return true
  }
  return false
}

/** Whether a session that is silent ought to speak: not over a line that is down, and not behind a gate that is shut. */
function awaits({ link, run, isPast }: State): boolean {
  if (link.state !== "open" || isOver(run) || isPast) return false
  return run.debug === null || (!run.debug.paused && run.debug.mode !== "paused-at-turn")
}

function promptNeed(run: Run, { key, frame, title, ts }: Prompt): Alert {
  const state = run.chart.config.at(-1)
  const who = frame.invokeid === null && state !== undefined ? state : title
  const target = { type: "prompt", key } as const
  return { id: `prompt ${key}`, what: "prompt", who, why: `asks: ${oneLine(frame.question)}`, since: ts, target }
}

/** Its id is not known here, so no answer of ours could name it. */
function unheardNeed({ invokeid, question, session, ts }: MissingPrompt, at: number): Alert {
  const why = `waits for an answer under an id that was not told here: ${oneLine(question)}`
  const target = session === null ? ({ type: "run" } as const) : ({ type: "session", session } as const)
  return { id: `unheard ${at}`, what: "prompt", who: oneLine(invokeid ?? "?"), why, since: ts, target }
}

function runNeed(run: Run): Alert | null {
  if (run.status !== "error" && run.status !== "aborted") return null
  const why = run.reason === null ? `the run ${run.status}` : `${run.status}: ${oneLine(run.reason)}`
  return { id: "run", what: "error", who: "run", why, since: run.lastTs, target: { type: "run" } }
}

function errorNeed(run: Run, session: Session, index: number): Alert | null {
  if (session.error === null) return null
  return sessionNeed(run, session, index, "error", `failed: ${oneLine(session.error)}`, session.errorTs)
}

function repeatNeed(run: Run, session: Session, index: number): Alert | null {
  const { repeat } = session
  if (repeat === null || repeat.count < REPEATED) return null
  const why = `the same call ${repeat.count} times in a row: ${oneLine(`${repeat.name ?? "?"} ${repeat.text.slice(0, SHOWN)}`)}`
  return sessionNeed(run, session, index, "repeat", why, repeat.since)
}

function contextNeed(run: Run, session: Session, index: number): Alert | null {
  if (session.contextUsed === null) return null
  const why = `context ${Math.round(session.contextUsed * 100)} % full`
  return sessionNeed(run, session, index, "context", why, session.contextTs)
}

function silentNeed(
  run: Run,
  session: Session,
  stream: TurnBuffer,
  index: number,
  now: number,
  asking: ReadonlySet<string | null>,
): Alert | null {
  const heard = heardAt(stream)
  if (!isOpen(stream) || heard === null || now - heard < SILENT_MS) return null
  const invokeid = run.invocations[session.invocation]?.invokeid
  // It waits for the person, who is told of that already.
  if (invokeid !== undefined && asking.has(invokeid)) return null
  const why = stream.status === "streaming" ? "silent in the middle of a reply" : "no first token yet"
  const retry = session.retry === null ? "" : `, retry ${session.retry.attempt ?? "?"} of ${session.retry.max ?? "?"}`
  return sessionNeed(run, session, index, "silent", why + retry, heard)
}

function heardAt(stream: TurnBuffer): number | null {
  return stream.lastTs ?? stream.startTs
}

function sessionNeed(
  run: Run,
  session: Session,
  index: number,
  what: Alert["what"],
  why: string,
  since: number | null,
): Alert {
  const group = run.invocations[session.invocation]
  const alone = group === undefined || group.sessions.length === 1
  const who = alone ? (group?.title ?? session.title) : `${group.title} ${shortTitle(run, group, session)}`
  return { id: `${what} ${session.id}`, what, who, why, since, target: { type: "session", session: index } }
}

/** As much of a text as a row could show. */
function oneLine(text: string): string {
  return sanitizeLine(text.slice(0, SHOWN).replace(/\s+/g, " "))
}

/** Whether a person who looks at the panes is to be told that they are needed: only while there is something to do. */
export function asksForPerson(state: State, now: number): boolean {
  return isLive(state) && !isOver(state.run) && hasAlerts(state, now)
}
