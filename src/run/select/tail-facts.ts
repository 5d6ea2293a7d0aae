// Reads the facts of a list of runs from the end of a run: its outcome, last event and duration.
import { at, itemAt } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import type { StageKind } from "../model/session.ts"
import { openPrompts, sessionName, turnTextOf, unheardPrompts } from "./figures.ts"
import { rowWords, withoutMarks } from "./row-words.ts"
import { moneyWords } from "./usage.ts"
import { barStages, hasYou, type Lane, runRange } from "./waterfall.ts"

const WORDS_UNITS = 400
/** Maximum number of states and of bars, and the columns of a bar. */
const MOST_STATES = 12
const MOST_BARS = 8
const BAR_COLUMNS = 36

/** How a run ended, in the run's own words; null while it has no end. */
export type RunOutcome = "done" | "failed" | "stopped"

/** A session's activity in each of `BAR_COLUMNS` parts of the run's time. */
export interface BarRow {
  readonly name: string
  /** Null for the row of the person who is asked. */
  readonly group: number | null
  readonly stages: readonly (StageKind | null)[]
}

export type TailFacts = Readonly<ReturnType<typeof tailFacts>>

/**
 * The facts of a run whose last frames were folded into `run`; `head` holds its first frames, where these are not.
 * Texts are sanitized and on one line; times are epoch ms.
 */
export function tailFacts(run: Run, head: Run | null) {
  const asks = question(run)
  const end = endOf(run)
  return {
    chart: oneLine((run.chart.chartId ?? head?.chart.chartId ?? "").replace(/^:/, "")) || null,
    state: oneLine(run.chart.config.at(-1) ?? ""),
    end,
    asks: end === null ? asks : null,
    last: oneLine(lastWords(run, end, asks)),
    error: lastError(run),
    firstTs: head?.firstTs ?? run.firstTs,
    lastTs: run.lastTs,
    /** In and out, and those out alone. */
    tokens: run.facts.ledger.total.input + run.facts.tokens,
    output: run.facts.tokens,
    /** As words; null if it is unknown. */
    cost: costWords(run, head === null),
    errors: run.log.errors,
    /** False if the recording begins before the part that was read, so that tokens, cost and errors are only a part. */
    isWhole: head === null,
    states: passedStates(run),
    bars: barsOf(run),
  }
}

/** A `+` says that there is more to it. */
function costWords({ facts: { ledger } }: Run, isWhole: boolean): string | null {
  const words = moneyWords(ledger.total)
  return words === null || isWhole || words.endsWith("+") ? words : `${words}+`
}

function endOf({ status }: Run): RunOutcome | null {
  if (status === "finished") return "done"
  if (status === "error") return "failed"
  return status === "aborted" ? "stopped" : null
}

function question(run: Run): string | null {
  const asked = openPrompts(run)[0]?.frame.question
  const unheard = unheardPrompts(run)[0]
  if (asked === undefined && unheard === undefined) return null
  return oneLine(asked ?? unheard?.text ?? "") || "something"
}

/** The open question, else the reason of the end, the running tool, the last words, or the last row of the log. */
function lastWords(run: Run, end: RunOutcome | null, asks: string | null): string {
  if (end === null && asks !== null) return `asks: ${asks}`
  if (run.reason !== null) return run.reason
  const index = run.facts.lastSpeaker
  const [session, buffer] = [itemAt(run.sessions, index), itemAt(run.turnBuffers, index)]
  if (index !== null && session !== undefined && buffer !== undefined) {
    const name = sessionName(run, index) ?? "?"
    const [tool] = end === null ? session.pendingCalls : []
    if (tool !== undefined) return `${name} runs ${tool.name}`
    const said = turnTextOf(session, buffer)
      .text.split("\n")
      .filter(text => text.trim() !== "")
    const words = buffer.turn.status === "streaming" && end === null ? said.at(-1)?.slice(-WORDS_UNITS) : said[0]
    if (words !== undefined) return `${name}: ${withoutMarks(words)}`
  }
  const row = at(run.log.rows, run.log.rows.length - 1)
  if (row === undefined) return ""
  const { source, what, text } = rowWords(run, row)
  return `${source} ${what} ${text}`
}

function lastError(run: Run): string | null {
  if (run.log.errors === 0) return null
  for (let i = run.log.rows.length - 1; i >= 0; i--) {
    const row = at(run.log.rows, i)
    if (row?.level !== "error") continue
    const { source, what, text } = rowWords(run, row)
    return oneLine(`${source}: ${text === "" ? what : text}`)
  }
  return null
}

function passedStates({ chart, lastTs }: Run) {
  const { states, active } = chart.visits
  const seen = states.filter(({ visits }) => visits > 0).slice(-MOST_STATES)
  return seen.map(({ id, dwell, since }) => {
    const isActive = active.includes(id)
    const ms = dwell + (since === null || lastTs === null ? 0 : Math.max(0, lastTs - since))
    return { id: oneLine(id), ms, isActive }
  })
}

function barsOf(run: Run): readonly BarRow[] {
  const range = runRange(run, null)
  if (range === null) return []
  const stagesOf = (lane: Lane) => barStages(run, lane, range, BAR_COLUMNS, range.to).map(stage => stage?.kind ?? null)
  const bars = run.sessions.slice(-MOST_BARS).map((session, i, shown) => {
    const index = run.sessions.length - shown.length + i
    return { name: oneLine(sessionName(run, index) ?? "?"), group: session.invocation, stages: stagesOf(index) }
  })
  return hasYou(run) ? [...bars, { name: "you", group: null, stages: stagesOf("you") }] : bars
}

function oneLine(text: string): string {
  return text.slice(0, WORDS_UNITS).replace(/\s+/g, " ").trim()
}
