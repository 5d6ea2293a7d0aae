// Claude Code's sessions: `projects/DIRECTORY/ID.jsonl`, and `sessions/PID.json` of each that runs. Tried with 2.1.331.
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { tokensOf } from "../guest/claude/claude-session.ts"
import { tokensOfModel } from "../guest/claude/process-total.ts"
import { countOf, listOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import { noTokens, sumOf, type Tokens } from "../guest/common/token-usage.ts"
import { filesBelow, readAllEnds, readEnds } from "./file-ends.ts"
import { isRunning } from "./process-state.ts"
import {
  noFacts,
  type RunningSessions,
  type SessionStore,
  type StoredFacts,
  type StoredUsage,
  type ToldState,
} from "./stored-session.ts"

/** Two thirds of a file: the prompts as they were sent. */
const SKIPS = ['{"type":"api-request', '{"type":"file-history']
const STATES: { readonly [status: string]: ToldState } = { busy: "working", waiting: "waiting", idle: "idle" }

export const claudeStore: SessionStore = {
  cli: "claude",
  root: (env, home) => env.CLAUDE_CONFIG_DIR || join(home, ".claude"),
  folder: "projects",
  files: /^[^/]+\/[^/]+\.jsonl$/,
  processes: "sessions",
  running: runningIn,
  async process(root, id) {
    const alive = (await statusesIn(root)).find(one => one.isAlive && one.id === id)
    return alive?.pid ?? null
  },
  resume: id => ["claude", "--resume", id],
  async read(file) {
    const { lines, isWhole } = await readEnds(file, SKIPS)
    const id = basename(file.path, ".jsonl")
    const isTold = lines.some(({ type }) => type === "cost-state")
    // The cost of a process has that of its subagents.
    const agents = await filesBelow(join(file.path.slice(0, -".jsonl".length), "subagents"), /^[^/]+\.jsonl$/)
    const others = await readAllEnds(isTold ? [] : agents, SKIPS)
    const usage = usageOf([...others.lines, ...lines], isWhole && others.isWhole)
    const told = { usage, id, context: contextOf(lines), state: endOf(lines), subagents: agents.length }
    return { ...factsOf(lines), ...told }
  },
}

function factsOf(lines: readonly JsonObject[]): StoredFacts {
  const [first, last] = [finderIn(lines), finderIn(lines.toReversed())]
  const titled = last(({ type, customTitle, aiTitle, summary }) =>
    type === "custom-title" || type === "ai-title" || type === "summary"
      ? textOf(customTitle) || textOf(aiTitle) || textOf(summary)
      : null,
  )
  return {
    ...noFacts,
    directory: last(({ cwd }) => textOf(cwd)),
    branch: last(({ gitBranch }) => textOf(gitBranch)),
    title:
      titled ??
      first(promptOf) ??
      last(({ type, lastPrompt }) => (type === "last-prompt" && textOf(lastPrompt)) || null),
    model: last(({ type, message }) => (type === "assistant" ? realModel(objectOf(message)) : null)),
    startedAt: first(({ timestamp }) => timeOf(timestamp)),
    last: last(({ type, message }) =>
      type === "assistant" && realModel(objectOf(message)) ? textOfBlocks(objectOf(message)) : null,
    ),
  }
}

/** Finds the first of the lines that tells something. */
function finderIn(lines: readonly JsonObject[]) {
  return <T>(of: (line: JsonObject) => T | null | ""): T | null => {
    for (const line of lines) {
      const found = of(line)
      if (found) return found
    }
    return null
  }
}

function promptOf({ type, message, isMeta, isCompactSummary }: JsonObject): string | null {
  if (type !== "user" || isMeta === true || isCompactSummary === true) return null
  const { content } = objectOf(message)
  const said =
    typeof content === "string" ? content : partsText(listOf(content).filter(one => objectOf(one).type === "text"))
  return said === "" || said.startsWith("<") ? null : said
}

function realModel({ model }: JsonObject): string | null {
  return textOf(model).startsWith("<") ? null : textOf(model)
}

function textOfBlocks({ content }: JsonObject): string {
  return partsText(listOf(content).filter(one => objectOf(one).type === "text"))
}

/** What a process that ended has told of itself, and the requests since: the last line of each counts. */
function usageOf(lines: readonly JsonObject[], isWhole: boolean): StoredUsage {
  const told = lines.findLastIndex(({ type }) => type === "cost-state")
  const state = lines[told]
  if (state === undefined && !isWhole) return noFacts.usage
  const requests = new Map<string, Tokens>()
  for (const { type, message } of lines.slice(told + 1)) {
    const { id, usage, model } = objectOf(message)
    if (type !== "assistant" || !isObject(usage) || textOf(model).startsWith("<")) continue
    requests.set(textOf(id), tokensOf(usage, true))
  }
  const models = Object.values(objectOf(state?.modelUsage)).map(one => tokensOfModel(objectOf(one)))
  const { input, cached, output } = [...models, ...requests.values()].reduce(sumOf, noTokens)
  // What was spent since has no price yet.
  return { input, cached, output, costUsd: requests.size === 0 ? countOf(state?.totalCostUSD) : null }
}

/** How full the last request left the window that a process told of the model. */
function contextOf(lines: readonly JsonObject[]): number | null {
  const message = objectOf(lines.findLast(({ message }) => isObject(objectOf(message).usage))?.message)
  const told = objectOf(lines.findLast(({ type }) => type === "cost-state")?.modelUsage)
  const window = countOf(objectOf(told[textOf(message.model)]).contextWindow)
  const { input, output } = tokensOf(objectOf(message.usage), true)
  return window === null || window === 0 || input === null ? null : (input + (output ?? 0)) / window
}

/** What the status files of processes tell of their sessions: of one that is gone, that it was killed. */
async function runningIn(root: string): Promise<RunningSessions> {
  const running = new Map<string, ToldState>()
  for (const { id, isAlive, status } of await statusesIn(root)) {
    const state = isAlive ? (STATES[status] ?? "quiet") : "killed"
    if (isAlive || !running.has(id)) running.set(id, state)
  }
  return running
}

async function statusesIn(root: string) {
  const directory = join(root, "sessions")
  const names = (await readdir(directory).catch(() => [])).filter(name => /^\d+\.json$/.test(name))
  return Promise.all(
    names.map(async name => {
      const { sessionId, pid, procStart, status } = await readStatus(join(directory, name))
      const isAlive = await isRunning(countOf(pid) ?? 0, textOf(procStart))
      return { id: textOf(sessionId), pid: countOf(pid), status: textOf(status), isAlive }
    }),
  )
}

/** A status that is being written is torn: it is read again. */
async function readStatus(path: string): Promise<JsonObject> {
  for (let tries = 0; tries < 2; tries++) {
    const value = parseJson(await readFile(path, "utf8").catch(() => ""))
    if (isObject(value)) return value
  }
  return {}
}

/** What the end of a file says: a session ends with its cost. */
function endOf(lines: readonly JsonObject[]): ToldState {
  const last = lines.findLast(({ type }) => type === "assistant" || type === "user" || type === "cost-state")
  if (last?.type !== "assistant") return last === undefined ? "quiet" : "ended"
  return last.isApiErrorMessage === true ? "failed" : "ended"
}
