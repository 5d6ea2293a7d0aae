// Claude Code's sessions: `projects/DIRECTORY/ID.jsonl`, and `sessions/PID.json` of each that runs. Tried with 2.1.331.
import { readdir, readFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { tokensOf } from "../guest/claude/claude-session.ts"
import { tokensOfModel } from "../guest/claude/process-total.ts"
import { countOf, listOf, objectOf, partsText, textOf, timeOf } from "../guest/common/fields.ts"
import type { Tokens } from "../guest/common/token-usage.ts"
import { type FileEnds, filesBelow, readEnds, readWhole } from "./file-ends.ts"
import { isRunning } from "./process-state.ts"
import {
  noFacts,
  type RunningSessions,
  type SessionStore,
  type StoredFacts,
  type StoredFile,
  type StoredUsage,
  summedUsage,
  type ToldState,
} from "./stored-session.ts"

/** Two thirds of a file: the prompts as they were sent. */
const SKIPS = ['{"type":"api-request', '{"type":"file-history']
const KINDS = /"type":"(user|assistant|cost-state|last-prompt|custom-title|ai-title|summary)"/
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
    const ends = await readEnds(file, KINDS, SKIPS)
    const agents = await filesBelow(join(file.path.slice(0, -".jsonl".length), "subagents"), /^[^/]+\.jsonl$/)
    return {
      ...factsOf(ends),
      id: basename(file.path, ".jsonl"),
      usage: await usageOf(ends, agents),
      subagents: agents.length,
    }
  },
}

function factsOf(ends: FileEnds): StoredFacts {
  const isReal = ({ message }: JsonObject) => realModel(objectOf(message))
  return {
    ...noFacts,
    directory: ends.last(({ cwd }) => textOf(cwd)),
    branch: ends.last(({ gitBranch }) => textOf(gitBranch)),
    title:
      ends.last(
        line => textOf(line.customTitle) || textOf(line.aiTitle) || textOf(line.summary),
        "custom-title",
        "ai-title",
        "summary",
      ) ??
      ends.first(promptOf, "user") ??
      ends.last(({ lastPrompt }) => textOf(lastPrompt), "last-prompt"),
    model: ends.last(isReal, "assistant"),
    startedAt: ends.first(({ timestamp }) => timeOf(timestamp)),
    last: ends.last(line => isReal(line) && textOfBlocks(objectOf(line.message)), "assistant"),
    context: contextOf(ends),
    state: endOf(ends),
  }
}

function promptOf({ message, isMeta, isCompactSummary }: JsonObject): string | null {
  const said = textOfBlocks(objectOf(message))
  return isMeta === true || isCompactSummary === true || said.startsWith("<") ? null : said
}

function realModel({ model }: JsonObject): string | null {
  return textOf(model).startsWith("<") ? null : textOf(model)
}

function textOfBlocks({ content }: JsonObject): string {
  if (typeof content === "string") return content
  return partsText(listOf(content).filter(one => objectOf(one).type === "text"))
}

/** What a process that ended has told of itself, subagents included, and the requests since. */
async function usageOf(ends: FileEnds, agents: readonly StoredFile[]): Promise<StoredUsage> {
  const state = ends.last(line => line, "cost-state")
  const files = state === null ? await readWhole(agents, ends, KINDS, SKIPS) : [ends]
  const used = files?.flatMap(one => one.all("assistant", "cost-state"))
  if (used === undefined) return noFacts.usage
  // The last line of each request counts.
  const requests = new Map<string, Tokens>()
  for (const { message } of used) {
    const { id, usage, model } = objectOf(message)
    if (!isObject(usage) || textOf(model).startsWith("<")) continue
    requests.set(textOf(id), tokensOf(usage, true))
  }
  const models = Object.values(objectOf(state?.modelUsage)).map(one => tokensOfModel(objectOf(one)))
  // What was spent since has no price yet.
  const costUsd = requests.size === 0 ? countOf(state?.totalCostUSD) : null
  return summedUsage([...models, ...requests.values()], [costUsd])
}

/** How full the last request left the window that a process told of the model. */
function contextOf(ends: FileEnds): number | null {
  const models = objectOf(ends.last(({ modelUsage }) => modelUsage, "cost-state") ?? {})
  const { model, usage } =
    ends.last(({ message }) => isObject(objectOf(message).usage) && objectOf(message), "assistant") || {}
  const window = countOf(objectOf(models[textOf(model)]).contextWindow)
  const { input, output } = tokensOf(objectOf(usage), true)
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
function endOf(ends: FileEnds): ToldState {
  const last = ends.last(line => line, "assistant", "user", "cost-state")
  if (last?.type !== "assistant") return last === null ? "quiet" : "ended"
  return last.isApiErrorMessage === true ? "failed" : "ended"
}
