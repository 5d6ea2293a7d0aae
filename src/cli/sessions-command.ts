// Prints runs and the sessions of agent CLIs: `sessions [ROOT]` into a pipe or as JSON, and home without a screen.
import { stringifySafe } from "../../packages/wire/src/json.ts"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Prices } from "../run/model/prices.ts"
import type { TailFacts } from "../run/select/tail-facts.ts"
import { type FoundRun, findRuns } from "../search/find-runs.ts"
import { readTail } from "../search/run-tail.ts"
import { listSessions } from "../stores/list-sessions.ts"
import { type StoredSession, shownPath } from "../stores/stored-session.ts"
import { clip, count, duration, timeOfDay } from "../ui/text-width.ts"
import { freshHomeView, KEPT } from "../view/home.ts"
import { type HomeRow, homeList } from "../view/select/home-rows.ts"
import { complain as complainFor } from "./command-arguments.ts"
import { alignedRows, standardOutput } from "./command-output.ts"
import { zone } from "./option-value.ts"
import type { HomeOptions } from "./options.ts"

/** Prints runs, those in `kept` unless a person named the root, then the stores' sessions. Returns 0, or 2 if none. */
export async function sessionsCommand(
  { root, isNamed, lists, asJson, env }: Pick<HomeOptions, "root" | "isNamed" | "lists" | "asJson" | "env">,
  prices: Prices,
  kept: string,
): Promise<number> {
  const more = [isNamed ? [] : keptIn(kept), lists ? listSessions(env) : []] as const
  const [found, others, sessions] = await Promise.all([findRuns(root), ...more])
  const complain = (why: string): number => complainFor("sessions", `${sanitizeLine(root)}: ${why}`)
  const { runs: own, closed } = "error" in found ? { runs: [], closed: [] } : found
  const runs = [...own, ...others].sort((a, b) => b.changedAt - a.changedAt)
  for (const why of closed) complain(why)
  const isEmpty = runs.length + sessions.length === 0
  if ("error" in found && isEmpty) return complain(found.error)
  if (isEmpty && !asJson) return complain("no runs found")
  const facts = new Map<string, TailFacts | null>()
  for (const { name, directory } of runs) facts.set(name, await readTail(directory, prices))
  const agent = { url: "", answers: false, facts: null }
  const home = { root, runs, closed, facts, agent, clis: [] }
  const { rows } = homeList(home, freshHomeView, zone(), Date.now())
  const text = asJson
    ? stringifySafe([...rows.flatMap(runReport), ...sessions.map(sessionReport)], 2)
    : [...linesOf(rows), ...sessionLines(sessions)].join("\n")
  await standardOutput().write(sanitize(`${text}\n`))
  return 0
}

/** The runs that `run` kept, by names that say so. */
async function keptIn(directory: string): Promise<readonly FoundRun[]> {
  const found = await findRuns(directory)
  return "error" in found ? [] : found.runs.map(run => ({ ...run, name: `${KEPT}${run.name}` }))
}

function runReport({ mark, run, facts, title }: HomeRow): readonly object[] {
  if (run === null) return []
  const outputTokens = facts?.isWhole === true ? facts.output : null
  const usage = { inputTokens: null, cachedTokens: null, outputTokens, costUsd: null }
  const told = { id: run.name, cli: null, directory: null, branch: null, title, model: null, state: mark }
  const since = { startedAt: facts?.firstTs ?? null, activeAt: run.changedAt }
  return [{ ...told, ...since, usage, subagents: null, path: run.directory }]
}

function sessionReport(session: StoredSession): object {
  const { id, cli, directory, branch, title, model, state, startedAt, activeAt, subagents, path } = session
  const { input, cached, output, costUsd } = session.usage
  return {
    id,
    cli,
    directory,
    branch,
    title,
    model,
    state,
    startedAt,
    activeAt,
    usage: { inputTokens: input, cachedTokens: cached, outputTokens: output, costUsd },
    subagents,
    path,
  }
}

/** Columns of a title, and of what was said last. */
const MOST_WORDS = 60

function sessionLines(sessions: readonly StoredSession[]): readonly string[] {
  const words = (text: string | null): string => clip(sanitizeLine(text ?? ""), MOST_WORDS)
  const cells = sessions.map(({ cli, directory, branch, title, state, activeAt, usage, last }) => {
    const used = (usage.input ?? 0) + (usage.output ?? 0)
    const where = [shownPath(directory ?? ""), sanitizeLine(branch ?? "")].filter(Boolean).join(" ⎇ ")
    const [tokens, cost] = [used === 0 ? "" : count(used), usage.costUsd === null ? "" : `$${usage.costUsd.toFixed(2)}`]
    return [state, dateAndTime(activeAt, zone()), cli, tokens, cost, where, words(title), words(last)]
  })
  return filledColumns(cells, [3, 4])
}

/** The words that stand for the marks of the screen. */
const WORDS: { readonly [mark in HomeRow["mark"]]: string } = {
  asks: "needs you",
  running: "running",
  failed: "failed",
  done: "done",
  stopped: "stopped",
  gone: "no activity",
  idle: "idle",
  unread: "",
  unreadable: "unreadable",
}

/** The widest that the names of charts and runs are aligned. */
const WIDEST = 40

function linesOf(rows: readonly HomeRow[]): readonly string[] {
  const isPriced = rows.some(({ facts }) => facts !== null && facts.cost !== null)
  const cells = rows.map(({ mark, run, facts, title }) => {
    const { firstTs = null, lastTs = null } = facts ?? {}
    const took = firstTs === null || lastTs === null ? "" : duration(lastTs - firstTs)
    const tokens = facts === null || facts.tokens === 0 ? "" : count(facts.tokens) + (facts.isWhole ? "" : "+")
    const when = run === null ? "" : dateAndTime(run.changedAt, zone())
    const cost = facts === null || !isPriced ? "" : (facts.cost ?? "–")
    return [WORDS[mark], when, took, tokens, cost, facts?.chart ?? "", title, facts?.last ?? ""]
  })
  return filledColumns(cells, [2, 3, 4])
}

/** The rows as lines, without the columns that hold nothing; those in `right` hold figures. */
function filledColumns(rows: readonly (readonly string[])[], right: readonly number[]): readonly string[] {
  const filled = [...(rows[0] ?? []).keys()].filter(i => rows.some(row => row[i] !== ""))
  const cells = rows.map(row => filled.map(i => row[i] ?? ""))
  const figures = right.map(i => filled.indexOf(i))
  return alignedRows(cells, [WIDEST], figures)
}

/** 2026-03-14 09:05 in the local zone. */
function dateAndTime(ts: number, zone: number): string {
  return `${new Date(ts + zone).toISOString().slice(0, 10)} ${timeOfDay(ts, zone).slice(0, 5)}`
}
