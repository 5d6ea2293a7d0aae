// Checks everything a server does with an adapter, from install to removal.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { parseStdoutLine } from "../../packages/paperclip-adapter-escapement/src/ui-parser.ts"
import { isRunning } from "../../test/running.ts"
import { check } from "./checks.ts"
import { checkNoise } from "./noise.ts"
import { checkOffers } from "./offers.ts"
import { followReadme, type Packed } from "./packages.ts"
import { checkPages, installByDialog } from "./pages.ts"
import { parserOf } from "./plugin-loader.ts"
import { begin, configOf, ended, hire, invoke, logOf, type Office, runsOf, seenBy, TYPE, until } from "./runs.ts"
import type { Json, Server } from "./server.ts"
import { checkServerEnds } from "./server-ends.ts"

/** `pictures` is the directory for pictures of the server's page, `scratch` one for files of the test. */
export async function walk(server: Server, packed: Packed, pictures: string, scratch: string): Promise<void> {
  const adapter = await followReadme(packed, scratch, server.url)
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
  const office: Office = { server, companyId, prefix: String(company.json.issuePrefix), adapter }
  await checkEnvironment(office)

  const works = await hire(office, "Ada", "works")
  const first = await invoke(office, works)
  await checkRun(office, first)
  await checkSecrets(office)
  const noise = await checkNoise(office, scratch)
  await checkPages(office, { works: first, noise }, pictures)
  await checkOffers(office)
  await checkResume(office)
  await checkCharges(office)
  await checkCancel(office)
  await checkServerEnds(office)

  await checkRegistered(server, adapter, "after restarts")
  const again = await invoke(office, works)
  check("a run after restarts", String(again.status) === "succeeded", again)

  await remove(server)
  if (await installByDialog(server, adapter, pictures)) {
    await checkRegistered(server, adapter, "after the page's install")
    await remove(server)
  }
}

async function remove(server: Server): Promise<void> {
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

async function checkEnvironment({ server, companyId }: Office): Promise<void> {
  const path = `companies/${companyId}/adapters/${TYPE}/test-environment`
  const good = configOf(server, "works")
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

async function checkRun(office: Office, run: Json): Promise<void> {
  check("a run succeeds", String(run.status) === "succeeded", run)
  const usage = Object(run.usageJson)
  check("its usage is kept", usage.inputTokens === 150 && usage.outputTokens === 25, usage)
  const chunks = (await logOf(office, run)).split("\n").filter(line => line !== "")
  const lines = chunks.map((line): { chunk: string } => JSON.parse(line))
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
async function checkSecrets(office: Office): Promise<void> {
  const text = await logOf(office, await invoke(office, await hire(office, "Sue", "streams")))
  check(
    "a streamed secret is redacted in the stored log",
    text.includes("REDACTED") && !text.includes("abcdefghijklmnop1234"),
  )
}

/** Runs of an agent on demand until one of them has resumed the session of another. */
async function untilResumed(office: Office, agent: Json): Promise<readonly Json[]> {
  return until(
    async () => {
      await invoke(office, agent)
      return runsOf(office, agent)
    },
    all => all.some(one => hasResumed(office, one)),
  )
}

/** True if a run's session was resumed by a later one. */
function hasResumed(office: Office, run: Json): boolean {
  return seenBy(office, run.id)?.argv.includes("--resume") === true
}

/** A resumed run charges a card and then fails for want of "a session". It is not started again. */
async function checkCharges(office: Office): Promise<void> {
  const runs = await untilResumed(office, await hire(office, "Cy", "charges"))
  const sessions = runs.map(({ id }) => join(office.server.work, ".escapement", `paperclip-${id}`, "starts"))
  const starts = sessions.filter(existsSync).reduce((sum, path) => sum + readFileSync(path, "utf8").length, 0)
  check("a resumed run that fails after its work is not started again", starts === runs.length, { starts, runs })
}

/** A later run continues the session of one that was stopped on its way. */
async function checkResume(office: Office): Promise<void> {
  const runs = await untilResumed(office, await hire(office, "Eve", "breaks"))
  const first = runs.at(-1)
  check("a run that fails keeps its session", typeof first?.sessionIdAfter === "string", first?.sessionIdAfter)
  const done = runs.filter(({ status }) => String(status) === "succeeded")
  check("a later run resumes it, and works", done.length === 1, runs)
}

/** A chart that ignores SIGTERM, with a grandchild that does too. */
async function checkCancel(office: Office): Promise<void> {
  const { server } = office
  const runId = await begin(office, await hire(office, "Bob", "deaf"))
  const pidFile = Bun.file(join(server.work, ".escapement", `paperclip-${runId}`, "grandchild.pid"))
  const pid = await until(
    async () => Number(await pidFile.text().catch(() => "")),
    found => found > 0,
  )
  check("a run hangs, with a grandchild", await isRunning(pid))
  const cancelled = await server.ask("POST", `heartbeat-runs/${runId}/cancel`)
  check("cancel is taken", cancelled.status === 200, cancelled.text)
  check("the run is cancelled", String((await ended(office, runId)).status) === "cancelled")
  check("the grandchild is gone", await until(async () => !(await isRunning(pid)), Boolean))
}
