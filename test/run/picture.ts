// Pictures a run as lines: what each reader of run/select tells of it, so that a change of any of them shows.
import { printJson } from "../../packages/wire/src/json.ts"
import { noneRecalled } from "../../src/run/memory/recalled-frames.ts"
import { findingWords } from "../../src/run/model/finding.ts"
import { isPaused, mayBeHeld } from "../../src/run/model/held.ts"
import { LEDGER_SORTS, type LedgerList, type LedgerSort } from "../../src/run/model/ledger.ts"
import { tokensIn } from "../../src/run/model/pulse.ts"
import { mayWaitForPerson, type Run } from "../../src/run/model/run.ts"
import { guessedReplies } from "../../src/run/model-facts.ts"
import { branchedTurns, branchName, branchPointWords, branchRows } from "../../src/run/select/branch-tree.ts"
import type { Captures } from "../../src/run/select/captures.ts"
import { chartRows } from "../../src/run/select/chart-rows.ts"
import { runSummary } from "../../src/run/select/compare.ts"
import { contextOf, contextReport, newParts } from "../../src/run/select/context.ts"
import * as figures from "../../src/run/select/figures.ts"
import { ledgerRows, spentTurns } from "../../src/run/select/ledger-rows.ts"
import { eventPassages } from "../../src/run/select/passages.ts"
import { report } from "../../src/run/select/report.ts"
import { answerWords, rowName, rowWords } from "../../src/run/select/row-words.ts"
import { runFindings } from "../../src/run/select/run-findings.ts"
import { textsInMemory, turnEntries } from "../../src/run/select/run-texts.ts"
import { tailFacts } from "../../src/run/select/tail-facts.ts"
import { troubleWords, turnFacts } from "../../src/run/select/turn-facts.ts"
import { turnParts } from "../../src/run/select/turn-parts.ts"
import { isTransition } from "../../src/run/select/turn-rows.ts"
import { usageReport } from "../../src/run/select/usage.ts"
import { barPieces, barStages, hasYou, runRange, waterfallTurnOf } from "../../src/run/select/waterfall.ts"
import { causesOfRow, causesOfTurn, refsOfRow, refsOfTurn } from "../../src/run/select/why.ts"
import { rowsOf } from "./lines.ts"

/** UTF-16 units of a value that are printed. */
const MOST = 700

/** `PATH: VALUES` for each object in a value, with those of its values that are no objects and not nothing. */
function* linesOf(path: string, value: unknown): Generator<string> {
  if (typeof value !== "object" || value === null) return yield `${path}: ${printJson((value ?? null) as never, MOST)}`
  const nested: [string, unknown][] = []
  const flat: string[] = []
  for (const [key, one] of Object.entries(value)) {
    const isNested = typeof one === "object" && one !== null && Object.values(one).some(isFilled)
    if (isNested && !isFlatList(one)) nested.push([key, one])
    else if (isFilled(one)) flat.push(`${key}=${printJson(one, MOST)}`)
  }
  if (flat.length > 0 || nested.length === 0) yield `${path}: ${flat.join(" ")}`
  for (const [key, one] of nested) yield* linesOf(`${path}.${key}`, one)
}

const isFilled = (value: unknown): boolean => value !== null && value !== undefined && value !== 0 && value !== false

function isFlatList(value: unknown): boolean {
  return Array.isArray(value) && value.every(one => typeof one !== "object" || one === null)
}

/** All lines of a run that has arrived so far, at its own latest moment. */
export function picture(run: Run, captures: Captures = new Map()): readonly string[] {
  const known = { run, captures, recalled: noneRecalled }
  const now = run.lastTs ?? 0
  return [
    ...linesOf("report", report(run, captures)),
    ...linesOf("run", {
      held: mayBeHeld(run),
      paused: isPaused(run),
      awaiting: run.awaiting,
      progress: run.facts.progress,
      pulse: tokensIn(run.facts.pulse, now, 8),
      guest: run.guest,
      summary: { ...runSummary(run), account: null, states: null, models: null },
      unheard: figures.unheardPrompts(run),
      you: hasYou(run) && barPieces(run, "you", now),
    }),
    ...linesOf("facts", factsOf(run)),
    ...linesOf("chart", chartRows(run, null)),
    ...linesOf("tail", tailFacts(run, null)),
    ...run.prompts.flatMap(prompt => [
      ...linesOf(`question ${prompt.frame.promptId}`, { ...prompt, frame: null, answer: answerWords(prompt) }),
      `question ${prompt.frame.promptId}: may be answered ${figures.mayBeAnswered(run, prompt)}`,
    ]),
    ...branchRows(run).flatMap(row => [
      ...linesOf("branch", { ...row, name: branchName(run, row), turns: branchedTurns(run, row) }),
      `branch point: ${row.start === null ? "" : branchPointWords(row.start.branch)}`,
    ]),
    ...runFindings(run, { reach: [] }).map(
      one => `finding ${one.kind} line ${one.place.line} turn ${one.turn}: ${findingWords(one)}`,
    ),
    ...rowsOf(run).flatMap((row, i) => {
      const { source, what, text } = rowWords(run, row)
      const place = `row ${row.epoch}/${row.seq} line ${row.line} frame ${row.frame}`
      const words = `${place} ${rowName(row)} ${row.level} ${source} | ${what} | ${text}`
      const isAsked = row.level === "error" || isTransition(row)
      const why = isAsked ? linesOf(`  why row ${row.line}`, causesOfRow(known, i)) : []
      return [words, ...why, ...(isAsked ? [`  refs of row ${row.line}: ${refsOfRow(run, i)}`] : [])]
    }),
    ...(["state", "model", "tool", "invocation", "session", "any turn"] as const).flatMap(by => ledgerLines(run, by)),
    ...[...spentTurns(run)].map(
      ({ account, ...one }) => `spent ${printJson({ ...one, ...usageReport(account) }, MOST)}`,
    ),
    ...run.sessions.flatMap((_, index) => sessionLines(known, index)),
  ]
}

/** What a run knows that few of its readers tell. */
function factsOf(run: Run): object {
  const { chart, facts, models, tally, attachment } = run
  const idOf = (index: number | null) => run.sessions[index ?? -1]?.sessionId
  const idsOf = (indexes: readonly number[]) => indexes.map(idOf).join(" ") || null
  const talks = facts.conversations.map(({ invokeid, turns }) => [invokeid, turns.flatMap(({ messages }) => messages)])
  return {
    ...{ spoke: idOf(facts.lastSpeaker), ended: idOf(facts.lastEnded), guessed: guessedReplies(run) },
    ...{ open: idsOf(tally.open), failed: idsOf(tally.failed) },
    ...{ chart: chart.sessionId, configTs: chart.configTs, transition: chart.visits.transition },
    limits: [...models.contextLimits].map(([model, { tokens, by }]) => `${model} ${tokens} ${by}`).join(", ") || null,
    attachment: attachment.count > 0 && { ...attachment, debug: null },
    ...{ prefers: models.catalog?.preferences, talks: talks.length > 0 && talks },
  }
}

/** The rows of the ledger in each of their orders; equal orders on one line. */
function ledgerLines(run: Run, by: LedgerList["by"]): readonly string[] {
  const orders = [null, ...(Object.keys(LEDGER_SORTS) as LedgerSort[])].map(sort => {
    const rows = ledgerRows(run, { by, session: 0, sort }, 0, 20)
    return [rows.map(({ name, aside }) => `${name} ${aside}`).join(", "), sort ?? "as they came"] as const
  })
  const same = Map.groupBy(orders, ([names]) => names)
  return [...same].map(([names, sorts]) => `ledger by ${by}, ${sorts.map(([, sort]) => sort).join(" ")}: ${names}`)
}

function sessionLines(known: { readonly run: Run; readonly captures: Captures }, index: number): readonly string[] {
  const { run, captures } = known
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined) return []
  const now = run.lastTs ?? 0
  const name = `session ${index}`
  const range = runRange(run, now)
  const { repeat, pendingCalls, firstLine, inputs, capturePlace, replaySource, label, askedMs } = session
  const lines = [
    ...linesOf(name, {
      name: figures.sessionName(run, index),
      work: figures.isAtWork(run, index),
      tools: figures.isInTools(run, index),
      waits: mayWaitForPerson(run, index),
      recent: figures.recentTokens(buffer, now),
      rate: figures.recentRate(buffer, now),
      time: figures.sessionTime(session, buffer, now),
      used: figures.usageOf(session, buffer),
      full: figures.fullnessOf(run, index),
      ...{ repeat, pendingCalls, firstLine, inputs, capturePlace, replaySource, label, askedMs },
      retry: buffer.turn.retry,
    }),
    ...barPieces(run, index, now).map(piece => `${name} bar ${printJson(piece as never, MOST)}`),
  ]
  if (range !== null) {
    const stages = barStages(run, index, range, 40, now)
    lines.push(`${name} stages ${stages.map(one => one?.kind.slice(0, 1) ?? "·").join("")}`)
  }
  for (let turn = 1; turn <= session.turns; turn++) {
    const place = { session: index, turn }
    const facts = turnFacts(run, index, turn, now)
    const before = turn === 1 ? null : contextOf(known, { session: index, turn: turn - 1 })
    const told = `${name} turn ${turn}`
    lines.push(
      ...linesOf(told, { ...facts, account: null, models: null, trouble: facts && troubleWords(facts) }),
      ...linesOf(`${told} waterfall`, waterfallTurnOf(run, index, turn, now)),
      ...linesOf(`${told} context`, contextReport(known, place)),
      `${told} new parts ${newParts(contextOf(known, place), before)?.length ?? "unknown"}`,
      ...linesOf(`${told} parts`, turnParts(known, place)),
      ...linesOf(`${told} why`, causesOfTurn(known, place)),
      `${told} refs: ${refsOfTurn(run, place)}`,
      ...eventPassages(turnEntries(textsInMemory(run), place), captures).flatMap(({ passages }) =>
        passages.flatMap(passage => [...linesOf(`${told} passage`, { ...passage, turn: 0 })]),
      ),
    )
  }
  return lines
}
