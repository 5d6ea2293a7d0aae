// Provides a real WebSocket client that collects the agent's frames and can wait for them.
import { join } from "node:path"
import { WebSocket } from "ws"
import { isObject, type JsonObject } from "../../packages/wire/src/json.ts"
import { type ScriptedAgent, type ScriptedOptions, startAgent } from "../../src/scripted-agent/scripted-agent.ts"
import { root } from "../fixtures.ts"
import { opened } from "../screen/open-screens.ts"
import { PATIENCE_MS, until } from "../until.ts"

/** The values in a file of `fixtures/cases/agent`, one on each line. */
export async function jsonl<T>(name: string): Promise<readonly T[]> {
  const text = await Bun.file(join(root, `fixtures/cases/agent/${name}.jsonl`)).text()
  return text
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line))
}

/** The HTTP status of an upgrade, 101 if it succeeds. */
export function knock(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers })
    socket.on("unexpected-response", (_request, response) => resolve(response.statusCode))
    socket.on("error", reject)
    socket.on("open", () => {
      socket.terminate()
      resolve(101)
    })
  })
}

/** The header that carries an agent's token. */
export function bearer(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

export class Ui {
  /** Every frame so far, as text. */
  readonly heard: string[] = []
  readonly #socket: WebSocket
  readonly #checks = new Set<() => void>()
  /** The code of the close frame, or that there was none; null while it is open. */
  closed: number | null = null

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on("message", data => {
      this.heard.push(data.toString())
      this.#check()
    })
    socket.on("close", code => {
      this.closed = code
      this.#check()
    })
  }

  static attach(url: string, token: string | null = null): Promise<Ui> {
    const socket = new WebSocket(url, { headers: bearer(token) })
    const ui = new Ui(socket)
    return new Promise((resolve, reject) => {
      socket.once("open", () => resolve(ui))
      socket.once("error", reject)
    })
  }

  /** The frames so far that are JSON objects. */
  frames(): JsonObject[] {
    return this.heard.flatMap(line => {
      try {
        const frame: unknown = JSON.parse(line)
        return isObject(frame) ? [frame] : []
      } catch {
        return []
      }
    })
  }

  events(): JsonObject[] {
    return this.frames().filter(frame => frame.kind === "event")
  }

  seqs(): unknown[] {
    return this.events().map(frame => frame.seq)
  }

  send(frame: object): void {
    this.#socket.send(JSON.stringify(frame))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  /** Resolves once `isSo` holds. It is checked after each frame and at the close. Rejects if that takes too long. */
  until(isSo: (ui: Ui) => boolean): Promise<void> {
    if (isSo(this)) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const patience = setTimeout(() => {
        this.#checks.delete(check)
        reject(new Error(`waited in vain; heard last: ${this.heard.slice(-5).join("\n")}`))
      }, PATIENCE_MS)
      const check = () => {
        if (!isSo(this)) return
        clearTimeout(patience)
        this.#checks.delete(check)
        resolve()
      }
      this.#checks.add(check)
    })
  }

  untilFrame(isIt: (frame: JsonObject) => boolean): Promise<void> {
    return this.until(ui => ui.frames().some(isIt))
  }

  untilFinished(): Promise<void> {
    return this.untilFrame(frame => frame.op === "run-finished")
  }

  untilClosed(): Promise<void> {
    return this.until(() => this.closed !== null)
  }

  /**
   * Resolves once everything that the agent sent before this call has arrived: the reply to a request comes after it.
   */
  async settle(): Promise<void> {
    const before = this.#catalogs()
    this.send({ kind: "control", op: "request-model-catalog" })
    await this.until(ui => ui.#catalogs() > before)
  }

  leave(): void {
    this.#socket.terminate()
  }

  #catalogs(): number {
    return this.frames().filter(frame => frame.kind === "model-catalog").length
  }

  #check(): void {
    for (const check of [...this.#checks]) check()
  }
}

type Recording = ScriptedOptions["recording"]

/** A scripted agent that plays `recording` at once, holds for answers, and stops with the test. */
export async function play(recording: Recording, options: Partial<ScriptedOptions> = {}): Promise<ScriptedAgent> {
  const agent = await startAgent({ recording, speed: 0, hold: true, ...options })
  opened(() => agent.stop())
  return agent
}

/** The same, and its first client. */
export async function attach(
  recording: Recording,
  options: Partial<ScriptedOptions> = {},
): Promise<{ readonly agent: ScriptedAgent; readonly ui: Ui }> {
  const agent = await play(recording, options)
  return { agent, ui: await Ui.attach(agent.url) }
}

/** An event as it appears in a recording. */
export function event(name: string, data: object = {}, ts = 1_000): string {
  return JSON.stringify({ kind: "event", seq: 0, ts, event: name, data })
}

export function delta(text: string, sessionId = "s1", ts = 1_000): string {
  return event("llm/delta", { type: "text-delta", text, model: "m", invokeid: "writer", "session-id": sessionId }, ts)
}

/** `count` deltas, each with its number as its text. */
export function deltas(count: number): string[] {
  return Array.from({ length: count }, (_, index) => delta(`${index + 1} `))
}

export function phase(...config: string[]): string {
  return JSON.stringify({ kind: "phase", ts: 1_000, config })
}

export function prompt(id: string, type = "text", opts: object = {}, invokeid = id.replace(/#.*/, "")): string {
  return JSON.stringify({ kind: "prompt", "prompt-id": id, invokeid, type, opts: { prompt: `${id}?`, ...opts } })
}

/** The models that a re-run may go to. */
export const catalog = {
  kind: "model-catalog",
  aliases: [
    { alias: "cheap", targets: [{ provider: "ollama", model: "gemma3:1b" }] },
    { alias: "smart", targets: [{ provider: "openai", model: "gpt-5" }] },
  ],
  preferences: ["smart"],
}

/** The first message that the agent has received, or will, which `matches` accepts. */
export async function inboundOf(agent: ScriptedAgent, matches: (message: unknown) => boolean): Promise<unknown> {
  await until(() => agent.inbound().some(matches))
  return agent.inbound().find(matches)
}
