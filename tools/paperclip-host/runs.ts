// Hires agents of our type on a real server, and starts, awaits and reads their runs.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { check } from "./checks.ts"
import type { Json, Server } from "./server.ts"

export const TYPE = "escapement_local"
const WAIT_MS = 120_000

/** A server with a company, and the directory of the installed adapter. */
export interface Office {
  readonly server: Server
  readonly companyId: string
  /** The beginning of the company's paths on the page. */
  readonly prefix: string
  readonly adapter: string
}

/** A configuration of the fake agent. */
export function configOf({ work, agent }: Server, chart: string, more: object = {}): object {
  return { cwd: work, command: agent, chart, timeoutSec: 600, graceSec: 1, ...more }
}

/** A new agent for a chart. */
export async function hire({ server, companyId }: Office, name: string, chart: string, more = {}): Promise<Json> {
  const agent = { name, role: "engineer", adapterType: TYPE, adapterConfig: configOf(server, chart, more) }
  const { status, json, text } = await server.ask("POST", `companies/${companyId}/agents`, agent)
  check(`an agent of our type for the chart ${chart}`, status === 201, text)
  return json
}

/** Starts a run of an agent without waiting for its end. */
export async function begin({ server }: Office, agent: Json): Promise<string> {
  return String((await server.ask("POST", `agents/${agent.id}/heartbeat/invoke`, {})).json.id)
}

/** Starts a run of an agent and waits for its end. */
export async function invoke(office: Office, agent: Json): Promise<Json> {
  return ended(office, await begin(office, agent))
}

/** Assigns an issue to an agent, which starts a run. Returns how to start the next. */
export async function assign({ server, companyId }: Office, agent: Json, title: string): Promise<() => Promise<void>> {
  const issue = { title, description: "Be quick.", status: "todo", assigneeAgentId: agent.id }
  const { status, json, text } = await server.ask("POST", `companies/${companyId}/issues`, issue)
  check(`an issue: ${title}`, status === 201, text)
  const wake = { source: "on_demand", triggerDetail: "manual", reason: "again", payload: { issueId: json.id } }
  return async () => void (await server.ask("POST", `agents/${agent.id}/wakeup`, wake))
}

/** An agent's runs, newest first. */
export async function runsOf({ server, companyId }: Office, agent: Json): Promise<readonly Json[]> {
  return [...(await server.ask("GET", `companies/${companyId}/heartbeat-runs?agentId=${agent.id}`)).json]
}

export async function ended({ server }: Office, runId: string): Promise<Json> {
  return until(async () => (await server.ask("GET", `heartbeat-runs/${runId}`)).json, isOver)
}

export function isOver(run: Json): boolean {
  return !["queued", "running", "starting", "scheduled_retry"].includes(String(run.status))
}

/** The lines of a run's stored log, one chunk each. */
export async function logOf({ server }: Office, run: Json): Promise<string> {
  const { json } = await server.ask("GET", `heartbeat-runs/${run.id}/log?offset=0&limitBytes=1000000`)
  return String(json.content)
}

/** What the fake agent was started with in the session of a run; null before it. */
export function seenBy({ server }: Office, runId: unknown): { argv: string[]; env: Record<string, string> } | null {
  const path = join(server.work, ".escapement", `paperclip-${runId}`, "seen.json")
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null
}

/** The value of `ask` once it `holds`. Rejects if it never does. */
export async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const giveUpAt = Date.now() + WAIT_MS
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    if (Date.now() > giveUpAt) throw new Error(`waited in vain: ${JSON.stringify(value)}`)
    await Bun.sleep(200)
  }
}
