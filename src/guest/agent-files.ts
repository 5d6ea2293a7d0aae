// Reads the files of a session's subagents, which Claude Code, Codex, Gemini CLI and Kimi write beside the session's.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { LineReader } from "../../packages/wire/src/files/file-reader.ts"
import { headLines } from "../../packages/wire/src/files/recording-path.ts"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { threadOf } from "./codex-bases.ts"
import { listOf, objectOf, textOf, timeOf } from "./common/fields.ts"
import { AGENT } from "./common/subagent.ts"
import type { TimedLine } from "./guest-parser.ts"
import { logHead, openLines, plainName } from "./saved-log.ts"

/** UTF-16 units that are read of the file that says what a subagent is. */
const META_UNITS = 64 * 1024
/** Bytes of a session's file in which the types of its subagents are looked for. */
const MAX_CALLERS = 64 * 1024 * 1024
const CLAUDE_AGENT = /^agent-([\w-]+)\.jsonl$/
/** A session of Gemini CLI, with the beginning of its id in its name. */
const CHAT = /^session-.*-([\da-f]{8})\.jsonl$/
const TIME = /"(?:(?:timestamp|startTime|lastUpdated)":"([^"]{20,30})"|(?:time|timestamp|created_at)":(\d{13})\b)/

/** Where a CLI keeps the files of a session's subagents. */
interface Layout {
  readonly paths: () => readonly string[]
  /** The subagent of a file; null for any other file, undefined while its beginning is not written. */
  readonly facts: (path: string) => JsonObject | null | undefined
  /** The session's id, where the lines of its file don't have it. */
  readonly session?: string
}

interface Waiting {
  readonly text: string
  /** When the line was written, epoch ms; 0 if it doesn't say. */
  readonly ts: number
}

interface OpenFile {
  readonly reader: LineReader
  readonly facts: JsonObject
  hasBegun: boolean
  /** When its latest line was written. A line with an earlier time, or none, counts as written then too. */
  ts: number
}

/** The lines of all subagents of a session, in the order of their times. */
export class AgentFiles {
  readonly #layout: Layout
  readonly #seen = new Set<string>()
  readonly #files: OpenFile[] = []
  #waiting: Waiting[] = []

  /** What is unpacked has no name in `directory`. */
  constructor(
    log: string,
    private readonly directory: string,
  ) {
    this.#layout = layoutOf(plainName(log))
  }

  /** The session's id, where only the path of its file has it; else null. */
  get session(): string | null {
    return this.#layout.session ?? null
  }

  get areWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** The lines that were written until `ts`, epoch ms. */
  until(ts: number): readonly TimedLine[] {
    const at = this.#waiting.findIndex(line => line.ts > ts)
    const due = this.#waiting.splice(0, at < 0 ? this.#waiting.length : at)
    return due.map(({ text }) => ({ stream: "stdout", text, ts: null }))
  }

  /** Reads the new lines of the files; a file that can't be read is left out. Never rejects. */
  async read(): Promise<void> {
    for (const path of this.#layout.paths()) if (!this.#seen.has(path)) await this.#open(path).catch(() => undefined)
    for (const file of this.#files) await this.#take(file).catch(() => undefined)
    this.#waiting.sort((a, b) => a.ts - b.ts)
  }

  async close(): Promise<void> {
    for (const { reader } of this.#files.splice(0)) await reader.close()
  }

  async #open(path: string): Promise<void> {
    const facts = this.#layout.facts(path)
    if (facts === undefined) return
    this.#seen.add(path)
    if (facts !== null)
      this.#files.push({ reader: await openLines(path, this.directory), facts, hasBegun: false, ts: 0 })
  }

  async #take(file: OpenFile): Promise<void> {
    const { reader, facts } = file
    const key = facts[AGENT]
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (const line of lines) {
        const text = typeof line === "string" ? line : line.head
        const ts = Math.max(writtenAt(text), file.ts)
        file.ts = ts
        if (!file.hasBegun) this.#waiting.push({ text: JSON.stringify({ ...facts, type: AGENT, timestamp: ts }), ts })
        file.hasBegun = true
        const marked =
          key === undefined ? text : text.replace(/^\{/, `{${JSON.stringify(AGENT)}:${JSON.stringify(key)},`)
        this.#waiting.push({ text: marked, ts })
      }
    }
  }
}

function layoutOf(log: string): Layout {
  const [directory, name] = [dirname(log), basename(log)]
  const thread = threadOf(name)
  if (thread !== null) {
    // Names begin with the time at which a thread began.
    const paths = () =>
      namesIn(directory)
        .map(plainName)
        .filter(other => threadOf(other) !== null && other.slice(0, 27) >= name.slice(0, 27))
    return { paths: () => paths().map(other => join(directory, other)), facts: path => codexFacts(path, thread) }
  }
  if (name === "wire.jsonl" && basename(directory) === "main") {
    const agents = dirname(directory)
    const names = () => namesIn(agents).filter(other => other !== "main")
    const session = basename(dirname(agents))
    return { paths: () => names().map(other => join(agents, other, name)), facts: kimiFacts, session }
  }
  const [, chat] = CHAT.exec(name) ?? []
  if (chat !== undefined) {
    const own = () => namesIn(directory).filter(other => other.startsWith(chat))
    const paths = () => own().flatMap(id => namesIn(join(directory, id)).map(other => join(directory, id, other)))
    return { paths, facts: path => geminiFacts(path, log) }
  }
  const session = log.replace(/\.jsonl$/, "")
  const agents = join(session, "subagents")
  return {
    paths: () => namesIn(agents).flatMap(other => (CLAUDE_AGENT.test(other) ? [join(agents, other)] : [])),
    facts: path => claudeFacts(path, basename(session)),
  }
}

function claudeFacts(path: string, sessionId: string): JsonObject {
  const meta = path.replace(/\.jsonl$/, ".meta.json")
  const value = parseJson(existsSync(meta) ? readFileSync(meta, "utf8").slice(0, META_UNITS) : "")
  const [, agentId = ""] = CLAUDE_AGENT.exec(basename(path)) ?? []
  return { ...(isObject(value) && value), agentId, sessionId }
}

/** A thread that another thread started has that thread's id as its session's. */
function codexFacts(path: string, thread: string): JsonObject | null | undefined {
  const head = logHead(path).at(0) ?? ""
  if (head === "") return undefined
  const own = threadOf(basename(path)) ?? ""
  if (own === thread || fieldIn(head, "session_id") !== thread) return null
  const parent = fieldIn(head, "parent_thread_id")
  return {
    [AGENT]: own,
    parent: parent === thread ? "" : parent,
    agentType: fieldIn(head, "agent_role"),
    description: fieldIn(head, "agent_nickname"),
  }
}

function kimiFacts(path: string): JsonObject | undefined {
  const agentType = fieldIn(headLines(path).join("\n"), "profileName")
  return agentType === "" ? undefined : { [AGENT]: basename(dirname(path)), agentType }
}

/** The caller's file has a subagent's type once the subagent has ended. */
function geminiFacts(path: string, log: string): JsonObject | undefined {
  if (fieldIn(headLines(path).at(0) ?? "", "kind") !== "subagent") return undefined
  const id = basename(path, ".jsonl")
  const text = statSync(log).size > MAX_CALLERS ? "" : readFileSync(log, "utf8")
  const line = text.split("\n").find(one => one.includes(`"agentId":"${id}"`))
  const calls = listOf(objectOf(parseJson(line ?? "")).toolCalls).map(objectOf)
  return { [AGENT]: id, agentType: textOf(objectOf(calls.find(({ agentId }) => agentId === id)?.args).agent_name) }
}

/** The value of a field in the beginning of a line; empty if it has none. */
function fieldIn(head: string, name: string): string {
  return new RegExp(`"${name}":"([^"\\\\]*)"`).exec(head)?.[1] ?? ""
}

function namesIn(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}

/** When a line of a session file was written, epoch ms; 0 if it doesn't say. */
export function writtenAt(line: string): number {
  // Gemini CLI writes a reply again once its tools have answered, whose times stand after the reply's.
  const from = line.includes('"toolCalls":') ? line.lastIndexOf('"timestamp":') : 0
  const [, text, ms] = TIME.exec(line.slice(from)) ?? []
  return ms === undefined ? (timeOf(text) ?? 0) : Number(ms)
}
