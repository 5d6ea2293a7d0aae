// The hook itself: hands a question of Claude Code to every open screen, and prints the first decision. It decides
// nothing in any other case, so that the CLI asks as always. Tried with 2.1.331.
import { readdir, readFile, rm } from "node:fs/promises"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { textOf } from "../guest/common/fields.ts"
import { hookDirectory } from "./hook-desk.ts"

/** Seconds that the CLI lets the hook wait; we end before. */
const TIMEOUT_S = 3600
/** Time between two looks whether the terminal has answered, ms. */
const LOOK_MS = 200
/** In the others the CLI asks nobody. */
const MODES = ["default", "acceptEdits", "plan"]

/** What a person adds to Claude Code's `settings.json`; `command` starts this hook. */
export function hookSettings(command: string): string {
  const hooks = [{ type: "command", command, timeout: TIMEOUT_S }]
  return `${JSON.stringify({ hooks: { PermissionRequest: [{ matcher: "*", hooks }] } }, null, 2)}\n`
}

export interface HookPlace {
  readonly stateDir: string
  /** Claude Code's directory, and the number of its process. */
  readonly claude: string
  readonly pid: string
}

/** What to print for the request that a hook got; empty for no decision. Never rejects. */
export async function hookDecision(text: string, place: HookPlace): Promise<string> {
  const request = parseJson(text)
  if (!isObject(request) || request.hook_event_name !== "PermissionRequest") return ""
  if (!MODES.includes(textOf(request.permission_mode))) return ""
  const directory = hookDirectory(place.stateDir)
  const names = await readdir(directory).catch(() => [])
  const paths = names.filter(name => /^\d+\.sock$/.test(name)).map(name => join(directory, name))
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), (TIMEOUT_S - 5) * 1000)
  const onSignal = (): void => ended.abort()
  process.once("SIGTERM", onSignal)
  const status = new Status(join(place.claude, "sessions", `${place.pid}.json`))
  const look = setInterval(() => void status.isAnswered().then(is => is && ended.abort()), LOOK_MS)
  try {
    const line = JSON.stringify(request)
    const decision = await firstOf(paths.map(path => askAt(path, line, ended.signal)))
    if (decision === null) return ""
    return JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } })
  } finally {
    ended.abort()
    clearTimeout(timer)
    clearInterval(look)
    process.off("SIGTERM", onSignal)
  }
}

/** The first of the decisions; null once nobody will decide any more. */
function firstOf(asked: readonly Promise<JsonObject | null>[]): Promise<JsonObject | null> {
  const decided = asked.map(one => one.then(decision => decision ?? Promise.reject(new Error("no decision"))))
  return Promise.any(decided).catch(() => null)
}

/** What the screen at this socket decides; null if it does not. Never rejects. */
function askAt(path: string, line: string, signal: AbortSignal): Promise<JsonObject | null> {
  return new Promise(resolve => {
    let said = ""
    const socket: Socket = connect(path, () => socket.write(`${line}\n`))
    socket.setEncoding("utf8")
    socket.on("data", (piece: string) => {
      said += piece
    })
    socket.on("error", error => {
      // The screen that listened there was killed.
      if ("code" in error && error.code === "ECONNREFUSED") void rm(path, { force: true })
    })
    socket.on("close", () => {
      const decision = parseJson(said)
      resolve(isObject(decision) ? decision : null)
    })
    signal.addEventListener("abort", () => socket.destroy(), { once: true })
  })
}

class Status {
  /** When it began to wait; null until it does. */
  #since: Json | undefined = null

  constructor(private readonly path: string) {}

  /** True once the CLI no longer waits: a hook is not told that the terminal has answered. */
  async isAnswered(): Promise<boolean> {
    const told = parseJson(await readFile(this.path, "utf8").catch(() => ""))
    // A file in the middle of a write is incomplete.
    if (!isObject(told)) return false
    const { status, statusUpdatedAt } = told
    if (status === "waiting") this.#since ??= statusUpdatedAt
    return this.#since !== null && (status !== "waiting" || statusUpdatedAt !== this.#since)
  }
}
