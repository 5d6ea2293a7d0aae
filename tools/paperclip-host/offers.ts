// Checks what a server offers an agent of our type as to its own: instructions, reload, tests, tools and retries.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "./checks.ts"
import { assign, configOf, ended, hire, invoke, isOver, type Office, runsOf, seenBy, TYPE, until } from "./runs.ts"
import type { Json } from "./server.ts"

/** Checks all of it. */
export async function checkOffers(office: Office): Promise<void> {
  await checkInstructions(office)
  await checkReload(office)
  await checkConfiguration(office)
  await checkRetry(office)
  await checkEnded(office)
}

async function checkInstructions(office: Office): Promise<void> {
  const { server } = office
  const agent = await hire(office, "Ina", "works")
  const { text } = await server.ask("GET", `agents/${agent.id}/instructions-bundle`)
  check("an agent has a managed bundle of instructions", text.includes("AGENTS.md") && text.includes('"managed"'), text)
  const refused = { adapterType: TYPE, name: "Tem", role: "engineer" }
  const adapterConfig = configOf(server, "works", { promptTemplate: "Do it." })
  const { status } = await server.ask("POST", `companies/${office.companyId}/agents`, { ...refused, adapterConfig })
  check("so the server refuses a prompt template for a new one", status === 422, status)
  await assign(office, agent, "Read the instructions")
  const runs = await until(
    () => runsOf(office, agent),
    all => all.slice(-1).some(isOver),
  )
  const { argv = [], env = {} } = seenBy(office, runs.at(-1)?.id) ?? {}
  const prompt = argv.find(one => one.startsWith("prompt=")) ?? ""
  const stored = Object((await server.ask("GET", `agents/${agent.id}`)).json.adapterConfig).instructionsFilePath
  const [line = "-"] = readFileSync(String(stored), "utf8").split("\n").filter(Boolean)
  check("its prompt begins with them", prompt.startsWith(`prompt="${line.slice(0, 40)}`), prompt.slice(0, 200))
  check("and has the host's contract once", prompt.split("Execution contract").length <= 2, prompt)
  const wanted = ["RUNTIME_TOOLS_MCP_URL", "RUNTIME_TOOLS_TOKEN", "WAKE_PAYLOAD_JSON", "ISSUE_WORK_MODE", "API_KEY"]
  const absent = wanted.filter(name => (env[`PAPERCLIP_${name}`] ?? "") === "")
  check("the chart gets connection tools, the wake and the issue's mode", absent.length === 0, absent)
}

/** An update: other files at the same place, then the page's "Reload adapter". */
async function checkReload(office: Office): Promise<void> {
  const { server, adapter } = office
  const path = join(adapter, "server/index.js")
  const text = readFileSync(path, "utf8")
  const test = async () =>
    (await server.ask("POST", `companies/${office.companyId}/adapters/${TYPE}/test-environment`, { adapterConfig: {} }))
      .text
  check("before an update the old code tests", !(await test()).includes("a new limit"))
  writeFileSync(path, text.replaceAll("There is no time limit", "There is a new limit"))
  const { status } = await server.ask("POST", `adapters/${TYPE}/reload`)
  check("a reload is taken", status === 200, status)
  check("after it the new code tests", (await test()).includes("a new limit"), await test())
  writeFileSync(path, text)
  await server.ask("POST", `adapters/${TYPE}/reload`)
}

async function checkConfiguration(office: Office): Promise<void> {
  const { server, companyId } = office
  const params = "tier gold\nmode: fast\nx=1"
  const run = await invoke(office, await hire(office, "Pam", "works", { params }))
  check(
    "a parameter without = fails the run in words",
    String(run.error).startsWith("Write key=value: tier gold."),
    run,
  )
  const test = async (more: object): Promise<Json> => {
    const path = `companies/${companyId}/adapters/${TYPE}/test-environment`
    return (await server.ask("POST", path, { adapterConfig: configOf(server, "works", more) })).json
  }
  for (const more of [
    { params },
    { chart: server.work },
    { instructionsFilePath: "/nope.md" },
    { input: "/nope.edn" },
    { workDir: "/proc/x" },
  ]) {
    const { status, checks } = await test(more)
    check(`the test is red for ${JSON.stringify(more)}`, String(status) === "fail", checks)
  }
  check("and not for a chart's name", String((await test({ chart: "my.team/agent" })).status) !== "fail")
}

/** An overloaded provider: the server plans another run by itself. */
async function checkRetry(office: Office): Promise<void> {
  const agent = await hire(office, "Ove", "overloads")
  await assign(office, agent, "Ask again")
  const runs = await until(
    () => runsOf(office, agent),
    all => all.length > 1,
  )
  const [planned, run] = runs
  const { errorFamily } = Object((await ended(office, String(run?.id))).resultJson)
  check("an overload is told to the server", errorFamily === "transient_upstream", run)
  check("which plans another attempt", String(planned?.scheduledRetryReason) === "transient_failure", planned)
  await office.server.ask("POST", `agents/${agent.id}/pause`)
}

/** A chart that has come to its end: the next run of its issue starts it anew, and works. */
async function checkEnded(office: Office): Promise<void> {
  const agent = await hire(office, "Ned", "works")
  const wake = await assign(office, agent, "Count twice")
  const [first] = await until(
    () => runsOf(office, agent),
    all => all.length > 0 && all.every(isOver),
  )
  check("a chart that has ended leaves no session", (first?.sessionIdAfter ?? null) === null, first?.sessionIdAfter)
  await wake()
  const runs = await until(
    () => runsOf(office, agent),
    all => all.length > 1 && all.every(isOver),
  )
  const { usageJson } = Object(await ended(office, String(runs[0]?.id)))
  check("and the next run of its issue works again", Object(usageJson).inputTokens === 150, usageJson)
}
