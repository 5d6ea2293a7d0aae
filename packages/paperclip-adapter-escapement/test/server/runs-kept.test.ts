// Keeps what a run for Paperclip returns, starts and logs, for every chart of the fake agent and every setting.
import { describe, expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { AdapterExecutionContext } from "@paperclipai/adapter-utils"
import type { JsonObject } from "../../../wire/src/json.ts"
import { RunTotals } from "../../src/run-totals.ts"
import { execute } from "../../src/server/index.ts"
import { runResultOf } from "../../src/server/run-result.ts"
import { readSettings } from "../../src/server/settings.ts"
import { type Context, openHost } from "../host.ts"

const host = openHost()
// The server's own secrets are none of the agent's.
process.env.PAPERCLIP_SERVER_SECRET = "hush"
const file = (name: string, text: string): string => {
  mkdirSync(join(host.cwd, "files"), { recursive: true })
  writeFileSync(join(host.cwd, "files", name), text)
  return join(host.cwd, "files", name)
}

/** The host's variables that other machines don't have. */
const PASSED = /^(?:PAPERCLIP_|OWN$)/

/** A text without what differs between machines and runs. */
function settled(text: string, ctx: Context): string {
  const run = new RegExp(`${ctx.runId}(?!\\d)`, "g")
  const named = text
    .replaceAll(host.cwd, "<cwd>")
    .replace(run, "<run>")
    .replace(/http:\/\/[^"\\]+/g, "<url>")
  return named.replace(/"acknowledgedAt": "[^"]+"/, '"acknowledgedAt": "<time>"')
}

/** A test of each case, whose runs all begin with the first one's test. */
function eachAtOnce<T extends readonly [name: string, ...unknown[]]>(
  cases: readonly T[],
  tell: (one: T) => Promise<string>,
): void {
  let told: readonly Promise<string>[] | null = null
  test.each(cases.map((one, i) => [one[0], i] as const))("%s", async (_, i) => {
    told ??= cases.map(tell)
    expect(await told[i]).toMatchSnapshot()
  })
}

/** The log: the rows' lines in order, then the agent's own in any. */
function logged({ log }: Context): string[] {
  const lines = log.flatMap(({ stream, chunk }) =>
    chunk
      .split("\n")
      .slice(0, -1)
      .map(line => `${stream}: ${line}`),
  )
  const isRow = (line: string) => /^stdout: \S+ [^\x00-\x7f⋮]/.test(line)
  return [...lines.filter(isRow), "", ...lines.filter(line => !isRow(line)).sort()].map(brief)
}

const brief = (text: string): string =>
  text.replace(/(.{1,20}?)\1{9,}/gsu, (all, one: string) => `${one}×${all.length / one.length}`)

function passed(env: Readonly<Record<string, string>>): object {
  const shown = Object.entries(env).filter(([key]) => PASSED.test(key))
  return Object.fromEntries(shown.sort())
}

/** What the agent saw; null if it was not started. */
function seen(ctx: Context): object | null {
  try {
    const { env, cwd } = host.seen(ctx)
    return { env: passed(env), cwd }
  } catch {
    return null
  }
}

/** What a run returned and logged. */
async function outcome(ctx: Context): Promise<string> {
  const result = await execute(ctx)
  return settled(`${brief(JSON.stringify(result, null, 1))}\n${logged(ctx).join("\n")}`, ctx)
}

/** What a run was told to start, what that saw, and what the host was told of it. */
async function begun(ctx: Context): Promise<string> {
  const { model, errorMessage, resultJson } = await execute(ctx)
  const metas = ctx.metas.map(({ command: _, commandArgs = [], env = {}, ...meta }) => {
    return { ...meta, args: commandArgs.join(" | "), env: passed(env) }
  })
  return settled(JSON.stringify({ model, errorMessage, resultJson, metas, seen: seen(ctx) }, null, 1), ctx)
}

const CHARTS = (
  "works|usage|unresolved|keyless|silent|overloads|refused|gives up|breaks|noisy|fails|asks|selects|aborts|" +
  "streams|unsaid|mutters|shouts|killed|incomplete|long|links"
).split("|")

describe("the run of a chart", () => {
  eachAtOnce(
    CHARTS.map(chart => [chart] as const),
    ([chart]) => outcome(host.context(chart, { config: { model: chart === "works" ? "smart" : "" } })),
  )
})

const WORKSPACE = {
  ...{ cwd: join(host.cwd, "work/space"), source: "issue", strategy: "worktree", workspaceId: "w-1" },
  ...{ repoUrl: "r", repoRef: "main", branchName: "b", worktreePath: "/wt", agentHome: "/home/agent" },
}
const WAKE = {
  reason: "issue_commented",
  issue: { id: "i-1", identifier: "SNO-1", title: "Snow", workMode: "planning" },
}

const TASK = { issueId: "i-7", wakeReason: "assigned", commentId: "c-1", approvalId: "a-1", approvalStatus: "ok" }

const AGENTS = file("AGENTS.md", "Be kind.")
const SKILL = { key: "paperclipai/paperclip/paperclip", source: host.cwd }
const SETTINGS: readonly (readonly [string, Partial<AdapterExecutionContext>])[] = [
  ["none", {}],
  [
    "all",
    {
      authToken: "jwt-1",
      context: { ...TASK, issueIds: ["i-1", "i-2"], paperclipTaskMarkdown: '# Task\nShip "it"', paperclipWake: WAKE },
      config: {
        ...{ model: "smart", backend: "ollama", logLevel: "debug", input: "in.edn", promptParam: "ask" },
        promptTemplate:
          "{{agent.name}} {{agentId}} of {{company.id}}, {{companyId}}: {{context.wakeReason}} [{{none}}]",
        ...{ params: 'depth = 3\n\nname="x"', extraArgs: " --debug  ", instructionsFilePath: AGENTS },
        ...{ env: { OWN: "1", PAPERCLIP_WAKE_REASON: "mine", PAPERCLIP_SECRET_TOKEN: "s3cret", COUNT: 1 } },
      },
    },
  ],
  ["params of an object", { config: { params: { depth: 3, "a.b": "x", flag: true } } }],
  ["arguments of a list", { config: { extraArgs: ["--debug"], params: "a = b = c" } }],
  ["a template", { config: { promptTemplate: "{{runId}} {{run.id}} [{{context.none}}] [{{agent.adapterType}}]" } }],
  ["blanks", { config: { model: " ", workDir: "  ", promptParam: " ", promptTemplate: " ", logLevel: " info " } }],
  [
    "junk",
    { config: { model: 7, backend: [], promptTemplate: {}, params: 3, env: [1], timeoutSec: "soon", workDir: 1 } },
  ],
  ["a work directory", { config: { workDir: "deep/er", chart: "unsaid", model: "smart" } }],
  ["a workspace", { context: { paperclipWorkspace: WORKSPACE }, config: { env: { PAPERCLIP_API_KEY: "own" } } }],
  ["the agent's home", { context: { paperclipWorkspace: { ...WORKSPACE, source: "agent_home" } } }],
  ["a home alone", { context: { paperclipWorkspace: { ...WORKSPACE, source: "agent_home" } }, config: { cwd: "" } }],
  ["a run with an id of other characters", { runId: "run/7 b" }],
  ["a run with a long id", { runId: "long".repeat(50) }],
  ["another task", { context: { ...TASK, taskId: " task ", wakeCommentId: "wake", issueIds: "i-1" } }],
  ["a handoff", { context: { paperclipSessionHandoffMarkdown: "You had counted to 3.", paperclipWake: 7 } }],
  ["an end at once", { signal: AbortSignal.abort() }],
  ["a skill that can't be linked", { config: { paperclipRuntimeSkills: [{ ...SKILL, runtimeName: "a\0b" }] } }],
]

describe("a run with settings", () => {
  eachAtOnce(SETTINGS, ([, more]) => begun(host.context("works", more)))
})

/** How a process ends, and what its rows have told before. */
const ENDS: Readonly<Record<string, object>> = {
  ...{ "exits with 0": {}, "exits with 1": { exitCode: 1 }, "exits with 2": { exitCode: 2 } },
  ...{ "exits with 9": { exitCode: 9 }, "is killed": { exitCode: null, signal: "SIGKILL" } },
  "is late": { exitCode: null, signal: "SIGTERM", timedOut: true },
  "is late, but exits": { timedOut: true },
  "is cancelled": { exitCode: null, signal: "SIGTERM", cancelled: true, forced: true },
}
const overload = { event: "llm/error", data: { category: "overloaded", message: "529…" } }
const TOLD: Readonly<Record<string, readonly JsonObject[]>> = {
  nothing: [],
  "a question": [{ event: "human-input/start", data: { prompt: "Ship it?" } }],
  "an overload": [overload],
  "work and an overload": [{ event: "llm/tool-result", data: { tool: "read" } }, overload],
  "an end": [{ event: "runner/done", data: { status: "done" } }],
}

test.each(Object.entries(ENDS))("what is returned of an agent that %s", (_, end) => {
  const outcome = { exitCode: 0, signal: null, timedOut: false, cancelled: false, forced: false, ...end }
  const shown = Object.entries(TOLD).map(([what, rows]) => {
    const output = new RunTotals()
    for (const row of rows) output.annotate(row)
    const said = { stdout: "", stderr: `Error: ${"long".repeat(200)}\nat x`, transcript: "/t" }
    const attempt = { outcome, output, ...said, sessionId: "s", resumed: false, hasWritten: false }
    const settings = readSettings({ chart: "tea", timeoutSec: 60 }, "/a")
    const { errorCode, errorMessage, errorMeta: _, resultJson, ...result } = runResultOf(attempt, settings, {})
    const { executionCancellation: stopped = {} } = { ...resultJson }
    const { acknowledgedAt: __, ...cancelled } = Object(stopped)
    const { errorFamily, executionRecovery, question, sessionId } = result
    const told = { errorCode, errorFamily, executionRecovery, question, sessionId, ...cancelled }
    return `${what}: ${brief(errorMessage ?? "")}\n  ${JSON.stringify(told)}`
  })
  expect(`\n${shown.join("\n")}\n`).toMatchSnapshot()
})

const BROKEN: readonly (readonly [string, Partial<AdapterExecutionContext>])[] = [
  ["no such command", { config: { command: join(host.cwd, "none/escapement") } }],
  ["a command that is no program", { config: { command: file("notes.txt", "x") } }],
  ["no chart", { config: { chart: " " } }],
  ["a chart that is a flag", { config: { chart: "--debug" } }],
  ["a parameter without =", { config: { params: "tier gold\nx=1" } }],
  ["an invalid parameter name", { config: { params: { "-x": 1 } } }],
  ["an invalid name for the prompt", { config: { promptParam: "a b" } }],
  ["no such directory", { config: { cwd: join(host.cwd, "none") } }],
  ["a relative directory", { config: { cwd: "here" } }],
  ["no such instructions", { config: { instructionsFilePath: "nowhere.md" } }],
  ["a prompt too long", { config: { promptTemplate: "é".repeat(60_000) } }],
  ["a prompt that just fits", { config: { promptTemplate: "x".repeat(96 * 1024) } }],
  ["a sandbox", { executionTarget: { kind: "remote", transport: "sandbox", remoteCwd: "/work" } }],
  ["a remote target of old", { executionTransport: { remoteExecution: { host: "h" } } }],
]

describe("a run that can't begin", () => {
  eachAtOnce(BROKEN, async ([, more]) => {
    const ctx = host.context("works", more)
    const { exitCode, errorCode = "", errorMessage = "", errorMeta = {}, summary, clearSession } = await execute(ctx)
    const told = { exitCode, errorCode, errorMessage, errorMeta, summary, clearSession, started: ctx.pids.length }
    return settled(JSON.stringify(told, null, 1), ctx)
  })
})

const WORK = `${host.cwd}/bin/../.escapement/`
/** What the host has stored of a session (a text: its id alone), and what the chart does when it is resumed. */
const RESUMED: readonly (readonly [
  string,
  string,
  (first: Record<string, unknown>) => Record<string, unknown> | string,
])[] = [
  ["that broke off", "breaks", first => first],
  ["with nothing but its id", "breaks", ({ sessionId }) => ({ sessionId })],
  ["with its id of old alone", "breaks", ({ sessionId }) => `${sessionId}`],
  ["with its directory alone", "breaks", ({ sessionId, cwd }) => ({ sessionId, cwd })],
  ["of directories written otherwise", "breaks", elsewhere => ({ ...elsewhere, cwd: `${host.cwd}/`, workDir: WORK })],
  ["of another directory", "breaks", first => ({ ...first, cwd: "/elsewhere" })],
  ["of another work directory", "breaks", first => ({ ...first, workDir: "/elsewhere" })],
  ["of another chart", "breaks", first => ({ ...first, chart: "other" })],
  ["that writes no row, and says what one says that is missing", "scribbles", first => first],
  ["that rewrites its transcript", "restarts", first => first],
  ["that charges a card", "charges", first => first],
  ["that is missing", "works", () => ({ sessionId: "gone" })],
  ["that is missing, and breaks off", "breaks", () => ({ sessionId: "gone" })],
  ["that is missing, and begins with nothing", "silent", () => ({ sessionId: "gone" })],
  ["whose id is a path", "works", () => ({ sessionId: "../../etc" })],
]

describe("a resumed run", () => {
  eachAtOnce(RESUMED, async ([, chart, storedBy]) => {
    const before = host.context(chart)
    const { sessionParams } = chart === "works" ? {} : await execute(before)
    const stored = storedBy(sessionParams ?? {})
    const [sessionId, own] =
      typeof stored === "string" ? [stored, null] : [stored.chart === undefined ? null : "old", stored]
    const ctx = host.context(chart, {
      runtime: { sessionId, sessionParams: own, sessionDisplayId: null, taskKey: null },
    })
    const { sessionParams: next, resultJson, ...result } = await execute(ctx)
    const commands = ctx.metas.map(({ commandArgs = [], commandNotes }) => [
      commandArgs.includes("--resume"),
      commandNotes,
    ])
    const { errorCode, clearSession, usage, summary } = result
    const told = { next, errorCode, clearSession, usage, summary, rows: resultJson?.rows, commands }
    const text = `${JSON.stringify(told, null, 1)}\n${logged(ctx).join("\n")}`
    return settled(text, ctx).replace(new RegExp(`${before.runId}(?!\\d)`, "g"), "<first>")
  })
})
