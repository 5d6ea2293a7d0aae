// What a run must show by the model's own account, and how what it shows differs from that.
import { slice } from "../../src/run/model/chunked-list.ts"
import type { Run } from "../../src/run/model/run.ts"
import type { Entry } from "../../src/run/model/session.ts"
import type { ServedReply } from "./fake-model.ts"

/** What a CLI prints at all; what it keeps to itself can't be shown. */
export interface Tells {
  readonly thoughts: boolean
  readonly failures: boolean
  readonly retries: boolean
  /** False if it keeps the output of tools, or what came from the cache, to itself. */
  readonly results?: false
  readonly cached?: false
  /** Of each request, as one sum, or not at all. */
  readonly tokens: "request" | "sum" | "none"
  /** What was written to the cache. */
  readonly written: boolean
  /** The cost by these prices in dollars per million tokens; null if the CLI's own prices are not known. */
  readonly prices: {
    readonly fresh: number
    readonly read: number
    readonly written: number
    readonly output: number
  } | null
}

/** The truth of one run. */
export interface Truth {
  readonly cli: string
  readonly version: string
  readonly tells: Tells
  readonly served: readonly ServedReply[]
  /** The cost that the CLI printed last, for one whose prices are not known. */
  readonly costUsd: number | null
  readonly ends: "finished" | "error" | "aborted"
  /** A part of what the CLI says went wrong. */
  readonly error: string | null
}

/** What the shell answers to the commands of the scripts. */
const ANSWERS: { readonly [command: string]: { readonly has: string; readonly fails: boolean } } = {
  "cat note.txt": { has: "The deadline is Friday.\nBring cake.\nEnd.", fails: false },
  "cat missing.txt": { has: "No such file or directory", fails: true },
  "wc -l note.txt": { has: "3 note.txt", fails: false },
  "touch allowed.txt && echo made": { has: "made", fails: false },
  "touch denied.txt && echo made": { has: "", fails: true },
  "touch given.txt && echo made": { has: "other", fails: false },
  "sleep 4; wc -l note.txt": { has: "3 note.txt", fails: false },
  "sleep 1; wc -l note.txt": { has: "3 note.txt", fails: false },
}

/** Where a run differs from the truth, a line each; none if it is true in every letter and figure. */
export function differences(run: Run, truth: Truth): readonly string[] {
  const threads = Map.groupBy(truth.served, ({ thread }) => thread)
  const found = [...threads].flatMap(([thread, served]) => {
    const index = run.sessions.findIndex((_, i) => isThread(entriesOf(run, i), thread))
    const at = thread === "main" ? 0 : index
    return at < 0
      ? [`no session for ${thread}`]
      : ofSession(run, at, served, truth.tells).map(line => `${thread}: ${line}`)
  })
  const sessions = differs("sessions", run.sessions.length, threads.size)
  const status = differs("status", run.status, truth.ends)
  const says = truth.error === null || (run.reason ?? "").includes(truth.error) ? [] : [`reason ${run.reason}`]
  return [...sessions, ...status, ...says, ...found, ...ofLedger(run, truth)]
}

function entriesOf(run: Run, index: number): readonly Entry[] {
  const entries = run.sessions[index]?.entries
  return entries === undefined ? [] : slice(entries, 0, entries.length)
}

function isThread(entries: readonly Entry[], thread: string): boolean {
  return entries.some(({ type, text }) => type === "user" && text.join("").includes(`[[${thread}]]`))
}

function ofSession(run: Run, index: number, all: readonly ServedReply[], tells: Tells): readonly string[] {
  const served = all.filter(({ status }) => status === 200)
  const entries = entriesOf(run, index)
  const said = (type: Entry["type"]) => entries.filter(entry => entry.type === type).map(({ text }) => text.join(""))
  const calls = served.flatMap(reply => reply.calls)
  const input = (call: (typeof calls)[number]) => JSON.stringify(Object.values(call.args).map(String).sort())
  const shownInputs = said("tool-call").map(text =>
    JSON.stringify(Object.values<unknown>(JSON.parse(text)).map(String).sort()),
  )
  const results = entries.filter(({ type }) => type === "tool-result")
  return [
    ...differs(
      "texts",
      said("text").join("|"),
      served
        .map(({ text }) => text)
        .filter(Boolean)
        .join("|"),
    ),
    ...(tells.thoughts ? differs("thoughts", said("thinking").join("|"), thoughtsOf(served)) : []),
    ...differs("results", results.length, calls.length),
    ...calls.flatMap(call =>
      shownInputs.some(shown => coversInput(shown, input(call))) ? [] : [`no call ${input(call)}`],
    ),
    ...(tells.results === false ? [] : calls.flatMap(call => ofResult(results, call.args, tells))),
  ]
}

function thoughtsOf(served: readonly ServedReply[]): string {
  return served
    .map(({ think }) => think)
    .filter(Boolean)
    .join("|")
}

/** True if a shown call has the wanted command; a CLI may leave out a description, or wrap the command in a shell. */
function coversInput(shown: string, wanted: string): boolean {
  const values: readonly string[] = JSON.parse(wanted)
  return values
    .filter(value => value !== "a scripted call" && value !== "require_escalated")
    .every(value => shown.includes(JSON.stringify(value).slice(1, -1)))
}

function ofResult(
  results: readonly Entry[],
  args: ServedReply["calls"][number]["args"],
  tells: Tells,
): readonly string[] {
  const answer = ANSWERS[String(args.command ?? args.cmd ?? "")]
  if (answer === undefined) return []
  const found = results.filter(({ text }) =>
    text
      .join("")
      .replace(/^\s*\d+[→\t]/gm, "")
      .includes(answer.has),
  )
  if (found.length === 0) return [`no result with ${answer.has}`]
  return tells.failures && !found.some(({ isError }) => isError === answer.fails)
    ? [`failed is not ${answer.fails}`]
    : []
}

function ofLedger(run: Run, { served, tells, costUsd }: Truth): readonly string[] {
  const replies = served.filter(({ status }) => status === 200)
  const sum = (pick: (tokens: ServedReply["tokens"]) => number) =>
    replies.reduce((all, { tokens }) => all + pick(tokens), 0)
  const { input, cached, written, output, requests, retries, nanos } = run.facts.ledger.total
  const refused = served.length - replies.length
  const [fresh, read, made, out] = [sum(t => t.fresh), sum(t => t.read), sum(t => t.written), sum(t => t.output)]
  const { prices } = tells
  const priced =
    prices === null
      ? costUsd
      : (fresh * prices.fresh + read * prices.read + made * prices.written + out * prices.output) / 1e6
  return [
    ...(refused === 0 || replies.length > 0 ? differs("requests", requests, replies.length) : []),
    ...(tells.retries && replies.length > 0 ? differs("retries", retries, refused) : []),
    ...(tells.tokens === "none" ? [] : differs("input tokens", input, fresh + read + made)),
    ...(tells.tokens === "none" || tells.cached === false ? [] : differs("cached tokens", cached, read)),
    ...(tells.written ? differs("written tokens", written, made) : []),
    ...(tells.tokens === "none" ? [] : differs("output tokens", output, out)),
    ...(priced === null ? [] : differs("cost", (nanos / 1e9).toFixed(6), priced.toFixed(6))),
  ]
}

function differs<T>(what: string, shown: T, wanted: T): readonly string[] {
  return shown === wanted ? [] : [`${what}: shown ${JSON.stringify(shown)}, true ${JSON.stringify(wanted)}`]
}
