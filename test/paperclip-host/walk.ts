// Checks everything a server does with an adapter, from install to removal.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseStdoutLine } from "../../src/paperclip/ui-parser.ts"
import { isAlive } from "../paperclip/host.ts"
import { check, say } from "./checks.ts"
import { checkPages } from "./pages.ts"
import { parserOf } from "./plugin-loader.ts"
import type { Json, Server } from "./server.ts"

const TYPE = "escapement_local"
const RUN_MS = 120_000

/** `pictures` is the directory for pictures of the server's page. */
export async function walk(server: Server, adapter: string, pictures: string): Promise<void> {
  const installed = await server.ask("POST", "adapters/install", { packageName: adapter, isLocalPath: true })
  check("install by local path", installed.status === 201, installed.text)
  await checkRegistered(server, adapter, "after the install")
  const schema = await server.ask("GET", `adapters/${TYPE}/config-schema`)
  check(
    "the config schema has our fields",
    schema.text.includes('"chart"') && schema.text.includes('"workDir"'),
    schema.text,
  )

  const company = await server.ask("POST", "companies", { name: "Snow" })
  const companyId = String(company.json.id)
  check("a company", company.status === 201, company.text)
  const models = await server.ask("GET", `companies/${companyId}/adapters/${TYPE}/models`)
  check("the models are listed", models.status === 200 && models.text.includes("As the chart says"), models.text)
  await checkEnvironment(server, companyId)

  const works = await hire(server, companyId, "Ada", "works")
  const first = await invoke(server, works)
  await checkRun(server, first)
  await checkSecrets(server, companyId)
  const prefix = String(company.json.issuePrefix)
  await checkPages(server, { prefix, agentId: works, runId: String(first.id) }, pictures)
  await checkResume(server, companyId)
  await checkCharges(server, companyId)
  await checkCancel(server, companyId)

  say("restarting the server …")
  await server.restart()
  await checkRegistered(server, adapter, "after a restart")
  const again = await invoke(server, works)
  check("a run after the restart", String(again.status) === "succeeded", again)

  const deleted = await server.ask("DELETE", `adapters/${TYPE}`)
  check("delete", deleted.status === 200, deleted.text)
  // The server keeps the parser in memory until its next start, but does not use it.
  const left = [...(await server.ask("GET", "adapters")).json].filter(one => String(one.type) === TYPE)
  check("it is no longer listed", left.length === 0, left)
}

async function checkRegistered(server: Server, adapter: string, when: string): Promise<void> {
  const listed = await server.ask("GET", "adapters")
  const ours = [...listed.json].find(one => String(one.type) === TYPE)
  check(`${when} the adapter is listed as external`, String(ours?.source) === "external", ours)
  const served = await server.ask("GET", `adapters/${TYPE}/ui-parser.js`)
  check(`${when} the server serves our parser byte for byte`, served.text === parserOf(adapter), served.status)
}

async function checkEnvironment(server: Server, companyId: string): Promise<void> {
  const path = `companies/${companyId}/adapters/${TYPE}/test-environment`
  const good = { cwd: server.work, command: server.agent, chart: "works", timeoutSec: 60 }
  const { json, text } = await server.ask("POST", path, { adapterConfig: good })
  check("the environment test passes", ["pass", "warn"].includes(String(json.status)), text)
  const nothing = await server.ask("POST", path, { adapterConfig: {} })
  check(
    "the environment test only warns while nothing is configured",
    String(nothing.json.status) === "warn",
    nothing.text,
  )
  const bad = await server.ask("POST", path, { adapterConfig: { ...good, command: "no-such-escapement" } })
  const found = String(bad.json.status) === "fail" && bad.text.includes("escapement_command_unresolvable")
  check("the environment test finds a missing command", found, bad.text)
}

async function hire(server: Server, companyId: string, name: string, chart: string): Promise<string> {
  const adapterConfig = { cwd: server.work, command: server.agent, chart, timeoutSec: 600, graceSec: 1 }
  const agent = { name, role: "engineer", adapterType: TYPE, adapterConfig }
  const { status, json, text } = await server.ask("POST", `companies/${companyId}/agents`, agent)
  check(`an agent of our type for the chart ${chart}`, status === 201, text)
  return String(json.id)
}

/** Starts a run of an agent and waits for its end. */
async function invoke(server: Server, agentId: string): Promise<Json> {
  const { json } = await server.ask("POST", `agents/${agentId}/heartbeat/invoke`, {})
  return ended(server, String(json.id))
}

async function ended(server: Server, runId: string): Promise<Json> {
  return until(async () => (await server.ask("GET", `heartbeat-runs/${runId}`)).json, isOver)
}

function isOver(run: Json): boolean {
  return !["queued", "running", "starting"].includes(String(run.status))
}

async function checkRun(server: Server, run: Json): Promise<void> {
  check("a run succeeds", String(run.status) === "succeeded", run)
  const usage = Object(run.usageJson)
  check("its usage is kept", usage.inputTokens === 150 && usage.outputTokens === 25, usage)
  const log = await server.ask("GET", `heartbeat-runs/${run.id}/log?offset=0&limitBytes=1000000`)
  const lines = String(log.json.content)
    .split("\n")
    .filter(line => line !== "")
    .map((line): { chunk: string } => JSON.parse(line))
  const entries = lines.flatMap(({ chunk }) => chunk.split("\n").flatMap(line => parseStdoutLine(line, "T")))
  const kinds = new Set(entries.map(({ kind }) => kind))
  const wanted = ["init", "assistant", "tool_call", "tool_result", "result", "system", "stdout"] as const
  check(
    "its parsed log shows the run",
    wanted.every(kind => kinds.has(kind)),
    [...kinds],
  )
  const paired = entries.flatMap(entry =>
    entry.kind === "tool_call" || entry.kind === "tool_result" ? [entry.toolUseId] : [],
  )
  check("the call and its result are paired in the log", paired.length === 2 && paired[0] === paired[1], paired)
}

/** A key that an agent streams in pieces of six letters. */
async function checkSecrets(server: Server, companyId: string): Promise<void> {
  const run = await invoke(server, await hire(server, companyId, "Sue", "streams"))
  const { text } = await server.ask("GET", `heartbeat-runs/${run.id}/log?offset=0&limitBytes=1000000`)
  check(
    "a streamed secret is redacted in the stored log",
    text.includes("REDACTED") && !text.includes("abcdefghijklmnop1234"),
  )
}

/** Runs of one issue: a resumed one charges a card and then fails for want of "a session". It is not started again. */
async function checkCharges(server: Server, companyId: string): Promise<void> {
  const agentId = await hire(server, companyId, "Cy", "charges")
  const issue = { title: "Charge the card", status: "todo", assigneeAgentId: agentId }
  const { json } = await server.ask("POST", `companies/${companyId}/issues`, issue)
  const list = async () => [
    ...(await server.ask("GET", `companies/${companyId}/heartbeat-runs?agentId=${agentId}`)).json,
  ]
  const wake = { source: "on_demand", triggerDetail: "manual", reason: "again", payload: { issueId: json.id } }
  const runs = await until(
    async () => {
      const all = await list()
      if (all.length > 0 && all.every(isOver) && !all.some(isFailed)) {
        await server.ask("POST", `agents/${agentId}/wakeup`, wake)
      }
      return all
    },
    all => all.every(isOver) && all.some(isFailed),
  )
  const home = join(server.work, ".escapement")
  const files = [...new Bun.Glob("*/starts").scanSync({ cwd: home })].map(path => join(home, path)).filter(isCharged)
  const starts = files.reduce((sum, path) => sum + readFileSync(path, "utf8").length, 0)
  check("a resumed run that fails after its work is not started again", starts === runs.length, { starts, runs })
}

function isFailed(run: Json): boolean {
  return String(run.status) === "failed"
}

/** True if the session of this file ran the chart `charges`. */
function isCharged(path: string): boolean {
  return readFileSync(join(path, "../seen.json"), "utf8").includes('"charges"')
}

/** Runs of one issue: a later one continues the session of an earlier one. */
async function checkResume(server: Server, companyId: string): Promise<void> {
  const agentId = await hire(server, companyId, "Eve", "works")
  const issue = { title: "Count the flakes", status: "todo", assigneeAgentId: agentId }
  const { status, json, text } = await server.ask("POST", `companies/${companyId}/issues`, issue)
  check("an issue", status === 201, text)
  const runs = async () => [
    ...(await server.ask("GET", `companies/${companyId}/heartbeat-runs?agentId=${agentId}`)).json,
  ]
  const [first] = await until(runs, all => all.length > 0)
  const { sessionIdAfter } = Object(await ended(server, String(first?.id)))
  check("the first run of an issue keeps its session", typeof sessionIdAfter === "string", sessionIdAfter)
  const wake = { source: "on_demand", triggerDetail: "manual", reason: "again", payload: { issueId: json.id } }
  // The server keeps a session for a while after its run; a wake in between starts a new one.
  const resumed = await until(async () => {
    if (hasResumed(server)) return true
    if ((await runs()).every(isOver)) await server.ask("POST", `agents/${agentId}/wakeup`, wake)
    return false
  }, Boolean)
  check("a later run resumes it", resumed)
}

/** True if the fake agent was told to resume a session. */
function hasResumed({ work }: Server): boolean {
  const home = join(work, ".escapement")
  const seen = [...new Bun.Glob("*/seen.json").scanSync({ cwd: home })]
  return seen.some(path => readFileSync(join(home, path), "utf8").includes('"--resume"'))
}

/** A chart that ignores SIGTERM, with a grandchild that does too. */
async function checkCancel(server: Server, companyId: string): Promise<void> {
  const agentId = await hire(server, companyId, "Bob", "deaf")
  const { json } = await server.ask("POST", `agents/${agentId}/heartbeat/invoke`, {})
  const runId = String(json.id)
  const pidFile = join(server.work, ".escapement", `paperclip-${runId}`, "grandchild.pid")
  const pid = Number(
    await until(
      async () => (existsSync(pidFile) ? readFileSync(pidFile, "utf8") : ""),
      text => text !== "",
    ),
  )
  check("a run hangs, with a grandchild", await isAlive(pid))
  const cancelled = await server.ask("POST", `heartbeat-runs/${runId}/cancel`)
  check("cancel is taken", cancelled.status === 200, cancelled.text)
  check("the run is cancelled", String((await ended(server, runId)).status) === "cancelled")
  check("the grandchild is gone", await until(async () => !(await isAlive(pid)), Boolean))
}

/** The value of `ask` once it `holds`. Rejects if it never does. */
async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + RUN_MS
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${JSON.stringify(value)}`)
    await Bun.sleep(200)
  }
}
