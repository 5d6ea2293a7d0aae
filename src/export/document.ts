// Arranges a run, or one session of it, for reading. Markdown and HTML are made from it.
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { linesToRecall, noneRecalled, type Recalled, withRecalledFrame } from "../run/memory/recalled-frames.ts"
import { at, itemAt, slice } from "../run/model/chunked-list.ts"
import type { Prompt } from "../run/model/prompts.ts"
import type { Row, Run } from "../run/model/run.ts"
import { elapsed } from "../run/select/figures.ts"
import { answerWords, rowWords } from "../run/select/row-words.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { turnOfRow } from "../run/select/turn-facts.ts"
import { moneyWords } from "../run/select/usage.ts"
import { count, duration, offset } from "../ui/text-width.ts"
import { type LedgerTable, ledgerTables } from "./ledger-table.ts"
import type { Redactor } from "./redact.ts"
import type { CleanText, Fact, Read, Section } from "./section.ts"
import { clipped, facts, sectionOf, titleOf, waitWords } from "./section.ts"
import { type Waterfall, waterfallOf } from "./waterfall-figure.ts"

/** All fields may be shown. Secrets are removed if asked for. */
export interface Document {
  readonly title: string
  readonly facts: readonly Fact[]
  /** Null if it would be empty. */
  readonly waterfall: Waterfall | null
  /** Of a page about a moment alone: the ledger of the run, by each kind of key. */
  readonly ledger: readonly LedgerTable[]
  readonly sessions: readonly Section[]
  readonly questions: readonly ExportedQuestion[]
  readonly log: LogPart
}

export const QUESTIONS = "questions"

/** The log in pieces, because it may be long. It can be iterated more than once. */
export interface LogPart {
  readonly rows: number
  /** A long log is folded where that is possible. */
  readonly isOpen: boolean
  pieces(): Iterable<readonly LogLine[]>
}

export type ExportedQuestion = Readonly<ReturnType<typeof questionOf>>

export interface LogLine {
  /** Of an error or a warning: the anchor of its turn; null if it is of none. */
  readonly link: string | null
  readonly time: string
  readonly level: "info" | "warning" | "error"
  readonly source: string
  readonly text: string
  /** It is the row of the moment that a page is about. */
  readonly isHere: boolean
}

export interface DocumentOptions {
  readonly title: string
  /** Index of the session to export; null for the whole run. */
  readonly session: number | null
  /** The filter that chose the frames, null if all are here. Of chosen ones a gap in their numbers means nothing. */
  readonly where: string | null
  /** Null keeps secrets. */
  readonly redactor: Redactor | null
  /** Without it, excerpts are used. */
  readonly read: Read
  /** Reads back the evicted events of log rows; null if none are evicted. */
  readonly recall: ((lines: readonly number[]) => Recalled) | null
}

/** Log rows written, and events read back, at a time: each may be long. */
const PIECE_ROWS = 64

/** The document of a run, or of one of its sessions. Its texts are redacted if asked for, and safe to print. */
export function documentOf(texts: RunTexts, options: DocumentOptions): Document {
  const { run } = texts
  const { session, redactor, read } = options
  const clean = (text: string): string => redactor?.text(sanitize(text)) ?? sanitize(text)
  if (session !== null) {
    const section = sectionOf(texts, session, clean, read)
    const own = { title: section.title ?? clean(options.title), facts: section.facts }
    const nothing = { waterfall: null, ledger: [], questions: [], log: { rows: 0, isOpen: false, pieces: () => [] } }
    return { ...own, ...nothing, sessions: [{ ...section, title: null, facts: [] }] }
  }
  const sessions = run.sessions.map((_, index) => sectionOf(texts, index, clean, read))
  const linkOf: LinkOf = row => {
    const [section, session] = [itemAt(sessions, row.session), itemAt(run.sessions, row.session)]
    return section === undefined || session === undefined ? null : section.anchorOf(turnOfRow(session, row))
  }
  const all = { from: 0, to: run.log.rows.length, here: null }
  return {
    title: clean(options.title),
    facts: summaryOf(texts, options, linkOf).map(fact => ({ ...fact, value: clean(fact.value) })),
    waterfall: waterfallOf(run, [...run.sessions.keys()], index => titleOf(run, index, clean), clean),
    // Its sessions and turns have their own figures.
    ledger: ledgerTables(run, { session: null, turn: null }, clean, { ways: ["state", "model"] }),
    sessions,
    questions: run.prompts.map(prompt => questionOf(run, prompt, clean)),
    log: logOf(run, { ...options, ...all }, linkOf, clean),
  }
}

/** The anchor of the turn that a row is of; null if it is of none. */
type LinkOf = (row: Row) => string | null

/** The summary of a run: its outcome, questions and first error. */
export function summaryOf(texts: RunTexts, options: DocumentOptions, linkOf: LinkOf): readonly Fact[] {
  const { run } = texts
  return [...runFacts(texts, options), ...questionFacts(run), ...firstError(run, options, linkOf)]
}

const SUMMARY_UNITS = 300

function runFacts(texts: RunTexts, { where }: DocumentOptions): readonly Fact[] {
  const { run } = texts
  const { firstTs, chart, sessions } = run
  const took = elapsed(run)
  const ended = chart.finalConfig ?? chart.config
  const { input } = run.facts.ledger.total
  const asked = texts.entries(0, 0, 4).find(({ type }) => type === "user")
  const failed = run.tally.counts.error
  const cached = sessions.reduce((sum, { totalUsage }) => sum + (totalUsage.cached ?? 0), 0)
  const status = where !== null && run.status === "running" ? "unknown: its end may be left out" : run.status
  return facts([
    ["Status", run.reason === null ? status : `${status}: ${run.reason}`],
    ["Only frames that match", where],
    ["Asked", asked === undefined ? null : clipped(asked.text.join(""), SUMMARY_UNITS)],
    ["Started", firstTs === null ? null : new Date(firstTs).toISOString().replace("T", " ").replace(/\..*/, " UTC")],
    ["Took", took === null ? null : duration(took)],
    ["Chart", chart.chartId],
    [chart.finalConfig === null ? "States" : "Final states", ended.length === 0 ? null : ended.join(" › ")],
    ["Sessions", `${count(sessions.length)}${failed === 0 ? "" : `, ${count(failed)} failed`}`],
    ["Turns", count(sessions.reduce((sum, { turns }) => sum + turns, 0))],
    ["Tokens in", input === 0 ? null : `${count(input)}${cached === 0 ? "" : ` (${count(cached)} cached)`}`],
    ["Tokens out", count(run.facts.tokens)],
    ["Cost", moneyWords(run.facts.ledger.total)],
    ["Waited for", waitWords(run.facts.ledger.total)],
    ["Errors", run.log.errors === 0 ? null : count(run.log.errors)],
  ])
}

function questionFacts({ prompts }: Run): readonly Fact[] {
  if (prompts.length === 0) return []
  const open = prompts.filter(({ state }) => state === "open").length
  const value = `${count(prompts.length)}${open === 0 ? "" : `, ${count(open)} open`}`
  return [{ name: "Questions", value, link: QUESTIONS }]
}

function firstError(run: Run, { recall }: DocumentOptions, linkOf: LinkOf): readonly Fact[] {
  const { rows, errors } = run.log
  let row: Row | undefined
  for (let i = 0; errors > 0 && row === undefined && i < rows.length; i++) {
    const one = at(rows, i)
    if (one?.level === "error") row = one
  }
  if (row === undefined) return []
  const evicted = linesToRecall([row], noneRecalled)
  const recalled = recall === null || evicted.length === 0 ? noneRecalled : recall(evicted)
  const { source, what, text } = rowWords(run, withRecalledFrame(row, recalled))
  const value = clipped(`${source}  ${what}  ${text}`.trim(), SUMMARY_UNITS)
  return [{ name: "First error", value, link: linkOf(row) }]
}

function questionOf(run: Run, prompt: Prompt, clean: CleanText) {
  const { frame, state } = prompt
  const asker = itemAt(run.sessions, prompt.session)
  const group = itemAt(run.invocations, asker?.invocation)
  const owner = frame.invokeid === null || frame.invokeid === group?.invokeid ? group : undefined
  const given = answerWords(prompt) ?? `(${state})`
  return {
    who: clean(asker && owner ? `${owner.title} › ${asker.title}` : (frame.invokeid ?? frame.promptId)),
    text: clean(frame.question),
    options: frame.options.map(option => clean(option.label)),
    /** The answer, or why there is none. */
    answer: clean(frame.type === "confirm" ? given.replace(/^[yn]/, first => first.toUpperCase()) : given),
  }
}

interface LogRange {
  /** Index of the first row, and the index after the last. */
  readonly from: number
  readonly to: number
  /** Index of the row of the moment that a page is about. */
  readonly here: number | null
}

/** Some rows of the log. `linkOf` says where an error or a warning leads. */
export function logOf(
  run: Run,
  { where, recall, from, to, here }: DocumentOptions & LogRange,
  linkOf: LinkOf,
  clean: CleanText,
): LogPart {
  const { rows } = run.log
  const lineOf = (row: Row, isHere: boolean): LogLine => {
    const { source, what, text } = rowWords(run, row)
    const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
    const shown = { source: clean(source), text: clean(text === "" ? what : `${what}  ${text}`) }
    return { time, level: row.level, link: row.level === "info" ? null : linkOf(row), ...shown, isHere }
  }
  function* pieces(): Generator<readonly LogLine[]> {
    for (let start = from; start < to; start += PIECE_ROWS) {
      const piece = slice(rows, start, Math.min(start + PIECE_ROWS, to))
      const evicted = linesToRecall(piece, noneRecalled)
      const recalled = recall === null || evicted.length === 0 ? noneRecalled : recall(evicted)
      yield piece.flatMap((row, i) =>
        where !== null && row.what.kind === "gap" ? [] : [lineOf(withRecalledFrame(row, recalled), start + i === here)],
      )
    }
  }
  let gaps = 0
  for (let i = from; where !== null && i < to; i++) if (at(rows, i)?.what.kind === "gap") gaps++
  return { rows: to - from - gaps, isOpen: false, pieces }
}
