// Finds what needs a person: open questions, errors, silence, repeated calls, a context that fills up.
import { itemAt } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import { emptyTurn, emptyTurnBuffer } from "../../run/model/empty-session.ts"
import { type Finding, type FindingKind, findingWords } from "../../run/model/finding.ts"
import type { PromptKey } from "../../run/model/id.ts"
import type { MissingPrompt, Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { MAYBE_ANSWERED, mayBeAnswered, openPrompts, sessionName, unheardPrompts } from "../../run/select/figures.ts"
import { beginOf } from "../../run/select/row-words.ts"
import { runFindings, withTotal } from "../../run/select/run-findings.ts"
import { counted } from "../../ui/text-width.ts"
import { createSlice } from "../../view/slice.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import { silentSessions } from "../common/silence.ts"

/** Ids of the alerts that the person put aside, and of the one that the person went to last. */
export const needs = createSlice<{ readonly aside: readonly string[]; readonly attended: string | null }>("needs", {
  aside: [],
  attended: null,
})

/** Something that needs a person. All text in it may be shown. */
export interface Alert {
  /** The same for as long as the alert lasts. */
  readonly id: string
  readonly what: "prompt" | FindingKind
  readonly who: string
  readonly why: string
  /** Since when, epoch ms by the run's clock; null where no frame has a time. */
  readonly since: number | null
  readonly target:
    | { readonly type: "prompt"; readonly key: PromptKey }
    /** `turn` is null for the latest, `line` where no one line of the recording shows it. */
    | { readonly type: "session"; readonly session: number; readonly turn: number | null; readonly line: number | null }
    /** `frame` is null for the run's end. */
    | { readonly type: "run"; readonly frame: number | null }
  /** Of a row that stands for several. */
  readonly members?: readonly Alert[]
}

/** Drawing the list asks for its alerts several times. */
const listed = derived<readonly Alert[]>()
const folded = derived<readonly Alert[]>()

/** All alerts at `now` (epoch ms): questions, what failed, the others, each oldest first; those without a time last. */
export function alertsOf(state: State, now: number): readonly Alert[] {
  return listed([state, now], () => {
    const all = [...findAlerts(state, now)].filter(one => !isAside(state, one))
    const rank = ({ what }: Alert) => (what === "prompt" ? 0 : what === "error" ? 1 : 2)
    const age = ({ since }: Alert) => since ?? Number.MAX_VALUE
    return all.toSorted((a, b) => rank(a) - rank(b) || age(a) - age(b))
  })
}

/** The most alike alerts that have a row each; more of them share one row. */
const MOST_ALIKE = 3

/** The rows of the list. Many silent sessions, or alerts with the same words, share a row, which opens. */
export function alertRows(state: State, now: number): readonly Alert[] {
  const all = alertsOf(state, now)
  return folded([all], () => {
    if (state.view.overlays.some(one => one.type === "alerts" && one.opened === true)) return all
    const alikeId = ({ what, why }: Alert) => (what === "silence" ? what : `${what} ${why}`)
    const alike = Map.groupBy(all, alikeId)
    return all.flatMap((one): readonly Alert[] => {
      const members = alike.get(alikeId(one)) ?? []
      if (members.length <= MOST_ALIKE || one.what === "prompt") return [one]
      const why = members.every(other => other.why === one.why) ? one.why : "silent"
      return one === members[0]
        ? [{ ...one, id: alikeId(one), who: counted(members.length, "session"), why, members }]
        : []
    })
  })
}

/** Whether the person put it aside; an open question can't be. */
function isAside({ view }: State, { id }: Alert): boolean {
  return needs.of(view).aside.includes(id)
}

/** True where `alertsOf` is not empty, for less: it stops at the first. */
export function hasAlerts(state: State, now: number): boolean {
  for (const one of findAlerts(state, now)) if (!isAside(state, one)) return true
  return false
}

/** True where the panes shall call the person: only a run that goes on leaves something to do. */
export function asksForPerson(state: State, now: number): boolean {
  return isLive(state) && !isOver(state.run) && hasAlerts(state, now)
}

/** Reads the findings, and no row of the log. Of a run that is over every finding is told, as `check` does. */
function* findAlerts(state: State, now: number): Generator<Alert> {
  const { run } = state
  yield* openPrompts(run).map(prompt => promptAlert(run, prompt))
  yield* unheardPrompts(run).map(missingAlert)
  if (run.status === "error" || run.status === "aborted") {
    const why = run.reason === null ? `the run ${run.status}` : `${run.status}: ${beginOf(run.reason)}`
    yield { id: "run", what: "error", who: "run", why, since: run.lastTs, target: { type: "run", frame: null } }
  }
  for (const finding of isOver(run) ? runFindings(run, { reach: [] }) : run.facts.findings.list) {
    const { kind, since, about, place } = finding
    if (kind === "cost" || kind === "duration") {
      const why = beginOf(findingWords(withTotal(run, finding)))
      yield { id: kind, what: kind, who: "run", why, since, target: { type: "run", frame: finding.place.frame } }
    }
    const session = finding.session === null ? undefined : run.sessions[finding.session]
    if (finding.session === null || session === undefined) continue
    if (!isOver(run) && !holds(run, session, finding)) continue
    const why = beginOf(findingWords(finding))
    const words = kind === "error" ? `failed: ${why}` : why
    const id = `${kind} ${session.id} ${about}`
    const at = { session: finding.session, turn: finding.turn, line: place.line }
    yield sessionAlert(run, at, { id, what: kind, why: words, since })
  }
  for (const [index, heard] of silentSessions(state, now)) {
    const session = run.sessions[index]
    if (session === undefined) continue
    const why = silentWords(run.turnBuffers[index] ?? emptyTurnBuffer)
    yield sessionAlert(
      run,
      { session: index, turn: null, line: null },
      { id: `silent ${session.id}`, what: "silence", why, since: heard },
    )
  }
}

/** Whether a finding still needs a person: until the session goes on, or its next turn begins. */
function holds(run: Run, { epoch, exitReason, repeat, turns }: Session, finding: Finding): boolean {
  if (epoch !== run.epochs.length - 1) return false
  const latest = itemAt(run.turnBuffers, finding.session)?.turn ?? emptyTurn
  const isDone = exitReason !== null
  switch (finding.kind) {
    case "error":
      // An agent may go on after an error without another turn: then the session has not failed.
      return finding.turn === turns && latest.status === "error"
    case "repeat":
      return !isDone && repeat !== null && repeat.since === finding.since && repeat.count >= run.options.limits.repeats
    case "retries":
      return !isDone && latest.retry !== null && finding.turn === turns
    case "context":
      return !isDone
    case "truncated":
    case "refused":
    case "growth":
      return finding.turn === turns
    case "failed-tool":
      return true
    // What is silent now is an alert of its own, and so is what the run has too much of.
    case "silence":
    case "cost":
    case "duration":
    case "unreached":
      return false
  }
}

function promptAlert(run: Run, prompt: Prompt): Alert {
  const { key, asker, frame, title, ts } = prompt
  const who = (asker === null ? run.chart.config.at(-1) : undefined) ?? title
  const doubt = mayBeAnswered(run, prompt) ? ` (${MAYBE_ANSWERED})` : ""
  const why = `asks${doubt}: ${beginOf(frame.question)}`
  return { id: `prompt ${key}`, what: "prompt", who, why, since: ts, target: { type: "prompt", key } }
}

/** A question whose frame did not arrive: without its id, no answer of ours could name it. */
function missingAlert({ invokeid, text, inGreeting, session, ts }: MissingPrompt, at: number): Alert {
  const when = inGreeting ? "asked before this screen attached" : "asked, but the question did not arrive"
  const why = text === null ? when : `${when}: ${beginOf(text)}`
  const target: Alert["target"] =
    session === null ? { type: "run", frame: null } : { type: "session", session, turn: null, line: null }
  return { id: `unheard ${at}`, what: "prompt", who: beginOf(invokeid ?? "?"), why, since: ts, target }
}

function sessionAlert(
  run: Run,
  place: { readonly session: number; readonly turn: number | null; readonly line: number | null },
  alert: Omit<Alert, "who" | "target">,
): Alert {
  return { ...alert, who: sessionName(run, place.session) ?? "", target: { type: "session", ...place } }
}

function silentWords({ turn: { retry, status } }: TurnBuffer): string {
  const why = status === "streaming" ? "reply stalled" : "no first token yet"
  return retry === null ? why : `${why}, retry ${retry.attempt ?? "?"} of ${retry.max ?? "?"}`
}
