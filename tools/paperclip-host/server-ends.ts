// Checks that nothing of a run is left when the server ends while it goes on.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { isRunning } from "../../test/running.ts"
import { check, say } from "./checks.ts"
import { assign, begin, ended, hire, isOver, type Office, runsOf, until } from "./runs.ts"
import type { Server } from "./server.ts"

/** Runs on demand and of an issue, whose agents and children ignore SIGTERM or not, under both signals. */
export async function checkServerEnds(office: Office): Promise<void> {
  const { server } = office
  for (const [signal, onDemand, ofIssue] of [
    ["SIGTERM", "deaf", "hangs"],
    ["SIGINT", "hangs", "deaf"],
  ] as const) {
    const demand = await hire(office, `Demand ${signal}`, onDemand, { graceSec: 15 })
    const issue = await hire(office, `Issue ${signal}`, ofIssue, { graceSec: 15 })
    const runs = [await begin(office, demand)]
    await assign(office, issue, `Wait for ${signal}`)
    const assigned = await until(
      async () => (await runsOf(office, issue)).find(({ status }) => String(status) === "running"),
      run => run !== undefined,
    )
    runs.push(String(assigned?.id))
    const children = await Promise.all(runs.map(run => childOf(server, run)))
    check(`before ${signal} two runs go on, with a child each`, (await living(children)).length === 2)
    check("and their skills are linked", linked(server).length === 2, linked(server))
    say(`ending the server with ${signal} …`)
    await server.stop(signal)
    check(`${signal} leaves no child of an agent`, (await living(children)).length === 0, await living(children))
    check(`${signal} leaves no agent`, server.holders("fake-escapement").length === 0)
    check(`${signal} leaves no links to skills`, linked(server).length === 0, linked(server))
    await server.start()
    const states = await Promise.all(runs.map(run => ended(office, run)))
    check(
      `the server says that ${signal} has interrupted them`,
      states.every(({ status }) => String(status) === "interrupted"),
      states.map(({ status, errorCode }) => [status, errorCode]),
    )
    for (const one of [demand, issue]) await server.ask("POST", `agents/${one.id}/pause`)
    for (const run of (await runsOf(office, issue)).filter(one => !isOver(one)))
      await server.ask("POST", `heartbeat-runs/${run.id}/cancel`)
  }
}

/** The process id of a run's grandchild, once that is there. */
async function childOf({ work }: Server, run: string): Promise<number> {
  const file = Bun.file(join(work, ".escapement", `paperclip-${run}`, "grandchild.pid"))
  const read = async () => Number(await file.text().catch(() => ""))
  return until(read, pid => pid > 0)
}

async function living(pids: readonly number[]): Promise<readonly number[]> {
  const alive = await Promise.all(pids.map(isRunning))
  return pids.filter((_, index) => alive[index])
}

function linked({ temporary }: Server): readonly string[] {
  return readdirSync(temporary).filter(name => name.startsWith("paperclip-skills-"))
}
