// Reads the files of the subagents of a Claude Code session, which stand beside the session's own file.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { isObject, parseJson } from "../protocol/json.ts"
import { LineReader } from "../transport/file-reader.ts"
import { AGENT_FACTS } from "./claude/claude-session-file.ts"
import { timeOf } from "./common/fields.ts"
import type { TimedLine } from "./guest-parser.ts"

/** Bytes of the file that says what a subagent is; a longer one is not read. */
const META_UNITS = 64 * 1024
const AGENT = /^agent-([\w-]+)\.jsonl$/

interface Waiting {
  readonly text: string
  /** When the line was written, epoch ms; 0 if it doesn't say. */
  readonly ts: number
}

/** The lines of all subagents of a session, in the order of their times. */
export class AgentFiles {
  readonly #directory: string
  readonly #readers = new Map<string, LineReader>()
  #waiting: Waiting[] = []

  /** `log` is the session's own file. */
  constructor(log: string) {
    this.#directory = join(log.replace(/\.jsonl$/, ""), "subagents")
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

  /** Reads what the files have got since the last time; one that can't be read is left out. Never rejects. */
  async read(): Promise<void> {
    for (const name of existsSync(this.#directory) ? readdirSync(this.#directory) : []) {
      const [, id] = AGENT.exec(name) ?? []
      if (id !== undefined) await this.#readFile(name, id).catch(() => undefined)
    }
    this.#waiting.sort((a, b) => a.ts - b.ts)
  }

  async close(): Promise<void> {
    for (const reader of this.#readers.values()) await reader.close()
    this.#readers.clear()
  }

  async #readFile(name: string, id: string): Promise<void> {
    const path = join(this.#directory, name)
    const known = this.#readers.get(name)
    const reader = known ?? (await LineReader.open(path))
    this.#readers.set(name, reader)
    let first = known === undefined
    for (let lines = await reader.next(); lines !== null; lines = await reader.next()) {
      for (const line of lines) {
        const text = typeof line === "string" ? line : line.head
        const ts = writtenAt(text)
        if (first) this.#waiting.push({ text: this.#facts(path, id), ts })
        first = false
        this.#waiting.push({ text, ts })
      }
    }
  }

  /** A line with what stands in the file beside a subagent's. */
  #facts(path: string, id: string): string {
    const meta = path.replace(/\.jsonl$/, ".meta.json")
    const text = existsSync(meta) ? readFileSync(meta, "utf8").slice(0, META_UNITS) : ""
    const value = parseJson(text)
    const sessionId = basename(join(this.#directory, ".."))
    return JSON.stringify({ ...(isObject(value) && value), type: AGENT_FACTS, agentId: id, sessionId })
  }
}

/** When a line of a session file was written, epoch ms; 0 if it doesn't say. */
export function writtenAt(line: string): number {
  return timeOf(/"timestamp":"([^"]{20,30})"/.exec(line)?.[1]) ?? 0
}
