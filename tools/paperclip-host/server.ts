// Starts a real Paperclip server on loopback as an unprivileged user with its own home.
import { mkdirSync, openSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { say } from "./checks.ts"
import { giveAway, installAgent, NODE, UNPRIVILEGED } from "./packages.ts"

export interface Server {
  /** The address of its page. */
  readonly url: string
  /** The fake agent's executable, and a directory its runs may write to. */
  readonly agent: string
  readonly work: string
  /** One request below /api; a body is sent as JSON. Never rejects for a status. */
  ask(method: string, path: string, body?: object): Promise<{ status: number; text: string; json: Json }>
  /** The server's own temporary directory. */
  readonly temporary: string
  start(): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<void>
  /** The command lines of processes that have this in them. */
  holders(what: string): string[]
  /** True if no process uses the server's home. */
  isGone(): Promise<boolean>
}

/** Any JSON; missing members are undefined. */
export type Json = { readonly [key: string]: Json } & { readonly length?: number } & Iterable<Json>

const START_MS = 240_000
const STOP_MS = 30_000

/** Resolves once the server reports that it is healthy. */
export async function startServer(modules: string, scratch: string): Promise<Server> {
  const home = join(scratch, "home")
  const work = join(home, "work")
  const temporary = join(home, "temporary")
  for (const directory of [work, temporary]) mkdirSync(directory, { recursive: true })
  const agent = installAgent(scratch)
  const root = process.getuid?.() === 0
  if (root) giveAway(home)
  const port = await freePort()
  const log = join(scratch, "server.log")
  const environment = {
    ...{
      HOME: home,
      TMPDIR: temporary,
      PAPERCLIP_HOME: join(home, "paperclip"),
      PORT: String(port),
      HOST: "127.0.0.1",
      PATH: process.env.PATH ?? "",
    },
    ...{ DO_NOT_TRACK: "1", PAPERCLIP_TELEMETRY_DISABLED: "1", CI: "1", PAPERCLIP_DB_BACKUP_ENABLED: "false" },
    ...{
      PAPERCLIP_MIGRATION_AUTO_APPLY: "true",
      PAPERCLIP_AGENT_JWT_SECRET: crypto.randomUUID(),
      NODE_ENV: "production",
    },
  }
  const entry = join(modules, "node_modules/@paperclipai/server/dist/index.js")
  const user = ["setpriv", `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, "--clear-groups"]
  const cmd = [...(root ? user : []), join(modules, NODE), entry]

  let child: Bun.Subprocess | null = null
  const url = `http://127.0.0.1:${port}`
  const ask: Server["ask"] = async (method, path, body) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    const response = await fetch(`${url}/api/${path}`, { method, ...init })
    const text = await response.text()
    return { status: response.status, text, json: parse(text) }
  }
  const start = async (): Promise<void> => {
    const output = openSync(log, "a")
    child = Bun.spawn(cmd, { cwd: home, env: environment, stdio: ["ignore", output, output] })
    const giveUpAt = Date.now() + START_MS
    for (;;) {
      const health = await ask("GET", "health").catch(() => null)
      if (String(health?.json.status) === "ok") return
      if (child.exitCode !== null || Date.now() > giveUpAt) throw new Error(`the server does not start:\n${tail(log)}`)
      await Bun.sleep(250)
    }
  }
  const stop: Server["stop"] = async (signal = "SIGTERM") => {
    child?.kill(signal)
    await Promise.race([child?.exited, Bun.sleep(STOP_MS)])
    child?.kill("SIGKILL")
  }
  say("starting the server …")
  await start()
  return {
    ...{ url, agent, work, temporary, ask, start, stop, holders },
    isGone: async () => {
      const giveUpAt = Date.now() + STOP_MS
      while (holders(home).length > 0 && Date.now() < giveUpAt) await Bun.sleep(250)
      return holders(home).length === 0
    },
  }
}

function holders(what: string): string[] {
  return readdirSync("/proc").flatMap(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return []
    try {
      const line = readFileSync(`/proc/${name}/cmdline`, "utf8")
      return line.includes(what) ? [line.replaceAll("\0", " ")] : []
    } catch {
      return []
    }
  })
}

function tail(path: string): string {
  return readFileSync(path, "utf8").slice(-4000)
}

function parse(text: string): Json {
  try {
    return Object(JSON.parse(text))
  } catch {
    return Object({})
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
